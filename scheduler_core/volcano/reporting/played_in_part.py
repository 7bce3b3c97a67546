"""Parts of Volcano that runs play, but not wholly, or that this configuration leaves without effect.

Source: volcano v1.16 pkg/scheduler/actions/shuffle/shuffle.go, plugins/rescheduling, plugins/tdm/tdm.go,
api/node_info.go UpdateTask (which ends the process after tdm has named a node's pod), metrics/source;
framework/statement.go SaveOperations and api/sub_job_info.go deleteTask (by which a part of a job keeps pods
as pending that gangpreempt or gangreclaim have promised a node); actions/backfill/backfill.go (which takes
the best node also where no node has a score).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scheduler_core.volcano.configuration.scheduler_conf import FLAGS, Configuration, PluginOption
from scheduler_core.volcano.configuration.unplayed_parts import Facts
from scheduler_core.volcano.configuration.vgpu_config_map import config_map_of, place_of
from scheduler_core.volcano.framework.functions import functions_of
from scheduler_core.volcano.model.node_load import CPU_USE, MEMORY_USE, PERIOD
from scheduler_core.volcano.registry import PLUGINS

Told = tuple[str, bool]
"""A phrase, and whether it is about something that could matter."""
_SHUFFLE = "shuffle"
_ALLOCATE, _PROMISING = "allocate", ("gangpreempt", "gangreclaim")
_STARVING, _VICTIMS = "job_starving", "victim_tasks"
_NAMING_UNPLAYED_VICTIMS = frozenset({"tdm"})
"""Plugins that name pods to shuffle in the real scheduler only, whose process ends at it."""
_LOOKED_AT = frozenset({"usage", "rescheduling", "deviceshare", "capacity"})
_GPU_NUMBER = "volcano.sh/gpu-number"
_USUAL_PERIOD = "5m"


def has_some(configuration: Configuration) -> bool:
    """Return whether `played_in_part` has something to look at."""
    actions = configuration.actions
    return (
        _SHUFFLE in actions
        or bool(_promising_before_allocate(actions))
        or actions.count(_ALLOCATE) > 1
        or bool(_making_room_anew(configuration))
        or _backfill_ends(configuration)
        or not _LOOKED_AT.isdisjoint(_options(configuration))
    )


def played_in_part(configuration: Configuration, facts: Facts) -> Iterator[Told]:
    """Yield what to say of actions, of chance, and of the plugins that go by the load of nodes."""
    options = _options(configuration)
    shuffles = _SHUFFLE in configuration.actions
    if shuffles and (_plugins_with(_VICTIMS) | _NAMING_UNPLAYED_VICTIMS).isdisjoint(options):
        yield f"action {_SHUFFLE} (no plugin of this configuration names any pods)", False
    if shuffles and "tdm" in options and facts.revocable:
        ends = "the real scheduler's process ends when it first evicts a pod from a node of a shut zone"
        yield f"action {_SHUFFLE} with plugin tdm: {ends}, a run evicts none there", True
    if promising := _promising_before_allocate(configuration.actions):
        again = "the real scheduler may place pods anew that have just been promised a node, a run doesn't"
        yield f"action {_ALLOCATE} in part, after {' and '.join(promising)}: {again}", True
    if configuration.actions.count(_ALLOCATE) > 1 and facts.searched:
        some = f"of {facts.searched:,} pod groups and Jobs with a network topology or sub-groups"
        again = f"the second time the real scheduler may place pods anew {some}, a run doesn't"
        yield f"action {_ALLOCATE} in part, which is named twice: {again}", True
    if facts.searched and (making := _making_room_anew(configuration)):
        some = f"for {facts.searched:,} pod groups and Jobs with a network topology or sub-groups"
        again = (
            f"the real scheduler may make room anew {some} whose pods have just been placed, a run doesn't"
        )
        where = "where plugin gang is not asked who starves"
        yield f"action {' and '.join(making)} in part, {where}: {again}", True
    if _backfill_ends(configuration):
        ends = "the real scheduler's process ends at a best-effort pod that several nodes could take"
        yield f"action backfill with enablePredicate off for predicates: {ends}, in a run it waits", True
    yield from _by_chance(options, facts)
    namespace, name = config_map_of(configuration)
    known = any(place_of(item) == (namespace, name) for item in facts.config_maps)
    if facts.by_mig and not known and _switched_on(options, "deviceshare.VGPUEnable"):
        nodes = f"{facts.by_mig:,} node{' divides its' if facts.by_mig == 1 else 's divide their'} cards"
        lacks = f"without the geometries of ConfigMap {namespace}/{name} by memory and cores"
        yield f"plugin deviceshare in part: {nodes} in the mode mig; a run shares them {lacks}", True
    if "usage" in options:
        yield _by_load("usage", "", configuration, facts)
    if "rescheduling" in options:
        yield _of_rescheduling(options["rescheduling"], shuffles, configuration, facts)


def _promising_before_allocate(actions: Sequence[str]) -> list[str]:
    """Return the actions before the last allocate that promise nodes to whole gangs, each once."""
    last = max((at for at, name in enumerate(actions) if name == _ALLOCATE), default=0)
    return [name for name in _PROMISING if name in actions[:last]]


def _making_room_anew(configuration: Configuration) -> list[str]:
    """Return the actions that may make room for pods which an allocate before them has placed.

    With gang among the plugins that say which jobs starve, no job does whose pods have been placed.
    """
    actions = configuration.actions
    first = actions.index(_ALLOCATE) if _ALLOCATE in actions else len(actions)
    for tier in configuration.tiers:
        on = {option.name for option in tier if option.enabled(FLAGS[_STARVING])}
        asked = on & _plugins_with(_STARVING)
        if asked:
            return [name for name in _PROMISING if name in actions[first:] and "gang" not in asked]
    return []


def _backfill_ends(configuration: Configuration) -> bool:
    """Return whether predicates is to score nodes for backfill without having looked at the pod before."""
    predicates = _options(configuration).get("predicates")
    if predicates is None or "backfill" not in configuration.actions:
        return False
    return predicates.enabled("enableNodeOrder") and not predicates.enabled("enablePredicate")


def _by_chance(options: dict[str, PluginOption], facts: Facts) -> Iterator[Told]:
    """Yield what the real scheduler leaves to chance wherever it comes to that, with what may come of it."""
    if _switched_on(options, "deviceshare.GPUNumberEnable") and facts.asking((_GPU_NUMBER,)).number:
        which = f"which idle cards a pod gets for {_GPU_NUMBER} is by chance, a run gives the first"
        yield f"plugin deviceshare in part: {which}", True
    capacity = options.get("capacity")
    if facts.orphans and capacity is not None and capacity.enabled("enableHierarchy"):
        some = f"without the parent of queue {facts.orphans[0]} it is by chance which queues have figures"
        yield f"plugin capacity in part: {some}, and so whose jobs enter and who reclaims", True


def _switched_on(options: dict[str, PluginOption], argument: str) -> bool:
    sharing = options.get("deviceshare")
    return sharing is not None and sharing.arguments.boolean(argument, False)


def _plugins_with(function: str) -> frozenset[str]:
    """Return the plugins that have one of the session's functions."""
    return frozenset(name for name, plugin in PLUGINS.items() if function in functions_of(plugin))


def _options(configuration: Configuration) -> dict[str, PluginOption]:
    return {option.name: option for tier in configuration.tiers for option in tier}


def _of_rescheduling(
    option: PluginOption, shuffles: bool, configuration: Configuration, facts: Facts
) -> Told:
    if not shuffles:
        return f"plugin rescheduling (only the action {_SHUFFLE} asks it)", False
    period = option.arguments.text("metricsPeriod") or _USUAL_PERIOD
    if period != PERIOD:
        why = f"its metricsPeriod is {period}, and Volcano has averages of {PERIOD} only"
        return f"plugin rescheduling ({why})", False
    return _by_load("rescheduling", "; of its turns the run's first is played", configuration, facts)


def _by_load(name: str, more: str, configuration: Configuration, facts: Facts) -> Told:
    """Return what a plugin that goes by nodes' measured load does not know of it."""
    if not configuration.measures:
        return f"plugin {name} (metrics.type names no monitoring system that Volcano could ask)", False
    silent = facts.nodes - facts.nodes_with_load
    if not silent:
        told = "what nodes say of it stays, whatever comes and goes in the run"
    else:
        whose = (
            "no node says it"
            if silent == facts.nodes
            else f"{silent:,} of {facts.nodes:,} nodes don't say it"
        )
        told = f"{whose}, by the annotations {CPU_USE} and {MEMORY_USE} in per cent"
    return f"plugin {name} in part, which goes by nodes' measured load: {told}{more}", True
