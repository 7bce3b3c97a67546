"""DefaultPreemption's dry run: what evicting pods of lower priority would do on every potential node.

It goes over all nodes at once: every pod of lower priority is taken away, then the nodes' pods are put back
side by side, those first whose loss would violate a budget, then the others, both from the most important
on. Who makes the preemptor unfit again is a victim.

Source: kubernetes v1.36 plugins/defaultpreemption SelectVictimsOnNode, pkg/scheduler/util MoreImportantPod.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, compress
from typing import TypeVar

import numpy as np

from scheduler_core.events.decisions import Candidate, Status
from scheduler_core.go.sort import go_sort
from scheduler_core.kube.extenders.panel import no_victim
from scheduler_core.kube.framework import UNRESOLVABLE
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.preemption.budgets import violating
from scheduler_core.kube.preemption.costs import Costs, costs_of
from scheduler_core.kube.preemption.reprieve import reprieve
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import NO_START_TIME

NO_VICTIMS = Status("", UNRESOLVABLE, ["No preemption victims found for incoming pod"])
NOT_HELPFUL = Status("", UNRESOLVABLE, ["Preemption is not helpful for scheduling"])
_STABLE_UP_TO = 12
_NO_RUN = -1


@dataclass(frozen=True)
class ReprieveStep:
    """One pod put back: `rejection` is null where it stays, else why it is a victim."""

    pod: int
    violates_budget: bool
    rejection: Status | None


Importance = Callable[[ClusterState], Callable[[int, int], bool]]
"""Returns the order of pods: whether the first is the more important."""


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


@dataclass
class DryRuns:
    """The dry run on `nodes`, shape (runs,); all pods taken away lie in one list, node after node.

    `owner[i]` is the run of `pods[i]`; a run's pods lie in the order in which they were put back. `violates`
    marks those whose loss would violate a budget, `condemned` the victims, `plugin` and `code` why.
    """

    state: ClusterState
    nodes: IntArray
    owner: IntArray
    pods: IntArray
    violates: BoolArray
    condemned: BoolArray
    plugin: IntArray
    code: IntArray
    first: Verdicts
    described: dict[int, Candidate] = field(default_factory=dict)

    @staticmethod
    def importance(state: ClusterState) -> Callable[[int, int], bool]:
        """Return the order of pods that may be victims."""
        return more_important(state)

    @property
    def candidates(self) -> IntArray:
        """The runs that found victims, shape (candidates,)."""
        return np.flatnonzero(np.bincount(self.owner[self.condemned], minlength=len(self.nodes)) > 0)

    @property
    def costs(self) -> Costs:
        """What each run costs."""
        victims = self.condemned.nonzero()[0]
        owner, pods, violates = self.owner[victims], self.pods[victims], self.violates[victims]
        return costs_of(self.state, len(self.nodes), owner, pods, violates)

    def rejection(self, run: int) -> Status | None:
        """Return why the run's node is no candidate; None for a candidate."""
        members = self.members(run)
        if members.start == members.stop:
            return NO_VICTIMS
        status = self.first.status(int(self.nodes[run]))
        if status is None and not self.condemned[members].any():
            return self._no_victim_needed(run)
        return status

    def rejections(self) -> list[tuple[Status, int]]:
        """Return why nodes are no candidates, each reason with the number of its nodes."""
        counted = [(status, len(nodes)) for status, nodes in self.first.groups()]
        emptied = np.bincount(self.owner, minlength=len(self.nodes)) > 0
        condemned = np.bincount(self.owner[self.condemned], minlength=len(self.nodes)) > 0
        if not emptied.all():
            counted.append((NO_VICTIMS, int((~emptied).sum())))
        unneeded = np.flatnonzero(self.first.fits[self.nodes] & emptied & ~condemned)
        return counted + [(self._no_victim_needed(run), 1) for run in unneeded.tolist()]

    def _no_victim_needed(self, run: int) -> Status:
        return Status("", "Error", [no_victim(self.state.nodes.names[int(self.nodes[run])])])

    def violations(self, run: int) -> int:
        """Return how many of the run's victims would violate a budget."""
        members = self.members(run)
        return int(np.count_nonzero(self.violates[members] & self.condemned[members]))

    def victims(self, run: int) -> list[int]:
        """Return the run's victims in the scheduler's order."""
        members = self.members(run)
        victims = list(compress(self.pods[members].tolist(), self.condemned[members].tolist()))
        if self._any_violates and 0 < np.count_nonzero(self.violates[members]) < members.stop - members.start:
            return sort_by_importance(self.state, victims, type(self).importance)
        return victims

    @cached_property
    def _any_violates(self) -> bool:
        return bool(self.violates.any())

    def removed(self, run: int) -> list[int]:
        """Return the pods of lower priority, in the order in which they were put back."""
        pods: list[int] = self.pods[self.members(run)].tolist()
        return pods

    def violates_of(self, run: int) -> list[bool]:
        """Return for each removed pod whether its loss would violate a budget."""
        flags: list[bool] = self.violates[self.members(run)].tolist()
        return flags

    def steps(self, run: int) -> list[ReprieveStep]:
        """Return what happened to each pod when it was put back; none where the node failed without them."""
        if self.first.status(int(self.nodes[run])) is not None:
            return []
        members = self.members(run)
        return [
            ReprieveStep(int(self.pods[i]), bool(self.violates[i]), self._why(i))
            for i in range(members.start, members.stop)
        ]

    def _why(self, member: int) -> Status | None:
        if not self.condemned[member]:
            return None
        return self.first.status_of(int(self.plugin[member]), int(self.code[member]))

    def members(self, run: int) -> slice:
        """Return the places of the run's pods."""
        return slice(self._starts[run], self._starts[run + 1])

    @cached_property
    def _starts(self) -> list[int]:
        """The place of each run's first pod, and where the last run ends."""
        starts: list[int] = np.searchsorted(self.owner, np.arange(len(self.nodes) + 1)).tolist()
        return starts


Runs = TypeVar("Runs", bound=DryRuns)


def dry_run(kind: type[Runs], room: Room, preemptor: int, nodes: IntArray) -> Runs:
    """Return for each potential node what preemption would do there; a release has its `kind` of runs."""
    state = room.plain.cluster
    owner, pods = _potential_victims(state, preemptor, nodes, kind.importance)
    violates = violating(state, owner, pods)
    visited = nodes[np.flatnonzero(np.bincount(owner))]
    return play(kind, room, nodes, owner, pods, violates, visited)


def play(
    kind: type[Runs],
    room: Room,
    nodes: IntArray,
    owner: IntArray,
    pods: IntArray,
    violates: BoolArray,
    visited: IntArray,
) -> Runs:
    """Take the pods away, see which of the `visited` nodes fit then, and put the pods back one by one."""
    if violates.any():
        order = np.lexsort((np.arange(len(pods)), ~violates, owner))
        owner, pods, violates = owner[order], pods[order], violates[order]
    trial = room.trial()
    trial.update(nodes[owner], pods, -1)
    runs = kind(
        state=room.plain.cluster,
        nodes=nodes,
        owner=owner,
        pods=pods,
        violates=violates,
        condemned=np.zeros(len(pods), dtype=np.bool_),
        plugin=np.zeros(len(pods), dtype=np.int64),
        code=np.zeros(len(pods), dtype=np.int64),
        first=trial.filter(visited),
    )
    reprieve(trial, runs, runs.first.fits)
    return runs


def _potential_victims(
    state: ClusterState, preemptor: int, nodes: IntArray, importance: Importance
) -> tuple[IntArray, IntArray]:
    """Return (run, pod) of every pod of lower priority, run after run, the most important first."""
    table = state.pods
    # The last entry answers for pods without a node.
    run_of = np.full(len(state.nodes) + 1, _NO_RUN, dtype=np.int64)
    run_of[nodes] = np.arange(len(nodes))
    owner = run_of[state.pod_node]
    pods = ((table.priority < table.priority[preemptor]) & (owner != _NO_RUN)).nonzero()[0]
    owner = owner[pods]
    order = np.lexsort((table.start_time[pods], -table.priority[pods], owner))
    owner, pods = owner[order], pods[order]
    tied = _tied(state, owner, pods)
    runs = owner[1:][tied]
    if len(runs):
        # Their order among themselves is that of the nodes' lists.
        runs = runs[np.append(True, runs[1:] != runs[:-1])]
        among = np.zeros(len(nodes), dtype=np.bool_)
        among[runs] = True
        pods[among[owner]] = _listed_victims(state, preemptor, nodes[runs], importance)
    return owner, pods


def _listed_victims(state: ClusterState, preemptor: int, nodes: IntArray, importance: Importance) -> IntArray:
    """Return the pods of lower priority on these nodes, one node after the other, equals in their order."""
    node_pods = state.node_pods
    lists = [node_pods[node] for node in nodes.tolist()]
    owner = np.repeat(np.arange(len(lists)), [len(members) for members in lists])
    pods: IntArray = np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=len(owner))
    lower = state.pods.priority[pods] < state.pods.priority[preemptor]
    owner, pods = owner[lower], pods[lower]
    order = np.lexsort((np.arange(len(pods)), state.pods.start_time[pods], -state.pods.priority[pods], owner))
    in_list_order = pods
    pods = pods[order]
    for run in _unstable_runs(state, owner, pods):
        mine = owner == run
        pods[mine] = sort_by_importance(state, in_list_order[mine].tolist(), importance)
    return pods


def _tied(state: ClusterState, owner: IntArray, pods: IntArray) -> BoolArray:
    """Return which pods but the first equal the one before."""
    priority, start = state.pods.priority[pods], state.pods.start_time[pods]
    tied: BoolArray = (owner[1:] == owner[:-1]) & (priority[1:] == priority[:-1]) & (start[1:] == start[:-1])
    return tied


def _unstable_runs(state: ClusterState, owner: IntArray, pods: IntArray) -> list[int]:
    """Return the runs with equals whose order a stable sort would not give: many, or without start time."""
    equal, start = _tied(state, owner, pods), state.pods.start_time[pods]
    many = np.bincount(owner) > _STABLE_UP_TO if len(owner) else np.zeros(0, dtype=np.bool_)
    unknown = start[1:] == NO_START_TIME
    tied = owner[1:][equal & (unknown | many[owner[1:]])]
    runs: list[int] = np.unique(tied).tolist()
    return runs


def sort_by_importance(
    state: ClusterState, pods: list[int], importance: Importance = more_important
) -> list[int]:
    """Return the pods as Go's sort leaves them, equals included."""
    result = list(pods)
    go_sort(result, importance(state))
    return result
