"""Why a pod of a pod group waits: its group is held back, or too few of its members find a node together."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from scheduler_core.kube.pod_groups.cycle import GroupCycle
from scheduler_core.kube.pod_groups.groups import PLUGIN, Groups
from scheduler_core.kube.pod_groups.members import placed_until
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.schedulers.cause import Answered, Cause, Gang

Why = Callable[[int], Answered]
"""Says why a pod waits, whatever the rest of its group does."""


def held_back(groups: Groups, key: GroupKey, pod: int) -> Answered | None:
    """Return why PreEnqueue holds a pod back for its group; None where it doesn't."""
    status = groups.pre_enqueue(groups.state.pods.infos[pod])
    if status is None:
        return None
    nodes, reason = len(groups.state.nodes), ", ".join(status.reasons)
    if key in groups.by_key:
        return Answered(Cause("gang", nodes=nodes, reason=reason, of_group=True))
    return Answered(Cause("gated", nodes=nodes, plugin=PLUGIN, reason=reason, of_group=True))


def why_of_group(groups: Groups, key: GroupKey, pod: int, cycle: GroupCycle, alone: Why) -> Answered:
    """Return why a pod waits with its group, as a cycle that is not carried out found it."""
    state, chosen = groups.state, cycle.chosen
    nodes = len(state.nodes)
    if chosen.error:
        return Answered(Cause("error", nodes=nodes, message=chosen.error))
    own = next((one for one in chosen.members if one.pod == pod), None)
    if own is not None and own.node and (chosen.fits or chosen.waits):
        if own.fits and chosen.fits:
            return Answered(Cause("fits", nodes=nodes, chosen=own.node, reason="with its pod group"))
        return alone(pod)
    missing = next((one.pod for one in chosen.members if not one.node), pod)
    if chosen.name or not chosen.members:
        said = chosen.message or (own.result.message if own is not None else "") or ""
        return Answered(Cause("gang", nodes=nodes, plugin=PLUGIN, reason=said, of_group=True))
    if chosen.fits:
        missing = pod
    with placed_until(groups, cycle, missing):
        found = alone(missing)
    group = groups.by_key.get(key)
    gang = None if group is None else group.spec.scheduling_policy.gang
    placed = len(groups.placed(key))
    if chosen.fits or gang is None or placed >= gang.min_count:
        return found
    if not found.cause.held or found.cause.kind not in ("nodes", "pre_filter"):
        return Answered(Cause("gang", nodes=nodes, plugin=PLUGIN, reason=chosen.message, of_group=True))
    told = Gang(
        job="/".join(key),
        needed=gang.min_count,
        placed=placed + sum(bool(one.node) for one in chosen.members),
        pods=placed + len(cycle.pods),
        missing=state.pods.infos[missing].name,
    )
    return Answered(replace(found.cause, kind="gang", gang=told, of_group=True), found.marks)
