"""DefaultPreemption: which node, and whom it costs.

The dry run goes over all potential nodes at once: every pod of lower priority is taken away, then the
nodes' pods are put back side by side, the most important first, and stay where the preemptor still fits.

Source: kubernetes v1.36 plugins/defaultpreemption, pkg/scheduler/framework/preemption/preemption.go,
pkg/scheduler/util MoreImportantPod and GetEarliestPodStartTime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events import Criterion, Status
from scheduler_core.kube.budgets import violating
from scheduler_core.kube.framework import UNRESOLVABLE
from scheduler_core.kube.go_sort import go_sort
from scheduler_core.kube.nominated import Room
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import NO_START_TIME

NO_VICTIMS = Status("", UNRESOLVABLE, ["No preemption victims found for incoming pod"])
NOT_HELPFUL = Status("", UNRESOLVABLE, ["Preemption is not helpful for scheduling"])
_STABLE_UP_TO = 12
_PRIORITY_OFFSET = 1 << 31


@dataclass
class ReprieveStep:
    """One pod put back: `rejection` is null where it stays, else why it is a victim."""

    pod: int
    violates_budget: bool
    rejection: Status | None


@dataclass
class DryRun:
    """What the dry run found on one node.

    `victims` and `violations` where it is a candidate, otherwise `rejection`. `removed` are the pods of lower
    priority, in the order in which they were put back.
    """

    node: int
    removed: list[int]
    steps: list[ReprieveStep] = field(default_factory=list)
    victims: list[int] = field(default_factory=list)
    violations: int = 0
    rejection: Status | None = None


def more_important(state: ClusterState) -> Callable[[int, int], bool]:
    """Return the order of pods: higher priority, then earlier start.

    A pod without a start time counts as started when it is looked at: of two such pods the one that is
    asked about first is always the more important.
    """
    priority, start = state.pods.priority, state.pods.start_time

    def less(left: int, right: int) -> bool:
        if priority[left] != priority[right]:
            return bool(priority[left] > priority[right])
        if start[left] == NO_START_TIME and start[right] == NO_START_TIME:
            return True
        return bool(start[left] < start[right])

    return less


def dry_run(room: Room, preemptor: int, nodes: IntArray) -> list[DryRun]:
    """Return for each potential node what preemption would do there, in the order of `nodes`."""
    state = room.plain.cluster
    removed = {int(node): _potential_victims(state, preemptor, int(node)) for node in nodes}
    with_victims = np.array([node for node, pods in removed.items() if pods], dtype=np.int64)
    trial = room.trial()
    owners = np.array([node for node, pods in removed.items() for _ in pods], dtype=np.int64)
    members = np.array([pod for pods in removed.values() for pod in pods], dtype=np.int64)
    trial.update(owners, members, -1)
    verdicts = trial.filter(with_victims)
    runs = {node: DryRun(node, pods) for node, pods in removed.items()}
    for node, run in runs.items():
        run.rejection = verdicts.status(node) if run.removed else NO_VICTIMS
    _reprieve(trial, [run for run in runs.values() if run.rejection is None])
    return list(runs.values())


def _potential_victims(state: ClusterState, preemptor: int, node: int) -> list[int]:
    """Return the node's pods of lower priority, the most important first."""
    members = state.node_pods[node]
    priority = state.pods.priority
    limit = priority[preemptor]
    lower = [pod for pod in members if priority[pod] < limit]
    return sort_by_importance(state, lower)


def sort_by_importance(state: ClusterState, pods: list[int]) -> list[int]:
    """Return the pods as Go's sort leaves them, equals included."""
    priority, start = state.pods.priority, state.pods.start_time
    keys = {pod: (-int(priority[pod]), int(start[pod])) for pod in pods}
    distinct = len(set(keys.values())) == len(pods)
    unknown = any(key[1] == NO_START_TIME for key in keys.values())
    if distinct or (len(pods) <= _STABLE_UP_TO and not unknown):
        return sorted(pods, key=keys.__getitem__)
    result = list(pods)
    go_sort(result, more_important(state))
    return result


def _reprieve(trial: Room, runs: list[DryRun]) -> None:
    """Put pods back, those whose loss would violate a budget first; who makes it unfit is a victim."""
    state = trial.plain.cluster
    order: list[list[tuple[int, bool]]] = []
    flags = violating(state, [run.removed for run in runs])
    for run, flagged in zip(runs, flags, strict=True):
        first = [(pod, True) for pod, flag in zip(run.removed, flagged, strict=True) if flag]
        rest = [(pod, False) for pod, flag in zip(run.removed, flagged, strict=True) if not flag]
        order.append(first + rest)
        run.removed = [pod for pod, _ in order[-1]]
    for turn in range(max(map(len, order), default=0)):
        active = [place for place, pods in enumerate(order) if turn < len(pods)]
        nodes = np.array([runs[place].node for place in active], dtype=np.int64)
        pods = np.array([order[place][turn][0] for place in active], dtype=np.int64)
        trial.update(nodes, pods, 1)
        verdicts = trial.filter(nodes, pods_only=True)
        for place in active:
            pod, flag = order[place][turn]
            runs[place].steps.append(ReprieveStep(pod, flag, verdicts.status(runs[place].node)))
        rejected = verdicts.rejected[nodes]
        trial.update(nodes[rejected], pods[rejected], -1)
    for run in runs:
        _collect_victims(state, run)


def _collect_victims(state: ClusterState, run: DryRun) -> None:
    condemned = [step for step in run.steps if step.rejection is not None]
    run.victims = [step.pod for step in condemned]
    run.violations = sum(step.violates_budget for step in condemned)
    groups = {step.violates_budget for step in run.steps}
    if len(groups) == 2:
        run.victims = sort_by_importance(state, run.victims)
    if not run.victims:
        run.rejection = Status(
            "", "Error", [f'expected at least one victim pod on node "{_name(state, run)}"']
        )


def _name(state: ClusterState, run: DryRun) -> str:
    return state.nodes.names[run.node]


CRITERIA: tuple[Criterion, ...] = (
    "pdb_violations",
    "highest_priority",
    "priority_sum",
    "victim_count",
    "earliest_start",
)


@dataclass
class Costs:
    """Every criterion of every candidate, shape (candidates,); `earliest_start` in nanoseconds."""

    pdb_violations: IntArray
    highest_priority: IntArray
    priority_sum: IntArray
    victim_count: IntArray
    earliest_start: IntArray

    def values(self, criterion: Criterion) -> IntArray:
        """Return one criterion so that less is better."""
        values: IntArray = getattr(self, criterion)
        return -values if criterion == "earliest_start" else values


def costs_of(state: ClusterState, candidates: list[DryRun]) -> Costs:
    """Return what each candidate costs by every criterion."""
    priority, start = state.pods.priority, state.pods.start_time

    def earliest(run: DryRun) -> int:
        highest = max(int(priority[pod]) for pod in run.victims)
        return min(int(start[pod]) for pod in run.victims if priority[pod] == highest)

    def column(values: Iterable[int]) -> IntArray:
        return np.array(list(values), dtype=np.int64)

    return Costs(
        column(run.violations for run in candidates),
        column(int(priority[run.victims[0]]) for run in candidates),
        column(sum(int(priority[pod]) + _PRIORITY_OFFSET for pod in run.victims) for run in candidates),
        column(len(run.victims) for run in candidates),
        column(earliest(run) for run in candidates),
    )


def pick(state: ClusterState, candidates: list[DryRun], costs: Costs) -> tuple[list[int], list[Criterion]]:
    """Return the equals after all criteria, as places in `candidates` by name, and where each one lost.

    The second list has one entry a candidate, "name" for the equals.
    """
    left: BoolArray = np.ones(len(candidates), dtype=np.bool_)
    lost: list[Criterion] = ["name"] * len(candidates)
    for criterion in CRITERIA:
        if left.sum() == 1:
            break
        values = costs.values(criterion)
        worse = left & (values != values[left].min())
        for place in np.flatnonzero(worse).tolist():
            lost[place] = criterion
        left = left & ~worse
    best = sorted(np.flatnonzero(left).tolist(), key=lambda place: _name(state, candidates[place]))
    return best, lost
