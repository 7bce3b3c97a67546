"""Preemption of 1.8 to 1.13: victims on every potential node, and which node is taken.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.9 to v1.13 pkg/scheduler core/generic_scheduler.go
selectVictimsOnNode, filterPodsWithPDBViolation, pickOneNodeForPreemption.
"""

from collections.abc import Callable
from itertools import chain

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.go.quick_sort import STABLE_UP_TO, go_quick_sort
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.preemption.budgets import covered_places
from scheduler_core.kube.preemption.costs import Costs
from scheduler_core.kube.preemption.dry_run import DryRuns, play
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray

Violations = Callable[[ClusterState, IntArray], BoolArray]
"""Which pods' eviction would violate a budget, shape (pods,)."""


class ReleaseRuns(DryRuns):
    """A dry run in which a node that fits without the pods of lower priority is a candidate."""

    @property
    def candidates(self) -> IntArray:
        return np.flatnonzero(self.first.fits[self.nodes])

    def rejection(self, run: int) -> Status | None:
        return self.first.status(int(self.nodes[run]))

    def rejections(self) -> list[tuple[Status, int]]:
        return [(status, len(nodes)) for status, nodes in self.first.groups()]

    def victims(self, run: int) -> list[int]:
        members = self.members(run)
        victims: list[int] = self.pods[members][self.condemned[members]].tolist()
        return victims


def no_budgets(state: ClusterState, pods: IntArray) -> BoolArray:
    """1.8 knows no budgets."""
    return np.zeros(len(pods), dtype=np.bool_)


def exhausted_budgets(state: ClusterState, pods: IntArray) -> BoolArray:
    """1.9 to 1.13: every pod of a budget that allows nothing now; nothing is counted down."""
    flags = np.zeros(len(pods), dtype=np.bool_)
    for budget, places in covered_places(state, pods):
        if budget.allowed <= 0:
            flags[places] = True
    return flags


def dry_run(room: Room, preemptor: int, nodes: IntArray, violations: Violations) -> ReleaseRuns:
    """Return for each potential node what preemption would do there."""
    state = room.plain.cluster
    owner, pods = _lower(state, preemptor, nodes)
    return play(ReleaseRuns, room, nodes, owner, pods, violations(state, pods), visited=nodes)


def _lower(state: ClusterState, preemptor: int, nodes: IntArray) -> tuple[IntArray, IntArray]:
    """Return (run, pod) of every pod of lower priority, run after run, sorted as Go did then."""
    priority = state.pods.priority
    node_pods = state.node_pods
    lists = [node_pods[node] for node in nodes.tolist()]
    owner = np.repeat(np.arange(len(lists)), [len(members) for members in lists])
    pods = np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=len(owner))
    lower = priority[pods] < priority[preemptor]
    owner, in_list_order = owner[lower], pods[lower]
    order = np.lexsort((np.arange(len(owner)), -priority[in_list_order], owner))
    pods = in_list_order[order]
    tied = (owner[1:] == owner[:-1]) & (priority[pods[1:]] == priority[pods[:-1]])
    many = np.bincount(owner, minlength=len(lists)) > STABLE_UP_TO
    for run in np.unique(owner[1:][tied & many[owner[1:]]]).tolist():
        mine: list[int] = in_list_order[owner == run].tolist()
        go_quick_sort(mine, lambda left, right: bool(priority[left] > priority[right]))
        pods[owner == run] = mine
    return owner, pods


def costs_by_first_victim(runs: DryRuns) -> Costs:
    """Return what each run costs; the first victim's priority stands for the highest, whatever it is."""
    costs = runs.costs
    highest = costs.highest_priority.copy()
    condemned = np.flatnonzero(runs.condemned)
    owners, first = np.unique(runs.owner[condemned], return_index=True)
    highest[owners] = runs.state.pods.priority[runs.pods[condemned[first]]]
    return costs._replace(highest_priority=highest)
