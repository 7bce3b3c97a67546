"""NodeVolumeLimits: a node holds so many volumes of a CSI driver and no more.

Counted are the volumes of the node's pods, each once, and the attached ones that no pod of the node mounts.
The incoming pod's volumes count unless a pod of the node mounts them already, even if they are attached.

Source: kubernetes v1.36 plugins/nodevolumelimits csi.go.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.events import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    FilterState,
    PreFilterAnswer,
    View,
)
from scheduler_core.kube.plugins import volume_claims
from scheduler_core.kube.plugins.volume_handles import (
    HandleIndex,
    MissingClaim,
    VolumeError,
    counts_for_limits,
    handles_of,
)
from scheduler_core.kube.plugins.volume_topology import TopologyCache, VolumeTopology
from scheduler_core.state.nodes import BoolArray, IntArray

_TOO_MANY, _MISSING_CLAIM, _ERROR, _RUNNING_POD = 1, 2, 3, 4
NO_LIMIT = -1


@dataclass
class _Incoming:
    """The incoming pod's volumes by driver, or why they cannot be counted.

    `everywhere` is whether the fault shows on every node, else on those with a CSINode.
    """

    volumes: tuple[int, ...] = ()
    fault: VolumeError | None = None
    everywhere: bool = False


@dataclass
class _Counts(FilterState):
    """What is mounted where.

    `mounts[node, volume]` is how many pods mount a volume, where it differs from `base`; `used` and
    `missing` (nodes, drivers) count the node's volumes and those that the incoming pod would add.
    """

    index: HandleIndex
    drivers: list[int]
    column: dict[int, int]
    wanted: frozenset[int]
    limits: IntArray
    base: tuple[IntArray, IntArray]
    attached: frozenset[int]
    used: IntArray
    missing: IntArray
    faulty: dict[int, list[int]]
    changed: dict[int, int]

    def copy(self) -> "_Counts":
        return _Counts(
            self.index,
            self.drivers,
            self.column,
            self.wanted,
            self.limits,
            self.base,
            self.attached,
            self.used.copy(),
            self.missing.copy(),
            {node: list(pods) for node, pods in self.faulty.items()},
            dict(self.changed),
        )

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        if not self.drivers:
            return
        for node, pod in zip(nodes.tolist(), pods.tolist(), strict=True):
            if pod in self.index.faults:
                members = self.faulty.setdefault(node, [])
                members.append(pod) if sign > 0 else members.remove(pod)
            for volume in self.index.of_pod.get(pod, ()):
                self._mount(node, volume, sign)

    def _mount(self, node: int, volume: int, sign: int) -> None:
        column = self.column.get(volume)
        if column is None:
            return
        key = _key(node, volume)
        before = self._mounts(key)
        self.changed[key] = before + sign
        if (before > 0) == (before + sign > 0):
            return
        if key not in self.attached:
            self.used[node, column] += sign
        if volume in self.wanted:
            self.missing[node, column] -= sign

    def _mounts(self, key: int) -> int:
        if key in self.changed:
            return self.changed[key]
        keys, counts = self.base
        place = int(np.searchsorted(keys, key))
        return int(counts[place]) if place < len(keys) and keys[place] == key else 0


_NODE_SHIFT = 32


def _key(node: int, volume: int) -> int:
    return node << _NODE_SHIFT | volume


class NodeVolumeLimits(FilterPlugin):
    """Filter: skipped for pods whose volumes no CSI driver could have attached."""

    name = "NodeVolumeLimits"
    reads_pods = True

    def __init__(self, args: dict[str, Any] | None = None) -> None:
        super().__init__(args)
        self._topologies = TopologyCache()
        self._index: HandleIndex | None = None

    def _handles(self, topology: VolumeTopology) -> HandleIndex:
        """Return the index of this cluster's volumes, a new one for another cluster."""
        known = self._index
        if known is None or known.nodes is not topology.nodes or known.volumes is not topology.volumes:
            known = self._index = HandleIndex(topology.nodes, topology.volumes)
        return known

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        if not counts_for_limits(cycle.pod.pod):
            return SKIP
        topology = self._topologies.of(cycle.state.nodes, cycle.state.volumes)
        index = self._handles(topology)
        index.extend(cycle.state.pods.infos)
        incoming = _incoming(cycle, index)
        cycle.scratch[self.name] = incoming
        return _count(cycle, index, topology, incoming)

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Counts)
        incoming: _Incoming = view.cycle.scratch[self.name]
        codes = np.zeros(len(nodes), dtype=np.int64)
        if incoming.fault is not None:
            missing = isinstance(incoming.fault, MissingClaim)
            faulty = self._faulty_nodes(view, incoming)[nodes]
            codes[faulty] = _MISSING_CLAIM if missing else _ERROR
            return codes
        limits, missing_here = state.limits[nodes], state.missing[nodes]
        over = (limits != NO_LIMIT) & (missing_here > 0) & (state.used[nodes] + missing_here > limits)
        codes[over.any(axis=1)] = _TOO_MANY
        self._report_faulty_pods(state, nodes, codes)
        return codes

    def _faulty_nodes(self, view: View, incoming: _Incoming) -> BoolArray:
        if incoming.everywhere:
            return np.ones(len(view.cluster.nodes), dtype=np.bool_)
        return self._topologies.of(view.cluster.nodes, view.cluster.volumes).has_csi_node

    def _report_faulty_pods(self, state: _Counts, nodes: IntArray, codes: IntArray) -> None:
        """A running pod whose volumes cannot be counted is an error where the node has any limit."""
        for place, node in enumerate(nodes.tolist() if state.faulty else ()):
            if state.faulty.get(node) and self._has_limits(state, node):
                codes[place] = _RUNNING_POD + state.faulty[node][0]

    def _has_limits(self, state: _Counts, node: int) -> bool:
        limits = self._topologies.of(state.index.nodes, state.index.volumes).limits
        return any(column[node] != NO_LIMIT for column in limits.values())

    def status(self, cycle: Cycle, code: int) -> Status:
        incoming: _Incoming = cycle.scratch[self.name]
        if code == _TOO_MANY:
            return volume_claims.rejection(self.name, UNSCHEDULABLE, "node(s) exceed max volume count")
        if code == _MISSING_CLAIM:
            return volume_claims.rejection(self.name, UNRESOLVABLE, str(incoming.fault))
        if code == _ERROR or self._index is None:
            return volume_claims.filter_error(self.name, str(incoming.fault))
        return volume_claims.filter_error(self.name, self._index.faults[code - _RUNNING_POD])

    def numbers(self, view: View, node: int) -> list[dict[str, Any]]:
        state = view.states[self.name]
        assert isinstance(state, _Counts)
        names = list(state.index.drivers)
        return [
            {
                "what": f"volumes of {names[driver]}",
                "asked": int(state.missing[node, place]),
                "free": int(state.limits[node, place] - state.used[node, place]),
                "unit": "volumes",
            }
            for place, driver in enumerate(state.drivers)
            if state.limits[node, place] != NO_LIMIT
        ]


def _incoming(cycle: Cycle, index: HandleIndex) -> _Incoming:
    pod, namespace, volumes = cycle.pod.pod, cycle.pod.namespace, cycle.state.volumes
    try:
        handles_of(pod, namespace, volumes, incoming=True, migrated=False)
    except VolumeError as error:
        return _Incoming(fault=error, everywhere=True)
    try:
        handles = handles_of(pod, namespace, volumes, incoming=True, migrated=True)
    except VolumeError as error:
        return _Incoming(fault=error)
    return _Incoming(index.intern(sorted(handles)))


def _count(cycle: Cycle, index: HandleIndex, topology: VolumeTopology, incoming: _Incoming) -> _Counts:
    """Count what is mounted and attached of the drivers of the incoming pod's volumes."""
    driver_of = index.driver_of
    drivers = sorted({int(driver_of[volume]) for volume in incoming.volumes})
    column = {
        volume: drivers.index(int(driver)) for volume, driver in enumerate(driver_of) if driver in drivers
    }
    nodes, pod_node = len(topology.nodes), cycle.state.pod_node
    names = list(index.drivers)
    no_limit = np.full(nodes, NO_LIMIT, dtype=np.int64)
    limits = [topology.limits.get(names[driver], no_limit) for driver in drivers]
    mounted = np.array(
        [
            _key(int(pod_node[pod]), volume)
            for pod, volumes in (index.of_pod.items() if drivers else ())
            if pod_node[pod] >= 0
            for volume in volumes
            if volume in column
        ],
        dtype=np.int64,
    )
    base = np.unique(mounted, return_counts=True)
    attached = {_key(node, volume) for node, volume in index.attached.tolist() if volume in column}
    used = np.zeros((nodes, len(drivers)), dtype=np.int64)
    missing = np.zeros((nodes, len(drivers)), dtype=np.int64)
    for volume in incoming.volumes:
        missing[:, column[volume]] += 1
    wanted = frozenset(incoming.volumes)
    for key in base[0].tolist():
        node, volume = key >> _NODE_SHIFT, key & ((1 << _NODE_SHIFT) - 1)
        missing[node, column[volume]] -= volume in wanted
    for key in attached.union(base[0].tolist()):
        used[key >> _NODE_SHIFT, column[key & ((1 << _NODE_SHIFT) - 1)]] += 1
    faulty: dict[int, list[int]] = {}
    for pod in index.faults if incoming.volumes else ():
        if pod_node[pod] >= 0:
            faulty.setdefault(int(pod_node[pod]), []).append(pod)
    return _Counts(
        index,
        drivers,
        column,
        wanted,
        np.stack(limits, axis=1) if limits else np.zeros((nodes, 0), dtype=np.int64),
        base,
        frozenset(attached),
        used,
        missing,
        faulty,
        {},
    )
