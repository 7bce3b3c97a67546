"""What of the Volcano project no run plays, and what a cluster with it does that a run does not.

Objects by their kind; plugins and actions that a configuration names (`unplayed_parts.py`,
`played_in_part.py`), with whether they could matter to the cluster.

Source: volcano v1.16 config/crd and staging/src/volcano.sh/apis (kinds); of unknown names
pkg/scheduler/util.go UnmarshalSchedulerConf (an action: the file is refused) and
framework/framework.go OpenSession (a plugin: logged, and passed over).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.suggestions import closest
from scheduler_core.schedulers.of_imports import Unplayed
from scheduler_core.volcano.configuration.extender_verbs import told_of_extender
from scheduler_core.volcano.configuration.scheduler_conf import PLUGINS, Configuration
from scheduler_core.volcano.configuration.stored_configuration import EXTENDER
from scheduler_core.volcano.configuration.unplayed_parts import ACTIONS as UNPLAYED_ACTIONS
from scheduler_core.volcano.configuration.unplayed_parts import PLUGINS as UNPLAYED_PLUGINS
from scheduler_core.volcano.configuration.unplayed_parts import Facts, Object, Part
from scheduler_core.volcano.reporting.played_in_part import has_some, played_in_part

UNPLAYED = {
    Kind("training.volcano.sh", "HyperJob"): "no jobs are made of them",
    Kind("shard.volcano.sh", "NodeShard"): "every scheduler sees all nodes",
    Kind("config.volcano.sh", "ColocationConfiguration"): "room that is oversubscribed does not count",
}
"""What is missing in a run, by kind."""

_LIKE = 0.7
_KNOWN_PLUGINS = frozenset({*PLUGINS, *UNPLAYED_PLUGINS})


def unplayed_kinds(numbers: Counter[Kind]) -> list[str]:
    """Return a phrase for each kind that is there and not played, in the kinds' order.

    numbers: how many objects there are of each kind.
    """
    return [f"{numbers[kind]:,} {kind}: {what}" for kind, what in UNPLAYED.items() if numbers[kind]]


def unplayed_parts(configuration: Configuration, objects: Iterable[Object]) -> Unplayed:
    """Return what is left out of a configuration, and whether it could matter to these objects.

    First what something of the cluster or the configuration asks for, then what could matter to any.
    """
    found = _Found([], [], [])
    actions = {name: UNPLAYED_ACTIONS.get(name) for name in configuration.unplayed_actions}
    plugins = {name: UNPLAYED_PLUGINS.get(name) for name in configuration.unplayed_plugins}
    if not (actions or plugins or has_some(configuration)):
        return Unplayed([], [])
    facts = Facts(objects)
    for name, part in actions.items():
        if part is None:
            effect = "Volcano 1.16 has none of this name and would refuse the configuration"
            found.at_large.append(f"action {name}: {effect}, a build that has it may decide otherwise")
        else:
            _tell(found, f"action {name}", part, facts)
    for name, part in plugins.items():
        if part is None:
            _tell_stranger(found, name, facts)
        elif name != EXTENDER:
            _tell(found, f"plugin {name}", part, facts)
    whole = [told_of_extender(configuration, facts)] if configuration.extenders else []
    for told, matters in (*whole, *played_in_part(configuration, facts)):
        (found.at_large if matters else found.without_effect).append(told)
    return Unplayed([*found.asked_for, *found.at_large], found.without_effect)


class _Found(NamedTuple):
    """Phrases of parts: that something asks for, that may matter anywhere, and that have no effect."""

    asked_for: list[str]
    at_large: list[str]
    without_effect: list[str]


def _tell(found: _Found, name: str, part: Part, facts: Facts) -> None:
    whose = f" of releases {part.release}" if part.release else ""
    if why := part.matters(facts):
        to = found.asked_for if part.idle else found.at_large
        to.append(f"{name}{whose}, which {part.does}: {why}")
    else:
        found.without_effect.append(f"{name} ({part.idle})")


def _tell_stranger(found: _Found, name: str, facts: Facts) -> None:
    """Tell of a plugin that Volcano does not have: misspelt, or in a build of somebody else's."""
    meant = closest(name, _KNOWN_PLUGINS, _LIKE)
    unknown = f"plugin {name}: Volcano 1.16 has none of this name and passes it over"
    if meant is None:
        found.at_large.append(f"{unknown}, a build that has it may decide otherwise")
        return
    part = UNPLAYED_PLUGINS.get(meant)
    if part is None:
        found.asked_for.append(f"{unknown}; did you mean {meant}?")
    elif why := part.matters(facts):
        found.asked_for.append(f"{unknown}; did you mean {meant}, which {part.does}? {why}")
    else:
        found.without_effect.append(f"plugin {name} (nor would {meant} have any: {part.idle})")
