"""Which candidate node a preemption takes: one criterion after the other, until one node is left.

Source: kubernetes v1.36 pkg/scheduler/framework/preemption pickOneNodeForPreemption,
pkg/scheduler/util GetEarliestPodStartTime.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scheduler_core.events.decisions import Criterion
from scheduler_core.kube.preemption.dry_run import DryRuns
from scheduler_core.objects.timestamps import NANOSECONDS_END, unix_nano
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import NO_START_TIME

CRITERIA: tuple[Criterion, ...] = (
    "pdb_violations",
    "highest_priority",
    "priority_sum",
    "victim_count",
    "earliest_start",
)
BY_NAME = len(CRITERIA)
"""Where a candidate lost that equals the winner by every criterion."""
PRIORITY_OFFSET = 1 << 31


class Contest(Protocol):
    """Nodes among which one is chosen, shape (runs,): those of the dry run, or what extenders left of it."""

    state: ClusterState
    nodes: IntArray

    @property
    def candidates(self) -> IntArray:
        """The runs that take part, shape (candidates,)."""

    def victims(self, run: int) -> list[int]:
        """Return whom a run costs."""

    def removed(self, run: int) -> list[int]:
        """Return all pods of which `violates_of` speaks."""

    def violates_of(self, run: int) -> list[bool]:
        """Return for each of these pods whether its loss would violate a budget."""


@dataclass(frozen=True)
class Costs:
    """Every criterion of every run, shape (runs,); only those of candidates mean something.

    `earliest_start` is that of the victims of the highest priority, in nanoseconds.
    """

    pdb_violations: IntArray
    highest_priority: IntArray
    priority_sum: IntArray
    victim_count: IntArray
    earliest_start: IntArray

    def values(self, criterion: Criterion) -> IntArray:
        """Return one criterion so that less is better."""
        values: IntArray = getattr(self, criterion)
        return ~_unix_nanos(values) if criterion == "earliest_start" else values


def _unix_nanos(moments: IntArray) -> IntArray:
    """Return what kube-scheduler compares: it orders pods by time, but nodes by a time that wraps around."""
    counted = moments.copy()
    far = (moments < -NANOSECONDS_END) | (moments >= NANOSECONDS_END)
    for place in np.flatnonzero(far & (moments != NO_START_TIME)).tolist():
        counted[place] = unix_nano(int(moments[place]))
    return counted


def costs_of(runs: DryRuns) -> Costs:
    """Return what each run costs by every criterion."""
    number = len(runs.nodes)
    owner, pods = runs.owner[runs.condemned], runs.pods[runs.condemned]
    priority, start = runs.state.pods.priority[pods], runs.state.pods.start_time[pods]
    highest = np.full(number, np.iinfo(np.int64).min, dtype=np.int64)
    np.maximum.at(highest, owner, priority)
    sums = np.zeros(number, dtype=np.int64)
    np.add.at(sums, owner, priority + PRIORITY_OFFSET)
    earliest = np.full(number, NO_START_TIME, dtype=np.int64)
    of_highest = priority == highest[owner]
    np.minimum.at(earliest, owner[of_highest], start[of_highest])
    return Costs(
        np.bincount(owner[runs.violates[runs.condemned]], minlength=number),
        highest,
        sums,
        np.bincount(owner, minlength=number),
        earliest,
    )


def pick(
    runs: Contest, candidates: IntArray, costs: Costs, criteria: Sequence[Criterion] = CRITERIA
) -> tuple[list[int], IntArray]:
    """Return the equals after all criteria, by name, and where each run lost, shape (runs,).

    That is a place in CRITERIA, or BY_NAME; only those of candidates mean something.
    """
    left: BoolArray = np.ones(len(candidates), dtype=np.bool_)
    lost = np.full(len(runs.nodes), BY_NAME, dtype=np.int64)
    for criterion in criteria:
        if left.sum() == 1:
            break
        values = costs.values(criterion)[candidates]
        worse = left & (values != values[left].min())
        lost[candidates[worse]] = CRITERIA.index(criterion)
        left = left & ~worse
    equals = candidates[left]
    best: list[int] = equals[np.argsort(runs.state.nodes.name_rank[runs.nodes[equals]])].tolist()
    return best, lost
