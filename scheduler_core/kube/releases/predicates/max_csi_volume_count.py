"""MaxCSIVolumeCountPred: a node attaches so many volumes of a CSI driver, where it announces a limit.

Limits stand among what the node can allocate, and not in its CSINode. Volumes of claims that are not bound do
not count. A volume is known by its handle; here also by its driver's limit, so that volumes of two drivers
with one handle are two, where 1.13 takes them for one.

Source: kubernetes v1.13 pkg/scheduler/algorithm/predicates csi_volume_predicate.go; pkg/volume/util
GetCSIAttachLimitKey.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import partial

import numpy as np

from scheduler_core.kube.framework import SKIP, Cycle, PreFilterAnswer, Reads, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import MAX_VOLUME_COUNT, Wording
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.predicates.volumes.held_disks import HeldDisks, held_disks
from scheduler_core.predicates.volumes.topology import NOT_ANNOUNCED, TopologyCache, VolumeTopology
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

_PREFIX = "attachable-volumes-csi-"
_LONGEST_NAME = 63
_LETTERS_OF_DRIVER, _LETTERS_OF_HASH = 23, 16
_SEPARATOR = "\0"


def limit_of_driver(driver: str) -> str:
    """Return the resource as which a node announces the limit of a CSI driver's volumes."""
    if len(_PREFIX) + len(driver.encode()) < _LONGEST_NAME:
        return _PREFIX + driver
    hashed = hashlib.sha1(driver.encode(), usedforsecurity=False).hexdigest()
    return _PREFIX + driver[:_LETTERS_OF_DRIVER] + hashed[:_LETTERS_OF_HASH]


class MaxCSIVolumeCount(Predicate):
    """Skipped for pods without bound CSI volumes."""

    name = "MaxCSIVolumeCountPred"
    reads = Reads.PODS

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._topologies = TopologyCache()

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        volumes_of = partial(_volumes_of, cycle.state)
        wanted = volumes_of(cycle.pod.row)
        return held_disks(cycle.state, wanted, volumes_of) if wanted else SKIP

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        held = view.states[self.name]
        assert isinstance(held, HeldDisks)
        topology = self._topologies.of(view.cluster.nodes, view.cluster.volumes)
        answers = [_exceeds(held, topology, node) for node in nodes.tolist()]
        return np.array(answers, dtype=np.int64)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        return [MAX_VOLUME_COUNT]


def _exceeds(held: HeldDisks, topology: VolumeTopology, node: int) -> bool:
    """Return whether the pod would add volumes of a driver beyond its limit on a node."""
    there = held.names_on(node)
    counted = Counter(volume.partition(_SEPARATOR)[0] for volume in there | held.wanted)
    for resource in {volume.partition(_SEPARATOR)[0] for volume in held.wanted - there}:
        limit = int(topology.announced(resource)[node])
        if limit != NOT_ANNOUNCED and counted[resource] > limit:
            return True
    return False


def _volumes_of(state: ClusterState, pod: int) -> frozenset[str]:
    """Return the bound CSI volumes of a pod, each by the resource of its limit and its handle."""
    return frozenset(_named_volumes(state, pod))


def _named_volumes(state: ClusterState, pod: int) -> Iterator[str]:
    info = state.pods.infos[pod]
    for name in named_claims(info.pod):
        claim = state.volumes.claim(info.namespace, name)
        volume = state.volumes.volumes.get(claim.spec.volume_name) if claim is not None else None
        if volume is not None and volume.spec.csi is not None:
            yield limit_of_driver(volume.spec.csi.driver) + _SEPARATOR + volume.spec.csi.volume_handle
