"""LeastRequestedPriority and BalancedResourceAllocation: by cpu and memory, the pod included.

A container without a request counts as 100m and 200 MiB.

Source: kubernetes v1.8 to v1.13 algorithm/priorities least_requested.go, balanced_resource_allocation.go.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.go.arithmetic import go_divide
from scheduler_core.kube.framework import Cycle, ScorePlugin
from scheduler_core.state.nodes import IntArray

MAX_PRIORITY = 10


def _used(cycle: Cycle, nodes: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Return (requested with the pod, capacity) of cpu and of memory on each of `nodes`."""
    scored, state = cycle.pod.scored_requests, cycle.state
    column = state.nodes.resources.column
    return [
        (state.non_zero_cpu[nodes] + scored.get("cpu", 0), state.nodes.allocatable[nodes, column["cpu"]]),
        (
            state.non_zero_memory[nodes] + scored.get("memory", 0),
            state.nodes.allocatable[nodes, column["memory"]],
        ),
    ]


class LeastRequestedPriority(ScorePlugin):
    """The free share of cpu and of memory, each cut to an integer, and their mean."""

    name = "LeastRequestedPriority"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        total = np.zeros(len(nodes), dtype=np.int64)
        for requested, capacity in _used(cycle, nodes):
            fits = (capacity != 0) & (requested <= capacity)
            free = (capacity - requested) * MAX_PRIORITY
            total += np.where(fits, go_divide(free, np.where(fits, capacity, 1)), 0)
        return go_divide(total, 2)


class BalancedResourceAllocation(ScorePlugin):
    """How near the used shares of cpu and memory are to each other; 0 where one is used up."""

    name = "BalancedResourceAllocation"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        cpu, memory = (_share(requested, capacity) for requested, capacity in _used(cycle, nodes))
        score = ((1 - np.abs(cpu - memory)) * float(MAX_PRIORITY)).astype(np.int64)
        return np.where((cpu >= 1) | (memory >= 1), 0, score)


def _share(requested: IntArray, capacity: IntArray) -> NDArray[np.float64]:
    share: NDArray[np.float64] = np.where(
        capacity == 0, 1.0, requested / np.where(capacity == 0, 1, capacity)
    )
    return share
