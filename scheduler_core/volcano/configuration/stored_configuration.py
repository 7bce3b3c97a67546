"""What stays of Volcano's scheduler configuration: in a scenario, and in an entry of a ConfigMap.

Its metrics and the plugin extender have an address, which goes; so do the arguments of other plugins and
actions that runs do not play, which may have one.

Source: volcano v1.16 pkg/scheduler/conf/scheduler_conf.go.
"""

import re
from typing import Any

from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields

_METRICS = Fields("type interval")
VOLCANO_CONFIGURATION = Fields(
    "actions tiers schedule-period", configurations=Fields("name arguments"), metrics=_METRICS
)
"""Of a scenario's. Unknown flags stay: a run tells that it ignores them."""

_PLUGINS_TEXT = (
    "binpack capacity cdp conformance deviceshare drf gang network-topology-aware nodegroup nodeorder"
    " numa-aware overcommit pdb predicates priority proportion rescheduling resource-strategy-fit"
    " resourcequota sla task-topology tdm usage"
)
_PLAYED_ACTIONS = "enqueue allocate backfill preempt reclaim gangpreempt gangreclaim shuffle"
OWNERS_OF_ARGUMENTS = frozenset(f"{_PLUGINS_TEXT} {_PLAYED_ACTIONS}".split())
EXTENDER = "extender"
PLUGINS = frozenset((*_PLUGINS_TEXT.split(), EXTENDER))
ACTIONS = frozenset((*_PLAYED_ACTIONS.split(), "elect", "reserve"))
"""All that Volcano has had."""
_ASKED_AND_TOLD = (
    "onSessionOpen onSessionClose predicate prioritize preemptable reclaimable queueOverused"
    " jobEnqueueable jobEnqueued jobReady allocateFunc deallocateFunc"
)
EXTENDER_VERBS = frozenset(f"{EXTENDER}.{what}Verb" for what in _ASKED_AND_TOLD.split())
MANAGED_RESOURCES = f"{EXTENDER}.managedResources"
_PLAIN_VERB = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}", re.ASCII)
_WITHHELD = "withheld"
_ACTIONS = re.compile(r"\s*[a-z-]{1,40}(\s*,\s*[a-z-]{1,40})*\s*", re.ASCII)
_KEYS = {"actions", "tiers", "configurations", "metrics"}


def _keep_owner(value: Any, place: str, dropped: Dropped) -> Any:
    """Return a list of plugins or actions, each with its name and flags, and with arguments if it may."""
    if not isinstance(value, list):
        return []
    return [_stripped(entry, place, dropped) for entry in value if isinstance(entry, dict)]


def _stripped(entry: dict[str, Any], place: str, dropped: Dropped) -> dict[str, Any]:
    kept = {}
    for key, value in entry.items():
        may_have = key == "arguments" and entry.get("name") in OWNERS_OF_ARGUMENTS
        if key == "arguments" and entry.get("name") == EXTENDER and isinstance(value, dict):
            kept[key] = _of_extender(value, place, dropped)
        elif key == "name" or may_have or (key.startswith("enable") and isinstance(value, bool)):
            kept[key] = value
        else:
            dropped.count_field(f"{place}[]", key)
    return kept


def _of_extender(arguments: dict[str, Any], place: str, dropped: Dropped) -> dict[str, Any]:
    """Return what it asks about and for which pods, without where; a verb may be more of an address."""
    kept = {}
    for key, value in arguments.items():
        if key in EXTENDER_VERBS and isinstance(value, str):
            kept[key] = value if not value or _PLAIN_VERB.fullmatch(value) else _WITHHELD
        elif key == MANAGED_RESOURCES and are_texts(value):
            kept[key] = value
        else:
            dropped.count_field(f"{place}[].arguments", key)
    return kept


def are_texts(value: Any) -> bool:
    """Tell whether this is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


_IN_A_CONFIG_MAP = Fields(
    "actions", tiers=Fields(plugins=_keep_owner), configurations=_keep_owner, metrics=_METRICS
)


def keep_volcano_configuration(document: dict[str, Any], dropped: Dropped) -> dict[str, Any]:
    """Return a configuration as it may be stored."""
    kept: dict[str, Any] = _IN_A_CONFIG_MAP(document, "volcano-scheduler.conf", dropped)
    return {key: value for key, value in kept.items() if key != "metrics" or value}


def is_volcano_configuration(document: Any) -> bool:
    """Tell whether a document is a configuration of Volcano: actions, and plugins by tiers, nothing else."""
    if not isinstance(document, dict) or not document.keys() <= _KEYS:
        return False
    tiers = document.get("tiers")
    plugins = [
        plugin
        for tier in (tiers if isinstance(tiers, list) else ())
        for plugin in ((tier.get("plugins") or ()) if isinstance(tier, dict) else ())
    ]
    named = bool(plugins) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str) for one in plugins
    )
    actions = document.get("actions")
    return isinstance(actions, str) and _ACTIONS.fullmatch(actions) is not None and named
