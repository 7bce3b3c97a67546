"""The scheduler's configuration file: actions, tiers of plugins with their flags and arguments.

Source: volcano v1.16 pkg/scheduler/conf/scheduler_conf.go, pkg/scheduler/util.go, plugins/defaults.go,
framework/arguments.go; installer/helm/chart/volcano/config/volcano-scheduler.conf.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from scheduler_core.go.duration import duration_text, parse_duration
from scheduler_core.go.parse import parse_bool
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.suggestions import VERY_CLOSE, closest
from scheduler_core.volcano.configuration.argument_faults import argument_faults
from scheduler_core.volcano.configuration.known_arguments import unread_arguments
from scheduler_core.volcano.configuration.stored_configuration import EXTENDER
from scheduler_core.volcano.configuration.unplayed_parts import ACTIONS as UNPLAYED_ACTIONS
from scheduler_core.volcano.configuration.unplayed_parts import PLUGINS as UNPLAYED_PLUGINS
from scheduler_core.volcano.model.node_load import SYSTEMS

ACTIONS = ("enqueue", "allocate", "backfill", "preempt", "reclaim", "gangpreempt", "gangreclaim", "shuffle")
PLUGINS = (
    "binpack",
    "capacity",
    "cdp",
    "conformance",
    "deviceshare",
    "drf",
    "gang",
    "network-topology-aware",
    "nodegroup",
    "nodeorder",
    "numa-aware",
    "overcommit",
    "pdb",
    "predicates",
    "priority",
    "proportion",
    "rescheduling",
    "resource-strategy-fit",
    "resourcequota",
    "sla",
    "task-topology",
    "tdm",
    "usage",
)
_KNOWN_ACTIONS = frozenset({*ACTIONS, *UNPLAYED_ACTIONS})
FLAGS: dict[str, str | None] = {
    "job_order": "enableJobOrder",
    "queue_order": "enableQueueOrder",
    "victim_queue_order": None,
    "task_order": "enableTaskOrder",
    "pre_predicate": "enablePredicate",
    "predicate": "enablePredicate",
    "node_order": "enableNodeOrder",
    "batch_node_order": "enableNodeOrder",
    "preemptable": "enablePreemptable",
    "reclaimable": "enableReclaimable",
    "overused": "enabledOverused",
    "preemptive": "enablePreemptive",
    "allocatable": "enabledAllocatable",
    "job_ready": "enableJobReady",
    "job_pipelined": "enableJobPipelined",
    "job_starving": "enableJobStarving",
    "job_valid": None,
    "job_enqueueable": "enableJobEnqueued",
    "job_enqueued": "enableJobEnqueued",
    "simulate_allocatable": "enabledAllocatable",
    "simulate_predicate": "enablePredicate",
    "sub_job_ready": "enabledSubJobReady",
    "sub_job_pipelined": "enabledSubJobPipelined",
    "sub_job_order": "enabledSubJobOrder",
    "hyper_node_order": "enabledHyperNodeOrder",
    "hyper_node_gradients": "enabledHyperNodeGradient",
    "evictable": None,
    "victim_tasks": "enabledVictim",
}
"""The function that a plugin may have, and the flag that switches it off; some have none."""
_OTHER_FLAGS = (
    "enableHierarchy",
    "enabledClusterOrder",
    "enableBestNode",
    "enableTargetJob",
    "enableReservedNodes",
)
KNOWN_FLAGS = frozenset({*_OTHER_FLAGS, *(flag for flag in FLAGS.values() if flag)})
OFF_BY_DEFAULT = frozenset({"enableHierarchy", "enabledClusterOrder"})

SHIPPED = """\
actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
- plugins:
  - name: overcommit
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: proportion
  - name: nodeorder
  - name: binpack
"""
"""What a release installs."""

PERIOD = "schedule-period"
"""The scheduler's flag of this name, which the file may have here: how often a session opens."""
USUAL_PERIOD, SHORTEST_PERIOD, LONGEST_PERIOD = 10**9, 10**6, 3600 * 10**9


@dataclass(frozen=True)
class Arguments:
    """A plugin's or an action's arguments; values of another type are as good as absent."""

    values: Mapping[str, Any] = field(default_factory=dict)

    def integer(self, key: str, default: int) -> int:
        """Return a whole number."""
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def number(self, key: str, default: float) -> float:
        """Return a number."""
        value = self.values.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return default
        return float(value)

    def boolean(self, key: str, default: bool) -> bool:
        """Return a truth value, which may also be given as text."""
        value = self.values.get(key)
        if isinstance(value, str):
            value = parse_bool(value)
        return value if isinstance(value, bool) else default

    def text(self, key: str) -> str:
        """Return a text, empty by default."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True)
class PluginOption:
    """A plugin in a tier."""

    name: str
    flags: Mapping[str, bool]
    arguments: Arguments

    def enabled(self, flag: str | None) -> bool:
        """Return whether a flag is on; all are, unless they are switched off, but two."""
        return flag is None or self.flags.get(flag, flag not in OFF_BY_DEFAULT)


@dataclass(frozen=True)
class Configuration:
    """What a scheduler is told: its actions in order, its tiers, and the actions' arguments.

    `period` is the time from the opening of a session to that of the next, in nanoseconds. `metrics` says of
    which monitoring system the nodes' loads come, and how often (`type`, `interval`). `unplayed_actions` and
    `unplayed_plugins` are the names that the configuration has and sessions are played without, `extenders`
    the places where one of these, extender, is named.
    """

    actions: Sequence[str]
    tiers: Sequence[Sequence[PluginOption]]
    of_actions: Mapping[str, Arguments] = field(default_factory=dict)
    ignored: Sequence[str] = ()
    period: int = USUAL_PERIOD
    metrics: Mapping[str, str] = field(default_factory=dict)
    unplayed_actions: Sequence[str] = ()
    unplayed_plugins: Sequence[str] = ()
    extenders: Sequence[PluginOption] = ()

    @property
    def measures(self) -> bool:
        """Whether nodes' loads are known at all."""
        return self.metrics.get("type", "") in SYSTEMS

    @property
    def metrics_interval(self) -> str:
        """How often loads are measured, as the configuration has it."""
        return self.metrics.get("interval", "")

    def arguments_of(self, action: str) -> Arguments:
        """Return an action's arguments."""
        return self.of_actions.get(action, Arguments())


def _without_base_60(tag: str, pattern: re.Pattern[str]) -> re.Pattern[str]:
    is_number = tag.endswith((":int", ":float"))
    return re.compile(f"(?![^ ]*:){pattern.pattern}", pattern.flags) if is_number else pattern


class ConfigurationLoader(yaml.SafeLoader):
    """Reads scalars as Go does: `10:00` is a text and no number to the base of 60, `1e-4` is a number."""

    yaml_implicit_resolvers = {
        first: [(tag, _without_base_60(tag, pattern)) for tag, pattern in resolvers]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


ConfigurationLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+$"),
    list("-+.0123456789"),
)


def read_configuration(given: str | Mapping[str, Any] | None) -> Configuration:
    """Return the configuration that a file says, the shipped one for None.

    It may also be given as what its YAML stands for. Plugins and actions that are not played are left out and
    named. Raises BadInput, also for an action that is misspelt: Volcano refuses a file with an unknown one.
    """
    try:
        document = given if isinstance(given, Mapping) else yaml.load(given or SHIPPED, ConfigurationLoader)  # noqa: S506 (a SafeLoader)
    except yaml.YAMLError as error:
        raise _bad("", f"is no YAML: {error}") from error
    if not isinstance(document, Mapping):
        raise _bad("", "must be a mapping with actions and tiers")
    problems: list[Problem] = []
    ignored: list[str] = []
    actions = _actions(document.get("actions"), problems)
    named = [
        _tier(tier, f"tiers[{place}]", problems, ignored)
        for place, tier in enumerate(_list(document, "tiers", problems))
    ]
    tiers = [[option for option in tier if option.name in PLUGINS] for tier in named]
    others = dict.fromkeys(name for tier in named for option in tier for name in _unplayed_of(option))
    of_actions: dict[str, Arguments] = {}
    for place, entry in enumerate(_list(document, "configurations", problems)):
        name, arguments = _of_action(entry, f"configurations[{place}]", problems)
        if name not in UNPLAYED_ACTIONS:
            ignored += _unread(name, arguments.values, f"configurations[{place}]")
        of_actions.setdefault(name, arguments)
    _conflicts(tiers, problems)
    period, metrics = (
        _period(document.get(PERIOD), problems),
        _metrics(document.get("metrics"), problems),
    )
    if problems:
        raise BadInput(problems)
    return Configuration(
        [name for name in actions if name in ACTIONS],
        tiers,
        of_actions,
        ignored,
        period,
        metrics,
        list(dict.fromkeys(name for name in actions if name not in ACTIONS)),
        list(others),
        [option for tier in named for option in tier if option.name == EXTENDER],
    )


def _unplayed_of(option: PluginOption) -> list[str]:
    """Return the plugin if no run plays it, else those of its arguments that are on and nobody plays."""
    if option.name not in PLUGINS:
        return [option.name]
    return [key for key in UNPLAYED_PLUGINS if option.arguments.boolean(key, False)]


def _metrics(given: Any, problems: list[Problem]) -> dict[str, str]:
    """Return what is read of the monitoring system; Go's map of texts takes plain values of any type."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        problems.append(_problem("metrics", "must be a mapping such as {type: prometheus, interval: 30s}"))
        return {}
    return {name: str(given[name]) for name in ("type", "interval") if given.get(name) is not None}


def _period(text: Any, problems: list[Problem]) -> int:
    """Return the time between sessions. The clock of a run knows whole milliseconds."""
    if text is None:
        return USUAL_PERIOD
    period = parse_duration(text) if isinstance(text, str) else None
    if period is None or not SHORTEST_PERIOD <= period <= LONGEST_PERIOD or period % SHORTEST_PERIOD:
        least, most = duration_text(SHORTEST_PERIOD), duration_text(LONGEST_PERIOD)
        reason = f"must be a duration in whole milliseconds from {least} to {most}, such as 1s or 500ms"
        problems.append(_problem(PERIOD, reason))
        return USUAL_PERIOD
    return period


def _actions(text: Any, problems: list[Problem]) -> list[str]:
    if not isinstance(text, str):
        problems.append(_problem("actions", 'must be a text such as "enqueue, allocate, backfill"'))
        return []
    names = [name.strip() for name in text.split(",")]
    for name in names:
        meant = closest(name, _KNOWN_ACTIONS, VERY_CLOSE)
        if not name:
            problems.append(_problem("actions", "must name an action between commas"))
        elif meant is not None and meant != name:
            reason = f"failed to find Action {name}; did you mean {meant}?"
            problems.append(_problem("actions", reason))
    return names


def _of_action(entry: Any, path: str, problems: list[Problem]) -> tuple[str, Arguments]:
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str):
        problems.append(_problem(path, "must be a mapping with a name"))
        return "", Arguments()
    arguments = entry.get("arguments") or {}
    if not isinstance(arguments, dict):
        problems.append(_problem(f"{path}.arguments", "must be a mapping"))
        arguments = {}
    return name, Arguments(arguments)


def _tier(tier: Any, path: str, problems: list[Problem], ignored: list[str]) -> list[PluginOption]:
    if not isinstance(tier, dict):
        problems.append(_problem(path, "must be a mapping with plugins"))
        return []
    options = []
    plugins = _list(tier, "plugins", problems, path)
    if tier.get("plugins") in (None, []):
        problems.append(_problem(f"{path}.plugins", "must name a plugin at least"))
    for place, entry in enumerate(plugins):
        at = f"{path}.plugins[{place}]"
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            problems.append(_problem(at, "must be a mapping with a name"))
            continue
        arguments = entry.get("arguments") or {}
        if not isinstance(arguments, dict):
            problems.append(_problem(f"{at}.arguments", "must be a mapping"))
            arguments = {}
        ignored += _unread(name, arguments, at) if name in PLUGINS else []
        faults = argument_faults(name, arguments)
        problems += [_problem(f"{at}.arguments.{key}", reason) for key, reason in faults]
        flags = {}
        for key, value in entry.items():
            if key in ("name", "arguments"):
                continue
            if key not in KNOWN_FLAGS and name in PLUGINS:
                ignored.append(f"{at}.{key}")
            elif key in KNOWN_FLAGS and value is not None and not isinstance(value, bool):
                problems.append(_problem(f"{at}.{key}", "must be true or false"))
            elif key in KNOWN_FLAGS and value is not None:
                flags[key] = value
        options.append(PluginOption(name, flags, Arguments(arguments)))
    return options


def _unread(owner: str, arguments: Mapping[str, Any], path: str) -> list[str]:
    return [f"{path}.arguments.{key}" for key in unread_arguments(owner, arguments)]


def _conflicts(tiers: Sequence[Sequence[PluginOption]], problems: list[Problem]) -> None:
    for place, tier in enumerate(tiers):
        names = {option.name for option in tier}
        hierarchical = any(option.name == "drf" and option.enabled("enableHierarchy") for option in tier)
        if hierarchical and "proportion" in names:
            problems.append(
                _problem(f"tiers[{place}]", "proportion and drf with hierarchy enabled conflicts")
            )


def _list(document: Mapping[str, Any], name: str, problems: list[Problem], within: str = "") -> list[Any]:
    value = document.get(name)
    if value is not None and not isinstance(value, list):
        problems.append(_problem(f"{within}.{name}".lstrip("."), "must be a list"))
        return []
    return value or []


def _problem(field_path: str, reason: str) -> Problem:
    return Problem("Volcano's configuration", field_path, reason)


def _bad(field_path: str, reason: str) -> BadInput:
    return BadInput([_problem(field_path, reason)])
