"""MaxEBSVolumeCount, MaxGCEPDVolumeCount, MaxAzureDiskVolumeCount: a node attaches so many disks of a cloud.

A claim whose volume is not known may turn out to be of any cloud: it counts as one disk for each of them.
KUBE_MAX_PD_VOLS, by which a limit may be set, is taken as unset.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.9 to v1.13 pkg/scheduler: algorithm/predicates
MaxPDVolumeCountChecker; v1.13 pkg/volume/util attach_limit.go.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

import numpy as np

from scheduler_core.kube.framework import SKIP, Cycle, NotModelled, PreFilterAnswer, Reads, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import MAX_VOLUME_COUNT, Wording
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.held_disks import HeldDisks, held_disks
from scheduler_core.predicates.volumes.topology import NOT_ANNOUNCED, TopologyCache
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray, NodeTable

_INSTANCE_TYPE = "beta.kubernetes.io/instance-type"
_NITRO = re.compile("^[cmr]5.*|t3|z1d")


class MaxVolumeCount(Predicate):
    """Skipped for pods without a disk of the cloud.

    announced: what nodes say of their limit counts. unbound_in: the release of which it isn't known how it
    counts claims without a volume; it can't be asked about them, which raises NotModelled.
    """

    reads = Reads.PODS
    source: ClassVar[str]
    """The field of a volume that makes it a disk of the cloud."""
    disk_key: ClassVar[str]
    """The field of the source that names the disk."""
    resource: ClassVar[str]
    """What nodes announce their limit as."""
    usual_limit: ClassVar[int]

    def __init__(self, wording: Wording, *, announced: bool = False, unbound_in: str = "") -> None:
        super().__init__(wording)
        self._announced, self._unbound_in = announced, unbound_in
        self._topologies = TopologyCache()

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        disks_of = partial(self.disks_of, cycle.state)
        wanted = disks_of(cycle.pod.row)
        return held_disks(cycle.state, wanted, disks_of) if wanted else SKIP

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        disks = view.states[self.name]
        assert isinstance(disks, HeldDisks)
        limits = self.usual_limits(view.cluster.nodes)
        if self._announced:
            topology = self._topologies.of(view.cluster.nodes, view.cluster.volumes)
            announced = topology.announced(self.resource)
            limits = np.where(announced == NOT_ANNOUNCED, limits, announced)
        return (disks.numbers(nodes) > limits[nodes]).astype(np.int64)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        return [MAX_VOLUME_COUNT]

    def usual_limits(self, nodes: NodeTable) -> IntArray:
        """Return the limits of nodes that announce none, shape (nodes,)."""
        return np.full(len(nodes), self.usual_limit, dtype=np.int64)

    def disks_of(self, state: ClusterState, pod: int) -> frozenset[str]:
        """Return the cloud's disks of a pod; a claim without a volume stands for one of its own."""
        return frozenset(self._disks_of(state, pod))

    def _disks_of(self, state: ClusterState, pod: int) -> Iterator[str]:
        info = state.pods.infos[pod]
        for volume in info.pod.spec.volumes or ():
            source, claim = getattr(volume, self.source), volume.persistent_volume_claim
            if source is not None:
                yield source.get(self.disk_key) or ""
            elif claim is not None:
                yield from self._disk_of_claim(state, info.namespace, claim.claim_name)

    def _disk_of_claim(self, state: ClusterState, namespace: str, name: str) -> Iterator[str]:
        claim = state.volumes.claim(namespace, name)
        volume = state.volumes.volumes.get(claim.spec.volume_name) if claim is not None else None
        if volume is None and self._unbound_in:
            raise NotModelled(f"claims without a volume in kube-scheduler {self._unbound_in}")
        if volume is None:
            # No disk's name begins with a null character.
            yield f"\0{namespace}/{name}"
        elif (source := getattr(volume.spec, self.source)) is not None:
            yield source.get(self.disk_key) or ""


class MaxEBSVolumeCount(MaxVolumeCount):
    """Disks of AWS. `nitro`: instances of some types take fewer, since 1.12."""

    name = "MaxEBSVolumeCount"
    source = "aws_elastic_block_store"
    disk_key = "volumeID"
    resource = "attachable-volumes-aws-ebs"
    usual_limit = 39
    limit_on_nitro = 25

    def __init__(self, wording: Wording, *, nitro: bool = False, **counting: Any) -> None:
        super().__init__(wording, **counting)
        self._nitro = nitro

    def usual_limits(self, nodes: NodeTable) -> IntArray:
        limits = super().usual_limits(nodes)
        if self._nitro:
            types = nodes.topology(_INSTANCE_TYPE)
            limits[types.where(lambda value: bool(_NITRO.search(value or "")))] = self.limit_on_nitro
        return limits


class MaxGCEPDVolumeCount(MaxVolumeCount):
    """Disks of Google."""

    name = "MaxGCEPDVolumeCount"
    source = "gce_persistent_disk"
    disk_key = "pdName"
    resource = "attachable-volumes-gce-pd"
    usual_limit = 16


class MaxAzureDiskVolumeCount(MaxVolumeCount):
    """Disks of Azure."""

    name = "MaxAzureDiskVolumeCount"
    source = "azure_disk"
    disk_key = "diskName"
    resource = "attachable-volumes-azure-disk"
    usual_limit = 16
