"""NodePorts: a host port can be taken once on a node.

Source: kubernetes v1.36 plugins/nodeports, pkg/scheduler/util.GetHostPorts; kube-scheduler v0.36
framework HostPortInfo.CheckConflict.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from scheduler_core.events import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    FilterState,
    PreFilterAnswer,
    View,
)
from scheduler_core.objects.types import Pod
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodTable

HostPort = tuple[str, str, int]
"""Address, protocol and port."""
_ANY_ADDRESS = "0.0.0.0"  # noqa: S104 (compared with, never bound to)


def host_ports(pod: Pod) -> tuple[HostPort, ...]:
    """Return the host ports of containers and sidecars."""
    sidecars = [c for c in pod.spec.init_containers or () if c.restart_policy == "Always"]
    return tuple(
        (port.host_ip or _ANY_ADDRESS, port.protocol or "TCP", port.host_port)
        for container in [*sidecars, *(pod.spec.containers or ())]
        for port in container.ports or ()
        if port.host_port is not None and port.host_port > 0
    )


@lru_cache(maxsize=65_536)
def conflict(wanted: tuple[HostPort, ...], used: tuple[HostPort, ...]) -> bool:
    """Return whether any wanted port is among the used ones; 0.0.0.0 stands for every address."""
    return any(
        protocol == other_protocol
        and port == other_port
        and (address == other_address or _ANY_ADDRESS in (address, other_address))
        for address, protocol, port in wanted
        for other_address, other_protocol, other_port in used
    )


@dataclass
class _Conflicts(FilterState):
    """How many pods on each node hold a port that the pod wants, shape (nodes,)."""

    conflicting: BoolArray
    counts: IntArray

    def copy(self) -> "_Conflicts":
        return _Conflicts(self.conflicting, self.counts.copy())

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        np.add.at(self.counts, nodes, sign * self.conflicting[pods].astype(np.int64))


class NodePorts(FilterPlugin):
    """Filter: skipped for pods without host ports."""

    name = "NodePorts"
    reads_pods = True

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        wanted = host_ports(cycle.pod.pod)
        if not wanted:
            return SKIP
        conflicting = _conflicting(cycle.state.pods, wanted)
        node = cycle.state.pod_node
        counts = np.bincount(node[conflicting & (node >= 0)], minlength=len(cycle.state.nodes))
        return _Conflicts(conflicting, counts.astype(np.int64))

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Conflicts)
        return (state.counts[nodes] > 0).astype(np.int64)

    def status(self, cycle: Cycle, code: int) -> Status:
        return Status(
            self.name, UNSCHEDULABLE, ["node(s) didn't have free ports for the requested pod ports"]
        )


def _conflicting(pods: PodTable, wanted: tuple[HostPort, ...]) -> BoolArray:
    answers = (conflict(wanted, host_ports(info.pod)) for info in pods.infos)
    return np.fromiter(answers, dtype=np.bool_, count=len(pods))
