"""The figures behind an answer about resources."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scheduler_core.events.explanation import Figure
from scheduler_core.objects.amounts.quantity import counts_bytes
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

AmountAsked = tuple[str, int, int]


@dataclass(frozen=True)
class Wanted:
    """How much of a resource a pod asks for, and what there is of it: `free` and `size` of shape (nodes,).

    `reason` is what is said of a node that has too little.
    """

    reason: str
    what: str
    asked: int
    free: IntArray
    size: IntArray

    @cached_property
    def missing(self) -> NDArray[np.float64]:
        """How much of what is asked for each node lacks, from 0 to 1, or more where it is overcommitted."""
        short = np.maximum(self.asked - self.free.astype(np.float64), 0.0)
        return short / max(self.asked, 1)

    def at(self, node: int) -> Figure:
        """Return the figures of one node."""
        return figure(self.what, self.asked, int(self.free[node]), int(self.size[node]))


def wanted_of(
    state: ClusterState,
    requested: IntArray,
    pod_count: IntArray,
    asked: Iterable[tuple[str, AmountAsked]],
    pods: str,
) -> list[Wanted]:
    """Return the same of all nodes, for one more pod and for each (name, column, amount) with its reason.

    `pods` is the reason of a node that has pods enough; the other arguments are those of `room_figures`.
    """
    limit = state.nodes.pod_limit
    found = [Wanted(pods, "pods", 1, limit - pod_count, limit)]
    for reason, (name, column, amount) in asked:
        size = state.nodes.allocatable[:, column]
        found.append(Wanted(reason, name, int(amount), size - requested[:, column], size))
    return found


def room_figures(
    state: ClusterState, requested: IntArray, pod_count: IntArray, node: int, asked: Iterable[AmountAsked]
) -> list[Figure]:
    """Return the figures of one more pod on a node, and of each (name, column, amount) that it asks for.

    `requested` and `pod_count` are what counts as taken on the nodes.
    """
    limit = int(state.nodes.pod_limit[node])
    figures = [figure("pods", 1, limit - int(pod_count[node]), limit)]
    for name, column, amount in asked:
        size = int(state.nodes.allocatable[node, column])
        figures.append(figure(name, int(amount), size - int(requested[node, column]), size))
    return figures


def figure(name: str, asked: int, free: int, size: int) -> Figure:
    """Return the figures behind an answer about one resource."""
    unit = "m" if name == "cpu" else "bytes" if counts_bytes(name) else ""
    return Figure(name, asked, free, unit, size)
