"""Disks that count against a node's limit: those of the incoming pod, and those that each node's pods have.

A disk is known by a name; what the names are, and which pods have which, is the caller's rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

DisksOf = Callable[[int], Iterable[str]]
"""Returns the disks of a pod, by its row."""


@dataclass
class HeldDisks(FilterState):
    """`wanted` are the incoming pod's disks; `held` says of each node how many of its pods have which."""

    disks_of: DisksOf
    wanted: frozenset[str]
    held: dict[int, Counter[str]]

    def copy(self) -> HeldDisks:
        return replace(self, held={node: counts.copy() for node, counts in self.held.items()})

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for node, pod in zip(nodes.tolist(), pods.tolist(), strict=True):
            counts = self.held.setdefault(node, Counter())
            for disk in self.disks_of(pod):
                counts[disk] += sign

    def names_on(self, node: int) -> set[str]:
        """Return the disks of a node's pods."""
        return {disk for disk, pods in self.held.get(node, Counter()).items() if pods > 0}

    def numbers(self, nodes: IntArray) -> IntArray:
        """Return how many disks each of the nodes would have with the pod, shape (nodes,)."""
        numbers = [len(self.names_on(node) | self.wanted) for node in nodes.tolist()]
        return np.array(numbers, dtype=np.int64)


def held_disks(state: ClusterState, wanted: Iterable[str], disks_of: DisksOf) -> HeldDisks:
    """Look at the pods of all nodes; at none where the incoming pod wants no disk."""
    found = HeldDisks(disks_of, frozenset(wanted), {})
    if found.wanted:
        for row, node in enumerate(state.pod_node.tolist()):
            if node >= 0:
                found.held.setdefault(node, Counter()).update(disks_of(row))
    return found
