"""On which nodes a host port that a pod wants is taken.

A node knows which ports are taken, not how often: where two pods hold the same port, the first one that
goes frees it, as in the real scheduler.

Source: kube-scheduler v0.36 framework HostPortInfo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.objects.host_ports import HostPort, conflicts
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray


@dataclass
class TakenPorts(FilterState):
    """The ports that exclude one that the pod wants: who holds each, and on which nodes it is taken.

    `holders[i]` has shape (pods,), `taken[i]` and `promised[i]` shape (nodes,). A nominated pod takes its
    port after all others: who goes frees what is taken, but nothing that is promised.
    """

    holders: list[BoolArray]
    taken: list[BoolArray]
    promised: list[BoolArray]

    def copy(self) -> TakenPorts:
        taken, promised = ([mask.copy() for mask in masks] for masks in (self.taken, self.promised))
        return TakenPorts(self.holders, taken, promised)

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for holders, taken in zip(self.holders, self.taken, strict=True):
            taken[nodes[holders[pods]]] = sign > 0

    def promise(self, nodes: IntArray, pods: IntArray) -> None:
        for holders, promised in zip(self.holders, self.promised, strict=True):
            promised[nodes[holders[pods]]] = True

    def exclude(self, nodes: IntArray) -> IntArray:
        """Return 1 for those of `nodes` on which one of the ports is taken, else 0: what a filter answers."""
        excluded = np.zeros(len(nodes), dtype=np.bool_)
        for mask in (*self.taken, *self.promised):
            excluded |= mask[nodes]
        return excluded.astype(np.int64)


def taken_ports(state: ClusterState, wanted: Sequence[HostPort]) -> TakenPorts:
    """Return who and what stands against the wanted ports."""
    excluding = sorted(
        port for port in state.pods.port_holders if any(conflicts(want, port) for want in wanted)
    )
    return TakenPorts(
        [_mask(len(state.pods), state.pods.port_holders[port]) for port in excluding],
        [_mask(len(state.nodes), state.taken_ports.rows(port)) for port in excluding],
        [_mask(len(state.nodes), []) for _ in excluding],
    )


def _mask(length: int, rows: list[int]) -> BoolArray:
    mask = np.zeros(length, dtype=np.bool_)
    mask[rows] = True
    return mask
