"""A pod group's cycle as recordings have it, with and without a clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recorded.kube.cycles import cycle_of
from scheduler_core.kube.pod_groups.cycle import GroupCycle
from scheduler_core.kube.pod_groups.groups import Groups
from scheduler_core.kube.pod_groups.tries import MemberTry, PlacementTry
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.state.cluster import ClusterState

Object = dict[str, Any]


def cycle_row(state: ClusterState, pod: int, attempt: int) -> Object:
    """Return the row of a cycle with which a group is told; `pod`, given by row, stands for it."""
    info = state.pods.infos[pod]
    return {
        "pod": info.key,
        "attempt": attempt,
        "profile": info.scheduler_name,
        "result": "",
        "nominated_before": state.nominated[pod],
        "prefilter": None,
        "prefilter_nodes": None,
        "filter": {},
        "scores": {},
        "best": [],
        "chosen": None,
        "message": None,
        "preemption": None,
        "nominated_after": "",
    }


def group_row(state: ClusterState, found: GroupCycle) -> Object:
    """Return how a group was tried."""
    tried = [pod for placement in found.placements[:1] for pod in placement.members]
    group: Object = {
        "name": "/".join(found.key),
        "pods": [state.pods.infos[one.pod].key for one in tried],
        "placements": [placement_row(placement) for placement in found.placements],
    }
    if found.scores:
        group |= {"scores": found.scores, "best": found.best}
    if found.preemption is not None:
        group["preemption"] = {"status": found.preemption.code, "reasons": found.preemption.reasons}
    return group


def condition_row(groups: Groups, key: GroupKey) -> Object | None:
    """Return a group's condition as it is now, None where it has none."""
    condition = groups.conditions.get(key)
    return (
        None
        if condition is None
        else {
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
        }
    )


def in_sum(results: Sequence[str]) -> str:
    """Return what became of a group whose members have these results."""
    failed = [one for one in results if one != "scheduled"]
    if not failed:
        return "scheduled"
    return "partly scheduled" if len(failed) < len(results) else failed[-1]


def without_cleared(cycle: Object) -> Object:
    """Return a cycle without whose nominations were cleared, which this family does not record."""
    preemption = cycle["preemption"]
    return cycle if preemption is None else cycle | {"preemption": {**preemption, "cleared": []}}


def placement_row(placement: PlacementTry) -> Object:
    """Return a placement as recordings have it."""
    row: Object = {"name": placement.name, "pods": [member_row(one) for one in placement.members]}
    return row | ({"nodes": sorted(placement.nodes)} if placement.nodes is not None else {})


def member_row(member: MemberTry) -> Object:
    """Return a member's cycle on a placement."""
    assert member.seen is not None
    row = without_cleared(cycle_of(member.seen))
    is_error = member.result.outcome == "error"
    result = "fits" if member.fits else "error" if is_error else "unschedulable"
    row |= {"result": result, "message": member.result.message if is_error else None}
    if member.fault:
        row["permit"] = "Error"
    if member.permitted is not None:
        row["permit"] = "Success" if member.permitted else "Wait"
    return row
