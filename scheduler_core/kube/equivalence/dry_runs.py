"""Dry runs of preemption kept by node, for preemptors of one class.

A node's run hangs on the node, its pods and those nominated to it, on budgets, and on nothing else as long as
no filter of the class reads other nodes' pods.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scheduler_core.events.decisions import Candidate, Status
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.preemption.costs import Costs
from scheduler_core.kube.preemption.dry_run import NO_VICTIMS, DryRuns, ReprieveStep, dry_run
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo

_NONE = -1
_MOST_PARTS = 64


class KeptRuns:
    """The newest run on each node, wherever it was played. All columns have shape (nodes,).

    `part_of[node]` is the dry run that the node's newest run is a part of, `run_of[node]` its place there.
    """

    def __init__(self, state: ClusterState, kind: type[DryRuns]) -> None:
        nodes = len(state.nodes)
        self._kind = kind
        self.state = state
        self._parts: list[DryRuns] = []
        self.part_of: IntArray = np.full(nodes, _NONE, dtype=np.int64)
        self.run_of: IntArray = np.zeros(nodes, dtype=np.int64)
        self.wins: BoolArray = np.zeros(nodes, dtype=np.bool_)
        self.costs = Costs(*(np.zeros(nodes, dtype=np.int64) for _ in Costs._fields))
        self.described: dict[int, Candidate] = {}
        self._crowded: dict[int, list[PodInfo]] = {}
        """The pods that nodes were promised to when they were played, by node."""
        self._why: IntArray = np.zeros(nodes, dtype=np.int64)
        self._reasons: dict[tuple[str, str, tuple[str, ...]], int] = {}
        self._statuses: list[Status] = []

    def forget(self, nodes: Iterable[int]) -> None:
        """Drop the runs on nodes that were touched."""
        for node in nodes:
            self.part_of[node] = _NONE
            self.described.pop(node, None)

    def play(self, room: Room, preemptor: int, nodes: IntArray) -> PlayedRuns:
        """Return the runs on the potential nodes; those that are not known are played."""
        crowded: dict[int, list[PodInfo]] = {}
        for node, pod in zip(*(column.tolist() for column in room.nominated), strict=True):
            crowded.setdefault(node, []).append(self.state.pods.infos[pod])
        others = crowded.keys() | self._crowded.keys()
        self.forget(node for node in others if crowded.get(node) != self._crowded.get(node))
        self._crowded = crowded
        if len(self._parts) >= _MOST_PARTS:
            self._parts.clear()
            self.part_of[:] = _NONE
        unknown = nodes[self.part_of[nodes] == _NONE]
        if len(unknown):
            self._take(dry_run(self._kind, room, preemptor, unknown))
        return PlayedRuns(self, nodes)

    def _take(self, part: DryRuns) -> None:
        self.part_of[part.nodes] = len(self._parts)
        self.run_of[part.nodes] = np.arange(len(part.nodes))
        self._parts.append(part)
        self.wins[part.nodes] = False
        self.wins[part.nodes[part.candidates]] = True
        self._note_reasons(part)
        for column, values in zip(self.costs, part.costs, strict=True):
            column[part.nodes] = values
        for node in part.nodes.tolist() if self.described else ():
            self.described.pop(node, None)

    def newest(self, node: int) -> tuple[DryRuns, int]:
        """Return the dry run that has a node's newest run, and its place there."""
        return self._parts[self.part_of.item(node)], self.run_of.item(node)

    def _note_reasons(self, part: DryRuns) -> None:
        """Keep why nodes are no candidates."""
        emptied = np.bincount(part.owner, minlength=len(part.nodes)) > 0
        self._why[part.nodes[~emptied]] = self._reason(NO_VICTIMS)
        for status, nodes in part.first.groups():
            self._why[nodes] = self._reason(status)
        unneeded = emptied & part.first.fits[part.nodes] & ~self.wins[part.nodes]
        for run in np.flatnonzero(unneeded).tolist():
            error = part.rejection(run)
            assert error is not None
            self._why[part.nodes[run]] = self._reason(error)

    def _reason(self, status: Status) -> int:
        key = status.plugin, status.code, tuple(status.reasons)
        if key not in self._reasons:
            self._reasons[key] = len(self._statuses)
            self._statuses.append(status)
        return self._reasons[key]

    def rejections(self, losers: IntArray) -> list[tuple[Status, int]]:
        """Return why these nodes are no candidates, each reason with the number of its nodes."""
        numbers = np.bincount(self._why[losers], minlength=len(self._statuses)).tolist()
        return [(status, number) for status, number in zip(self._statuses, numbers, strict=True) if number]


@dataclass(frozen=True)
class PlayedRuns:
    """The kept runs on the potential nodes, good until the next ones are played."""

    kept: KeptRuns
    nodes: IntArray

    @property
    def state(self) -> ClusterState:
        """The cluster."""
        return self.kept.state

    @property
    def candidates(self) -> IntArray:
        """The runs that found victims, shape (candidates,)."""
        return np.flatnonzero(self.kept.wins[self.nodes])

    @property
    def costs(self) -> Costs:
        """What each run costs."""
        return Costs(*(column[self.nodes] for column in self.kept.costs))

    @property
    def described(self) -> dict[int, Candidate]:
        """What the log says of candidates, by node."""
        return self.kept.described

    def _newest(self, run: int) -> tuple[DryRuns, int]:
        return self.kept.newest(self.nodes.item(run))

    def victims(self, run: int) -> list[int]:
        """Return the run's victims in the scheduler's order."""
        part, place = self._newest(run)
        return part.victims(place)

    def removed(self, run: int) -> list[int]:
        """Return the pods of lower priority, in the order in which they were put back."""
        part, place = self._newest(run)
        return part.removed(place)

    def violates_of(self, run: int) -> list[bool]:
        """Return for each removed pod whether its loss would violate a budget."""
        part, place = self._newest(run)
        return part.violates_of(place)

    def violations(self, run: int) -> int:
        """Return how many of the run's victims would violate a budget."""
        part, place = self._newest(run)
        return part.violations(place)

    def steps(self, run: int) -> list[ReprieveStep]:
        """Return what happened to each pod when it was put back."""
        part, place = self._newest(run)
        return part.steps(place)

    def rejection(self, run: int) -> Status | None:
        """Return why the run's node is no candidate; None for a candidate."""
        part, place = self._newest(run)
        return part.rejection(place)

    def rejections(self) -> list[tuple[Status, int]]:
        """Return why nodes are no candidates, each reason with the number of its nodes."""
        losers = self.nodes[~self.kept.wins[self.nodes]]
        return self.kept.rejections(losers) if len(losers) else []
