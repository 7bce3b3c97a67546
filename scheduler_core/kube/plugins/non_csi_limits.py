"""EBSLimits, GCEPDLimits and AzureDiskLimits: a node holds so many disks of an in-tree plugin and no more.

They are default plugins up to 1.30. On nodes whose CSINode announces the in-tree plugin as migrated
NodeVolumeLimits counts instead. KUBE_MAX_PD_VOLS, by which a limit may be set, is taken as unset.

Source: kubernetes v1.30 plugins/nodevolumelimits non_csi.go, utils.go; pkg/volume/util/attach_limit.go.

Hints: none; plugins/nodevolumelimits non_csi.go EventsToRegister.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    View,
)
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.queueing.cluster_event import CLAIM, NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.claims import claim_of
from scheduler_core.predicates.volumes.faults import MissingClaim
from scheduler_core.predicates.volumes.held_disks import HeldDisks, held_disks
from scheduler_core.predicates.volumes.migration import BY_PROVISIONER, InTreePlugin, migrated_on
from scheduler_core.predicates.volumes.topology import NOT_ANNOUNCED, TopologyCache
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

_TOO_MANY, _MISSING_CLAIM = 1, 2
_INSTANCE_TYPES = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
_NITRO = re.compile("^[cmr]5.*|t3|z1d")
_EBS, _EBS_ON_NITRO, _GCE_PD, _AZURE_DISK = 39, 25, 16, 16


@dataclass
class _Disks(HeldDisks):
    """`missing` is what is said of a claim that does not exist, empty if all do."""

    missing: str = ""


class NonCsiLimits(FilterPlugin):
    """Filter: skipped for pods without claims and without disks of the in-tree plugin."""

    reads = Reads.PODS
    kind: ClassVar[InTreePlugin]
    disk_key: ClassVar[str]
    """The field of the volume's source that names the disk."""
    resource: ClassVar[str]
    """What nodes announce their limit as."""

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        super().__init__(args, gates)
        self._topologies = TopologyCache()

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return [
            Interest(ClusterEvent(NODE, Action.ADD)),
            Interest(ClusterEvent(POD, Action.DELETE)),
            Interest(ClusterEvent(CLAIM, Action.ADD)),
        ]

    def usual_limit(self, node: Node) -> int:
        """Return the limit of a node that announces none."""
        raise NotImplementedError

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        pod, volumes = cycle.pod.pod, cycle.pod.pod.spec.volumes or ()
        if not any(getattr(one, self.kind.field) is not None or claim_of(pod, one) for one in volumes):
            return SKIP
        disks_of = partial(self.disks_of, cycle.state)
        found = held_disks(cycle.state, disks_of(cycle.pod.row), disks_of)
        return _Disks(disks_of, found.wanted, found.held, self._missing_claim(cycle))

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        disks = view.states[self.name]
        assert isinstance(disks, _Disks)
        if disks.missing:
            return np.full(len(nodes), _MISSING_CLAIM, dtype=np.int64)
        if not disks.wanted:
            return np.zeros(len(nodes), dtype=np.int64)
        return np.array([self._code(view, disks, node) for node in nodes.tolist()], dtype=np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        if code == _MISSING_CLAIM:
            assert isinstance(state, _Disks)
            return self.missing_claim(state.missing)
        return wording.rejection(self.name, UNSCHEDULABLE, "node(s) exceed max volume count")

    def missing_claim(self, text: str) -> Status:
        """Return what is said of a pod that names a claim which does not exist."""
        return wording.rejection(self.name, UNRESOLVABLE, text)

    def _code(self, view: View, disks: _Disks, row: int) -> int:
        node = view.cluster.nodes.objects[row]
        if migrated_on(self.kind, view.cluster.volumes.csi_nodes.get(node.metadata.name)):
            return 0
        topology = self._topologies.of(view.cluster.nodes, view.cluster.volumes)
        announced = int(topology.announced(self.resource)[row])
        limit = self.usual_limit(node) if announced == NOT_ANNOUNCED else announced
        return _TOO_MANY if len(disks.names_on(row) | disks.wanted) > limit else 0

    def disks_of(self, state: ClusterState, pod: int) -> set[str]:
        """Return the disks of the in-tree plugin that a pod mounts; a claim stands for one yet to be made."""
        return set(self._disks_of(state, state.pods.infos[pod].pod, state.pods.infos[pod].namespace))

    def _disks_of(self, state: ClusterState, pod: Pod, namespace: str) -> Iterator[str]:
        for volume in pod.spec.volumes or ():
            source = getattr(volume, self.kind.field)
            use = claim_of(pod, volume)
            if source is not None:
                yield source.get(self.disk_key) or ""
            elif use is not None:
                yield from self._disk_of_claim(state, namespace, use.claim)

    def _disk_of_claim(self, state: ClusterState, namespace: str, name: str) -> Iterator[str]:
        claim = state.volumes.claim(namespace, name)
        if claim is None:
            return
        volume = state.volumes.volumes.get(claim.spec.volume_name or "")
        if volume is None:
            storage_class = state.volumes.classes.get(claim.spec.storage_class_name or "")
            if storage_class is not None and storage_class.provisioner == self.kind.name:
                # No disk's name begins with a null character.
                yield f"\0{namespace}/{name}"
        elif (source := getattr(volume.spec, self.kind.field)) is not None:
            yield source.get(self.disk_key) or ""

    def _missing_claim(self, cycle: Cycle) -> str:
        """Return what is said of the first claim of the pod that does not exist, empty if all do."""
        for volume in cycle.pod.pod.spec.volumes or ():
            use = claim_of(cycle.pod.pod, volume)
            if use is not None and cycle.state.volumes.claim(cycle.pod.namespace, use.claim) is None:
                return wording.volume_fault(MissingClaim(cycle.pod.namespace, use.claim))
        return ""


class EBSLimits(NonCsiLimits):
    """Disks of AWS."""

    name = "EBSLimits"
    kind = BY_PROVISIONER["kubernetes.io/aws-ebs"]
    disk_key = "volumeID"
    resource = "attachable-volumes-aws-ebs"

    def usual_limit(self, node: Node) -> int:
        labels = node.metadata.labels or {}
        instance = next((labels[key] for key in _INSTANCE_TYPES if key in labels), "")
        return _EBS_ON_NITRO if _NITRO.search(instance) else _EBS


class GCEPDLimits(NonCsiLimits):
    """Disks of Google."""

    name = "GCEPDLimits"
    kind = BY_PROVISIONER["kubernetes.io/gce-pd"]
    disk_key = "pdName"
    resource = "attachable-volumes-gce-pd"

    def usual_limit(self, node: Node) -> int:
        return _GCE_PD


class AzureDiskLimits(NonCsiLimits):
    """Disks of Azure."""

    name = "AzureDiskLimits"
    kind = BY_PROVISIONER["kubernetes.io/azure-disk"]
    disk_key = "diskName"
    resource = "attachable-volumes-azure-disk"

    def usual_limit(self, node: Node) -> int:
        return _AZURE_DISK
