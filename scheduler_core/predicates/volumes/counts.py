"""How many volumes of the incoming pod's drivers each node has, and how many the pod would add.

A node's volumes are those that its pods mount, each once, and the attached ones that no pod of it mounts.

Source: kubernetes v1.36 plugins/nodevolumelimits csi.go (Filter).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.handles import HandleIndex
from scheduler_core.predicates.volumes.topology import VolumeTopology
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

NO_LIMIT = -1
_NO_COLUMN = -1
_NODE_SHIFT = 32
_VOLUME_MASK = (1 << _NODE_SHIFT) - 1


@dataclass(frozen=True)
class _Mounted:
    """What is mounted and attached outside of any trial, as sorted keys of (node, volume).

    `column[volume]` is the place of the volume's driver among those counted; `times` says how many pods
    mount each of `keys`; `wanted` are the incoming pod's volumes.
    """

    column: IntArray
    wanted: frozenset[int]
    keys: IntArray
    times: IntArray
    attached: IntArray

    def mounts(self, key: int) -> int:
        """Return how many pods of a node mount a volume."""
        place = int(np.searchsorted(self.keys, key))
        return int(self.times[place]) if place < len(self.keys) and self.keys[place] == key else 0

    def is_attached(self, key: int) -> bool:
        """Return whether a volume is attached to a node, mounted or not."""
        place = int(np.searchsorted(self.attached, key))
        return place < len(self.attached) and bool(self.attached[place] == key)


@dataclass(frozen=True)
class VolumeCounts(FilterState):
    """The counts that Filter compares, shape (nodes, drivers) each.

    `used` are the node's volumes, `missing` those that the incoming pod would add, `limits` NO_LIMIT where
    there is none. `faulty` names the pods of a node whose volumes cannot be counted.
    """

    index: HandleIndex
    drivers: list[str]
    limits: IntArray
    used: IntArray
    missing: IntArray
    faulty: dict[int, list[int]]
    mounted: _Mounted
    changed: dict[int, int]

    def copy(self) -> VolumeCounts:
        return replace(
            self,
            used=self.used.copy(),
            missing=self.missing.copy(),
            faulty={node: list(pods) for node, pods in self.faulty.items()},
            changed=dict(self.changed),
        )

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for node, pod in zip(nodes.tolist(), pods.tolist(), strict=True) if self.drivers else ():
            if pod in self.index.faults:
                self._note_faulty(node, pod, sign)
            for volume in self.index.of_pod.get(pod, ()):
                self._mount(node, volume, sign)

    def _note_faulty(self, node: int, pod: int, sign: int) -> None:
        members = self.faulty.setdefault(node, [])
        if sign > 0:
            members.append(pod)
        else:
            members.remove(pod)

    def _mount(self, node: int, volume: int, sign: int) -> None:
        column = int(self.mounted.column[volume])
        if column == _NO_COLUMN:
            return
        key = node << _NODE_SHIFT | volume
        before = self.changed[key] if key in self.changed else self.mounted.mounts(key)
        self.changed[key] = before + sign
        if (before > 0) == (before + sign > 0):
            return
        if not self.mounted.is_attached(key):
            self.used[node, column] += sign
        if volume in self.mounted.wanted:
            self.missing[node, column] -= sign


def count_volumes(
    state: ClusterState,
    index: HandleIndex,
    topology: VolumeTopology,
    wanted: tuple[int, ...],
    limits_of: Callable[[str], IntArray],
) -> VolumeCounts:
    """Count what is mounted and attached of the drivers of the incoming pod's volumes.

    `limits_of` returns the limits of a driver, shape (nodes,).
    """
    numbers = sorted({int(index.driver_of[volume]) for volume in wanted})
    drivers = [list(index.drivers)[number] for number in numbers]
    column_of_driver = np.full(len(index.drivers), _NO_COLUMN, dtype=np.int64)
    column_of_driver[numbers] = np.arange(len(numbers))
    mounted = _mounted(state, index, column_of_driver[index.driver_of], wanted)
    column, nodes = mounted.column, len(topology.nodes)
    used, missing = np.zeros((2, nodes, len(numbers)), dtype=np.int64)
    owners, volumes = _parts(np.union1d(mounted.keys, mounted.attached))
    np.add.at(used, (owners, column[volumes]), 1)
    for volume in wanted:
        missing[:, column[volume]] += 1
    owners, volumes = _parts(mounted.keys[np.isin(mounted.keys & _VOLUME_MASK, wanted)])
    np.add.at(missing, (owners, column[volumes]), -1)
    faulty = _faulty_pods(state, index) if wanted else {}
    limits = np.full((nodes, len(drivers)), NO_LIMIT, dtype=np.int64)
    for place, driver in enumerate(drivers):
        limits[:, place] = limits_of(driver)
    return VolumeCounts(index, drivers, limits, used, missing, faulty, mounted, {})


def _mounted(state: ClusterState, index: HandleIndex, column: IntArray, wanted: tuple[int, ...]) -> _Mounted:
    pods, volumes = index.mounts[:, 0], index.mounts[:, 1]
    nodes = state.pod_node[pods]
    counted = (nodes >= 0) & (column[volumes] != _NO_COLUMN)
    keys, times = np.unique(nodes[counted] << _NODE_SHIFT | volumes[counted], return_counts=True)
    attached = index.attached[column[index.attached[:, 1]] != _NO_COLUMN]
    attached_keys = np.unique(attached[:, 0] << _NODE_SHIFT | attached[:, 1])
    return _Mounted(column, frozenset(wanted), keys, times.astype(np.int64), attached_keys)


def _parts(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the nodes and the volumes of keys."""
    return keys >> _NODE_SHIFT, keys & _VOLUME_MASK


def _faulty_pods(state: ClusterState, index: HandleIndex) -> dict[int, list[int]]:
    faulty: dict[int, list[int]] = {}
    for pod in index.faults:
        node = int(state.pod_node[pod])
        if node >= 0:
            faulty.setdefault(node, []).append(pod)
    return faulty
