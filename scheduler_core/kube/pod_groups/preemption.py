"""Preemption for a group as a whole: all who are less important go, and come back as far as they can.

Source: kubernetes v1.36 framework/preemption/podgrouppreemption.go, types.go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scheduler_core.events.decisions import Code
from scheduler_core.kube.framework import UNRESOLVABLE, UNSCHEDULABLE
from scheduler_core.kube.pod_groups.groups import WHOLE, Groups, group_of
from scheduler_core.objects import selectors
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.state.cluster import ClusterState

_NEVER = "not eligible due to preemptionPolicy=Never."
_NO_VICTIMS = "No preemption victims found for incoming preemptor"


@dataclass
class GroupPreemption:
    """What came of it; on success `victims` are to go, of whom `violating` are guarded by a budget."""

    succeeds: bool
    code: Code | str = "Success"
    reasons: list[str] = field(default_factory=list)
    victims: list[int] = field(default_factory=list)
    violating: frozenset[int] = frozenset()


@dataclass(eq=False)
class _Unit:
    """A pod, or the pods of a group that go and stay as one."""

    pods: list[int]
    priority: int
    is_of_group: bool
    start: int

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        """Orders units, the most important first."""
        size = len(self.pods) if self.is_of_group else 0
        return (-self.priority, not self.is_of_group, -size, self.start)


def preempt_for_group(
    state: ClusterState, groups: Groups, key: GroupKey, pods: Sequence[int], fits: Callable[[], bool]
) -> GroupPreemption:
    """Return whom the group would evict; `fits` says whether it fits as things stand. Change nothing."""
    if any(state.pods.infos[pod].pod.spec.preemption_policy == "Never" for pod in pods):
        return GroupPreemption(False, UNSCHEDULABLE, [_NEVER])
    priority = groups.by_key[key].spec.priority or 0
    units = [unit for unit in _units(state, groups) if unit.priority < priority]
    if not units:
        return GroupPreemption(False, UNRESOLVABLE, [_NO_VICTIMS])
    mark = state.mark()
    try:
        nodes = {pod: state.node_of(pod) for unit in units for pod in unit.pods}
        for unit in units:
            _take_away(groups, unit)
        if not fits():
            return GroupPreemption(False, UNSCHEDULABLE, ["pod group is unschedulable"])
        units.sort(key=lambda unit: unit.rank)
        violating, others = _by_budgets(state, units)
        gone = [unit for unit in [*violating, *others] if not _comes_back(groups, unit, nodes, fits)]
    finally:
        state.undo_to(mark)
        groups.away.clear()
    gone.sort(key=lambda unit: unit.rank)
    guarded = frozenset(pod for unit in gone if unit in violating for pod in unit.pods)
    return GroupPreemption(True, victims=[pod for unit in gone for pod in unit.pods], violating=guarded)


def _units(state: ClusterState, groups: Groups) -> list[_Unit]:
    """Return who may go, in the order of nodes and of their pods."""
    found: list[_Unit] = []
    wholes: dict[GroupKey, _Unit] = {}
    for pods in state.node_pods:
        for pod in pods:
            info = state.pods.infos[pod]
            group, key = groups.of(info), group_of(info)
            start = int(state.pods.start_time[pod])
            if group is None or key is None or group.spec.disruption_mode != WHOLE:
                found.append(_Unit([pod], info.priority, key is not None, start))
            elif key in wholes:
                wholes[key].pods.append(pod)
            else:
                wholes[key] = _Unit([pod], group.spec.priority or 0, True, start)
                found.append(wholes[key])
    return found


def _take_away(groups: Groups, unit: _Unit) -> None:
    """Take a unit away; to Permit its pods still are where they were."""
    for pod in unit.pods:
        groups.state.unbind(pod)
    groups.away.update(unit.pods)


def _comes_back(groups: Groups, unit: _Unit, nodes: dict[int, str], fits: Callable[[], bool]) -> bool:
    """Bring a unit back, unless the group then doesn't fit any more; return whether it came."""
    state = groups.state
    for pod in unit.pods:
        state.bind(pod, state.nodes.index[nodes[pod]])
    groups.away.difference_update(unit.pods)
    if fits():
        return True
    _take_away(groups, unit)
    return False


def _by_budgets(state: ClusterState, units: Sequence[_Unit]) -> tuple[list[_Unit], list[_Unit]]:
    """Return the units that would violate a budget, and the others; each keeps its order."""
    allowed = [budget.allowed for budget in state.budgets]
    violating: list[_Unit] = []
    others: list[_Unit] = []
    for unit in units:
        is_violating = any(_violates(state, pod, allowed) for pod in unit.pods)
        (violating if is_violating else others).append(unit)
    return violating, others


def _violates(state: ClusterState, pod: int, allowed: list[int]) -> bool:
    """Return whether a budget has nothing left for the pod, counting it; an empty selector covers nobody."""
    info = state.pods.infos[pod]
    if not info.labels:
        return False
    for place, budget in enumerate(state.budgets):
        if budget.namespace != info.namespace or not budget.selector:
            continue
        if not selectors.matches(budget.selector, info.labels) or info.name in budget.disrupted_pods:
            continue
        allowed[place] -= 1
        if allowed[place] < 0:
            return True
    return False
