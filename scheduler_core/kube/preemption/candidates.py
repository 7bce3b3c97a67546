"""Which candidate node a preemption takes: one criterion after the other, until one node is left.

Source: kubernetes v1.36 pkg/scheduler/framework/preemption pickOneNodeForPreemption,
pkg/scheduler/util GetEarliestPodStartTime.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from scheduler_core.events.decisions import Candidate, Criterion, Status
from scheduler_core.kube.preemption.costs import Costs
from scheduler_core.kube.preemption.dry_run import ReprieveStep
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray

CRITERIA: tuple[Criterion, ...] = (
    "pdb_violations",
    "highest_priority",
    "priority_sum",
    "victim_count",
    "earliest_start",
)
BY_NAME = len(CRITERIA)
"""Where a candidate lost that equals the winner by every criterion."""


class Contest(Protocol):
    """Nodes among which one is chosen, shape (runs,): those of the dry run, or what extenders left of it."""

    @property
    def state(self) -> ClusterState:
        """The cluster."""

    @property
    def nodes(self) -> IntArray:
        """The node of each run, shape (runs,)."""

    @property
    def candidates(self) -> IntArray:
        """The runs that take part, shape (candidates,)."""

    @property
    def costs(self) -> Costs:
        """What each run costs."""

    @property
    def described(self) -> dict[int, Candidate]:
        """What the log says of candidates, by node, as far as somebody has asked."""

    def victims(self, run: int) -> list[int]:
        """Return whom a run costs."""

    def removed(self, run: int) -> list[int]:
        """Return all pods of which `violates_of` speaks."""

    def violates_of(self, run: int) -> list[bool]:
        """Return for each of these pods whether its loss would violate a budget."""


class Runs(Contest, Protocol):
    """Dry runs on the potential nodes, also on those that are no candidates."""

    def rejection(self, run: int) -> Status | None:
        """Return why the run's node is no candidate; None for a candidate."""

    def rejections(self) -> list[tuple[Status, int]]:
        """Return why nodes are no candidates, each reason with the number of its nodes."""

    def violations(self, run: int) -> int:
        """Return how many of the run's victims would violate a budget."""

    def steps(self, run: int) -> list[ReprieveStep]:
        """Return what happened to each pod when it was put back."""


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
