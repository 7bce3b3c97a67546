"""The cycle of a group: its members one after the other, each on top of those before.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scheduler_core.kube.attempt_by_node import attempt_in_full
from scheduler_core.kube.framework import UNSCHEDULABLE
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.pod_groups.groups import Groups, topology_key_of
from scheduler_core.kube.pod_groups.listed_nodes import ListedNodes
from scheduler_core.kube.pod_groups.placement_scores import placement_scores
from scheduler_core.kube.pod_groups.preemption import GroupPreemption, preempt_for_group
from scheduler_core.kube.pod_groups.tries import UNSCHEDULABLE_GROUP, MemberTry, PlacementTry
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer
from scheduler_core.kube.profile import Profile
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

WAITING_FOR_PREEMPTION = "pod group is waiting for preemption to complete"
_OF_ANOTHER = "failed to schedule other pod from a pod group"
_BY_PLACEMENT = "not eligible due to placement-based pod group scheduling limitation"
_BY_GROUP = "not eligible due to workload aware preemption enabled"


@dataclass(eq=False)
class GroupCycle:
    """What a group's cycle came to: all placements that were tried and the one that counts.

    `search_from` is where the next search for feasible nodes begins.
    """

    key: GroupKey
    pods: list[int]
    placements: list[PlacementTry]
    chosen: PlacementTry
    scores: dict[str, dict[str, int]] = field(default_factory=dict)
    best: list[str] = field(default_factory=list)
    preemption: GroupPreemption | None = None
    search_from: int = 0


class _Ineligible(DefaultPreemption):
    """DefaultPreemption of a member of a group that doesn't preempt by itself."""

    reason = ""

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        return PostFilterAnswer(UNSCHEDULABLE, f"preemption: {self.reason}", None, None)


class _ByPlacement(_Ineligible):
    reason = _BY_PLACEMENT


class _ByGroup(_Ineligible):
    reason = _BY_GROUP


def run_cycle(
    profile: Profile, groups: Groups, key: GroupKey, pods: Sequence[int], start: int = 0
) -> GroupCycle:
    """Try a group's members, in their order; change nothing.

    `start` is where the first search for feasible nodes begins, if not all are scored.
    """
    groups.search_from = start
    cycle = _run_cycle(profile, groups, key, pods)
    cycle.search_from = groups.search_from
    return cycle


def _run_cycle(profile: Profile, groups: Groups, key: GroupKey, pods: Sequence[int]) -> GroupCycle:
    group, gates = groups.by_key.get(key), groups.gates
    mine, groups.listed = _profile_of(profile, groups, key), ListedNodes(groups.state)
    found = _placements(mine, groups, key) if group is not None or not gates.placements else missing(key)
    if isinstance(found, str):
        nothing = PlacementTry(error=found)
        return GroupCycle(key, list(pods), [], nothing)
    if not found:
        nothing = PlacementTry(said=["no feasible placements found"])
        return GroupCycle(key, list(pods), [], nothing)
    tried: list[PlacementTry] = []
    for placement in found:
        try_placement(mine, groups, key, pods, placement)
        tried.append(placement)
        if placement.error:
            return GroupCycle(key, list(pods), tried, placement)
    cycle = _choose(mine, groups, key, pods, tried)
    chosen = cycle.chosen
    if gates.preempts_for_groups and not (chosen.fits or chosen.error or chosen.waits):
        _preempt(mine, groups, key, cycle)
    return cycle


def _preempt(profile: Profile, groups: Groups, key: GroupKey, cycle: GroupCycle) -> None:
    """Try whether evictions make room for the whole group, and note what comes of it.

    Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go runWorkloadAwarePreemption.
    """
    group, chosen = groups.by_key.get(key), cycle.chosen
    if not any(isinstance(plugin, DefaultPreemption) for plugin in profile.post_filters):
        chosen.said.append(
            "default preemption plugin is not registered, workload aware preemption is disabled"
        )
    elif group is None:
        chosen.error = f"failed to get pod group object: {missing(key)}"
    elif topology_key_of(group) is not None:
        chosen.said.append(
            "workload aware preemption is not supported for pod groups with scheduling constraints"
        )
    else:
        quiet = replace(profile, post_filters=[])

        def fits() -> bool:
            trial = PlacementTry()
            try_placement(quiet, groups, key, cycle.pods, trial)
            return trial.fits

        cycle.preemption = preempt_for_group(groups.state, groups, key, cycle.pods, fits)
        if cycle.preemption.succeeds:
            chosen.waits = True
        else:
            chosen.said.append(", ".join(cycle.preemption.reasons))


def _profile_of(profile: Profile, groups: Groups, key: GroupKey) -> Profile:
    """Return the profile with the preemption that members of this group have."""
    group = groups.by_key.get(key)
    if groups.gates.placements and group is not None and group.spec.scheduling_constraints is not None:
        other: type[_Ineligible] = _ByPlacement
    elif groups.gates.preempts_for_groups:
        other = _ByGroup
    else:
        return profile
    plugins = [
        other(plugin.args, plugin.gates) if isinstance(plugin, DefaultPreemption) else plugin
        for plugin in profile.post_filters
    ]
    return replace(profile, post_filters=plugins)


def _placements(profile: Profile, groups: Groups, key: GroupKey) -> list[PlacementTry] | str:
    """Return the placements of a group, by name; or why they can't be told."""
    by_topology = groups.gates.placements and profile.placements.generates
    topology = topology_key_of(groups.by_key.get(key)) if by_topology else None
    if topology is None:
        return [PlacementTry()]
    nodes = groups.state.nodes
    domain: str | None = None
    for pod in groups.placed(key):
        name, on = groups.state.pods.infos[pod].key, groups.state.node_of(pod)
        unknown = "cannot determine domain for already scheduled pods"
        if on not in nodes.index:
            return f'{unknown}: getting node for pod {name}: nodeinfo not found for node name "{on}"'
        labels = nodes.objects[nodes.index[on]].metadata.labels or {}
        if topology not in labels:
            return f"{unknown}: no topology domain found for pod {name}"
        if domain not in (None, labels[topology]):
            return f"{unknown}: more than 1 domain found for pod group: {domain}, {labels[topology]}"
        domain = labels[topology]
    found: dict[str, list[str]] = {}
    for node in nodes.objects:
        value = (node.metadata.labels or {}).get(topology)
        if value is not None and domain in (None, value):
            found.setdefault(value, []).append(node.metadata.name)
    return [PlacementTry(name, names) for name, names in sorted(found.items())]


def try_placement(
    profile: Profile,
    groups: Groups,
    key: GroupKey,
    pods: Sequence[int],
    placement: PlacementTry,
) -> None:
    """Try the members on the placement's nodes, each where those before are; change nothing else.

    The queue forgets the nomination of a pod that is put onto a node, and has it back once the placement is
    taken back.

    Source: kubernetes v1.36 pkg/scheduler/schedule_one.go assume, unreserveAndForget.
    """
    state = groups.state
    mark = state.mark()
    try:
        for pod in pods if groups.loses_nominations else ():
            drop_nomination(groups, pod)
        _try_members(profile, groups, key, pods, placement)
    finally:
        state.undo_to(mark)
        groups.listed.forget()


def _try_members(
    profile: Profile,
    groups: Groups,
    key: GroupKey,
    pods: Sequence[int],
    placement: PlacementTry,
) -> None:
    state, needs_preemption, within = groups.state, False, _rows(groups.state, placement.nodes)
    for pod in pods:
        before = state.nominated[pod]
        result = groups.try_member(profile, pod, within)
        seen = None
        if groups.tells or placement.nodes is not None:
            seen, result.known = attempt_in_full(result, 0, before), result.figures
        member = MemberTry(pod, result, seen)
        placement.members.append(member)
        if result.outcome == "error":
            placement.error = f"{_OF_ANOTHER}: {result.message}"
            placement.fits = placement.waits = False
            return
        if result.outcome == "scheduled":
            assert result.chosen is not None
            member.node = state.nodes.names[result.chosen]
        elif result.outcome == "nominated":
            member.node = result.nominate or ""
        if not member.node:
            continue
        drop_nomination(groups, pod)
        state.bind(pod, state.nodes.index[member.node])
        groups.listed.note(pod, state.nodes.index[member.node])
        needs_preemption = needs_preemption or member.needs_preemption
        if groups.gates.gangs and key not in groups.by_key:
            member.fault = _not_permitted(key)
            placement.error = f"{_OF_ANOTHER}: {member.fault}"
            placement.fits = placement.waits = False
            return
        member.permitted = groups.permits(key)
        if member.permitted and needs_preemption:
            placement.fits, placement.waits = False, True
            placement.said = [UNSCHEDULABLE_GROUP, WAITING_FOR_PREEMPTION]
        elif member.permitted:
            placement.fits = True


def _rows(state: ClusterState, names: Sequence[str] | None) -> IntArray | None:
    """Return the rows of nodes, None for all."""
    if names is None or len(names) == len(state.nodes):
        return None
    return np.array(sorted(state.nodes.index[name] for name in names), dtype=np.int64)


def missing(key: GroupKey) -> str:
    """Return how the API server says that a group is not there."""
    return f'podgroup.scheduling.k8s.io "{key[1]}" not found'


def _not_permitted(key: GroupKey) -> str:
    """Return Permit's error about a member of a group that is not there any more."""
    failed = f"failed to get podGroup {'/'.join(key)}: {missing(key)}"
    return f'running Permit plugin "GangScheduling": {failed}'


def drop_nomination(groups: Groups, pod: int) -> None:
    """Let the queue forget where a pod is nominated; its status keeps it."""
    nominations, node = groups.state.nominations, groups.state.nominated[pod]
    if pod in nominations.orders.get(node, ()):
        nominations.take_out(node, pod)


def _choose(
    profile: Profile, groups: Groups, key: GroupKey, pods: Sequence[int], tried: list[PlacementTry]
) -> GroupCycle:
    """Return the cycle with the placement that counts: the only one that works, or the best of several."""
    working = [placement for placement in tried if placement.fits or placement.waits]
    if len(working) > 1:
        scores = placement_scores(profile.placements, groups, key, working)
        highest = max(row["total"] for row in scores.values())
        best = [name for name, row in scores.items() if row["total"] == highest]
        chosen = next(placement for placement in working if placement.name == best[0])
        return GroupCycle(key, list(pods), tried, chosen, scores, best)
    if working:
        return GroupCycle(key, list(pods), tried, working[0])
    first = tried[0]
    if groups.gates.placements:
        said = f"0/{len(tried)} placements are available, first placement status: {first.said[0]}"
        first.said = [said]
    return GroupCycle(key, list(pods), tried, first)
