"""NodePorts: a host port can be taken once on a node.

A node knows which ports are taken, not how often: where two pods hold the same port, the first one that
goes frees it, as in the real scheduler.

Source: kubernetes v1.36 plugins/nodeports; kube-scheduler v0.36 framework HostPortInfo.
"""

from dataclasses import dataclass

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    FilterState,
    PreFilterAnswer,
    View,
)
from scheduler_core.objects.host_ports import HostPort, conflicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray


@dataclass
class _TakenPorts(FilterState):
    """The ports that exclude one that the pod wants: who holds each, and on which nodes it is taken.

    `holders[i]` has shape (pods,), `taken[i]` shape (nodes,).
    """

    holders: list[BoolArray]
    taken: list[BoolArray]

    def copy(self) -> "_TakenPorts":
        return _TakenPorts(self.holders, [taken.copy() for taken in self.taken])

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for holders, taken in zip(self.holders, self.taken, strict=True):
            taken[nodes[holders[pods]]] = sign > 0


class NodePorts(FilterPlugin):
    """Filter: skipped for pods without host ports."""

    name = "NodePorts"
    reads_pods = True

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        wanted = cycle.pod.host_ports
        if not wanted:
            return SKIP
        state = cycle.state
        excluding = sorted(
            port for port in state.pods.port_holders if any(conflicts(want, port) for want in wanted)
        )
        return _TakenPorts(
            [_mask(len(state.pods), state.pods.port_holders[port]) for port in excluding],
            [_taken_on(state, port) for port in excluding],
        )

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _TakenPorts)
        rejected = np.zeros(len(nodes), dtype=np.bool_)
        for taken in state.taken:
            rejected |= taken[nodes]
        return rejected.astype(np.int64)

    def status(self, cycle: Cycle, code: int) -> Status:
        return Status(
            self.name, UNSCHEDULABLE, ["node(s) didn't have free ports for the requested pod ports"]
        )


def _taken_on(state: ClusterState, port: HostPort) -> BoolArray:
    return _mask(len(state.nodes), state.taken_ports.rows(port))


def _mask(length: int, rows: list[int]) -> BoolArray:
    mask = np.zeros(length, dtype=np.bool_)
    mask[rows] = True
    return mask
