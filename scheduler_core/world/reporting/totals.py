"""Sums over the pods and nodes of a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray

Totals = dict[tuple[str, str], int]
"""Sums over pods and nodes: of "nodes", those that are "cordoned", and "pods"; "allocatable" (what of it is
"closed": on cordoned nodes) and "requested" by resource, pods that are "pending" by the scheduler that they
ask for, "left out" by what they are with. Sums of nothing are left out, but for those of nodes and pods."""


def totals_of(state: ClusterState, left_out: Mapping[str, int]) -> Totals:
    """Return the sums over a cluster as it is; `left_out` counts pods by what they are with."""
    nodes, pods = state.nodes, state.pods
    closed = nodes.unschedulable
    placed = np.zeros(len(pods), dtype=np.bool_)
    waiting: Counter[str] = Counter()
    for row, info in enumerate(pods.infos):
        if row in state.gone.values:
            continue
        if state.node_of(row):
            placed[row] = True
        elif not pods.is_terminating(row):
            waiting[info.scheduler_name] += 1
    totals = {
        ("nodes", ""): len(nodes),
        ("cordoned", ""): int(closed.sum()),
        ("pods", ""): len(pods) - len(state.gone.values),
    }
    totals |= _sums("allocatable", nodes.resources.names, nodes.allocatable)
    totals |= _sums("closed", nodes.resources.names, nodes.allocatable, closed)
    totals |= _sums("requested", pods.resources.names, pods.requests, placed)
    totals |= {("pending", scheduler): number for scheduler, number in sorted(waiting.items())}
    return totals | {("left out", how): number for how, number in left_out.items()}


def _sums(what: str, names: list[str], amounts: IntArray, of: BoolArray | None = None) -> Totals:
    """Return the sums of amounts, shape (rows, resources), by resource; `of` says which rows count."""
    summed = amounts.sum(axis=0) if of is None else amounts[of].sum(axis=0)
    return {(what, name): amount for name, amount in zip(names, summed.tolist(), strict=True) if amount}
