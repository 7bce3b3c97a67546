"""What extenders make of a dry run: they see its candidates, and answer with nodes and victims of their own.

Source: kubernetes v1.36 pkg/scheduler/framework/preemption callExtenders, pickOneNodeForPreemption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events.decisions import Candidate
from scheduler_core.kube.extenders.extender import Victims
from scheduler_core.kube.preemption.candidates import Runs
from scheduler_core.kube.preemption.costs import PRIORITY_OFFSET, Costs
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray


@dataclass
class Left:
    """The candidates that extenders left, shape (runs,), with their victims by row."""

    state: ClusterState
    nodes: IntArray
    pods: list[list[int]]
    pdb_violations: list[int]
    described: dict[int, Candidate] = field(default_factory=dict)

    @property
    def candidates(self) -> IntArray:
        """All of them."""
        return np.arange(len(self.nodes), dtype=np.int64)

    @property
    def costs(self) -> Costs:
        """What each candidate costs; the first victim's priority stands for the highest."""
        priority, start = self.state.pods.priority, self.state.pods.start_time
        earliest = []
        for pods in self.pods:
            highest = max(int(priority[pod]) for pod in pods)
            earliest.append(min(int(start[pod]) for pod in pods if priority[pod] == highest))
        return Costs(
            np.array(self.pdb_violations, dtype=np.int64),
            np.array([priority[pods[0]] for pods in self.pods], dtype=np.int64),
            np.array([sum(int(priority[pod]) + PRIORITY_OFFSET for pod in pods) for pods in self.pods]),
            np.array([len(pods) for pods in self.pods], dtype=np.int64),
            np.array(earliest, dtype=np.int64),
        )

    def victims(self, run: int) -> list[int]:
        """Return whom the node costs, in the order of the answer, which may name somebody twice."""
        return self.pods[run]

    def removed(self, run: int) -> list[int]:
        """Return the victims: of others nothing is known."""
        return self.victims(run)

    def violates_of(self, run: int) -> list[bool]:
        """Return false for each victim: extenders say only how many violate a budget."""
        return [False] * len(self.victims(run))


def sent(runs: Runs) -> dict[str, Victims]:
    """Return the dry run's candidates as extenders are told of them."""
    infos, names = runs.state.pods.infos, runs.state.nodes.names
    return {
        names[int(runs.nodes[run])]: Victims(
            [infos[pod].uid for pod in runs.victims(run)], runs.violations(run)
        )
        for run in runs.candidates.tolist()
    }


def left_of(state: ClusterState, answer: Mapping[str, Victims]) -> Left:
    """Return the candidates that extenders left."""
    nodes = sorted(answer)
    return Left(
        state,
        np.array([state.nodes.index[node] for node in nodes], dtype=np.int64),
        [[state.pods.by_uid[uid] for uid in answer[node].pods] for node in nodes],
        [answer[node].pdb_violations for node in nodes],
    )
