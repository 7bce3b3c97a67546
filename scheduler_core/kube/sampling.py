"""percentageOfNodesToScore: looking for enough feasible nodes only, from where the last attempt ended.

Above 100 nodes the real scheduler stops filtering once it has found a share of them, and the next attempt
begins where this one stopped. A plugin's error ends the search as well. With one worker (as here) both are
deterministic; the real default is sixteen.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go numFeasibleNodesToFind, findNodesThatPassFilters.
"""

import numpy as np

from scheduler_core.state.nodes import BoolArray, IntArray

ALL_NODES = 100
_ALWAYS_ALL_BELOW = 100
_LEAST_PERCENTAGE = 5


def nodes_to_find(percentage: int, nodes: int) -> int:
    """Return after how many feasible nodes the search ends; percentage 0 adapts to the number of nodes."""
    if nodes < _ALWAYS_ALL_BELOW:
        return nodes
    if percentage == 0:
        percentage = max(50 - nodes // 125, _LEAST_PERCENTAGE)
    return max(nodes * percentage // 100, _ALWAYS_ALL_BELOW)


def next_start(start: int, searched: int, nodes: int) -> int:
    """Return where the next search begins, after one from `start` that has searched so many of the nodes."""
    return (start + searched) % max(1, nodes)


def cut(
    order: IntArray, start: int, fits: BoolArray, errors: BoolArray, enough: int
) -> tuple[IntArray, IntArray]:
    """Return (visited, feasible) when the search goes through `order` from place `start`.

    It ends at the first node with an error, and at the first feasible node beyond `enough`, which is visited
    and left out.
    """
    turned = order
    if len(order):
        begin = start % len(order)
        turned = np.concatenate((order[begin:], order[:begin]))
    found, failed = fits[turned].nonzero()[0], errors[turned].nonzero()[0]
    ends = [found[enough : enough + 1], failed[:1]]
    last = min((int(end[0]) for end in ends if len(end)), default=len(order))
    visited = turned[: last + 1]
    return visited, visited[fits[visited]][:enough]
