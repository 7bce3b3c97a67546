"""kube-scheduler 1.31, by what it does otherwise than 1.32.

Source: kubernetes v1.31 framework/types.go calculateResource; schedule_one.go findNodesThatFitPod;
plugins/nodevolumelimits csi.go; pkg/features SchedulerQueueingHints; internal/queue scheduling_queue.go;
eventhandlers.go; plugins' EventsToRegister.
"""

from dataclasses import replace
from hashlib import sha1

import numpy as np
from msgspec.structs import replace as replaced

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import PreFiltered
from scheduler_core.kube.framework_releases.v1_32 import V1_32
from scheduler_core.kube.framework_releases.v1_33 import HandlersWithoutDevices
from scheduler_core.kube.framework_releases.v1_34 import ProfileThatKeepsNominations
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.queueing.cluster_event import (
    CAPACITY,
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    NODE,
    POD,
    STORAGE_CLASS,
    VOLUME,
    Action,
)
from scheduler_core.kube.queueing.hintless_handlers import HandlersWithoutHints
from scheduler_core.kube.queueing.hintless_queue import QueueWithoutHints
from scheduler_core.kube.release import Difference
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.amounts.requests import non_zero_requests
from scheduler_core.objects.types import Pod, ResourceRequirements
from scheduler_core.predicates.volumes.counts import NO_LIMIT
from scheduler_core.predicates.volumes.topology import NOT_ANNOUNCED, VolumeTopology
from scheduler_core.state.nodes import IntArray

_COMES, _GOES, _CHANGES = Action.ADD, Action.DELETE, Action.UPDATE
_LABELS_AND_TAINTS = Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_TAINT
REGISTERED = {
    "InterPodAffinity": {POD: _COMES | _GOES | Action.UPDATE_POD_LABEL, NODE: _COMES | _LABELS_AND_TAINTS},
    "PodTopologySpread": {
        POD: _COMES | _GOES | Action.UPDATE_POD_LABEL,
        NODE: _COMES | _GOES | _LABELS_AND_TAINTS,
    },
    "NodePorts": {POD: _GOES, NODE: _COMES | _CHANGES},
    "NodeResourcesFit": {POD: _GOES, NODE: _COMES | _CHANGES},
    "NodeVolumeLimits": {CSI_NODE: _COMES, POD: _GOES, CLAIM: _COMES},
    "VolumeBinding": {
        STORAGE_CLASS: _COMES | _CHANGES,
        CLAIM: _COMES | _CHANGES,
        VOLUME: _COMES | _CHANGES,
        NODE: _COMES | _LABELS_AND_TAINTS,
        CSI_NODE: _COMES | _CHANGES,
        CSI_DRIVER: _COMES | _CHANGES,
        CAPACITY: _COMES | _CHANGES,
    },
    "VolumeRestrictions": {POD: _GOES, NODE: _COMES, CLAIM: _COMES},
    "VolumeZone": {
        STORAGE_CLASS: _COMES,
        NODE: _COMES | _LABELS_AND_TAINTS,
        CLAIM: _COMES | _CHANGES,
        VOLUME: _COMES | _CHANGES,
    },
    "TaintToleration": {NODE: _COMES | _CHANGES},
    "NodeAffinity": {NODE: _COMES | _CHANGES},
    "NodeUnschedulable": {NODE: _COMES | _CHANGES},
    "NodeName": {NODE: _COMES | _CHANGES},
    "SchedulingGates": {},
}
"""What plugins listen to, by resource."""
_PREFIX, _LONGEST_KEY = "attachable-volumes-csi-", 63


class ProfileOfVisitedNodes(ProfileThatKeepsNominations):
    """Says nothing of the nodes that PreFilter left out."""

    def left_out(self, pre_filtered: PreFiltered) -> Status | None:
        return None


class NodeVolumeLimitsOfPods(NodeVolumeLimits):
    """Counts the volumes of the node's pods alone; where a CSINode has no limit the node's own counts."""

    counts_attachments = False

    def limits(self, topology: VolumeTopology, driver: str) -> IntArray:
        limits, announced = super().limits(topology, driver), topology.announced(attach_limit_key(driver))
        return np.where((limits == NO_LIMIT) & (announced != NOT_ANNOUNCED), announced, limits)


def attach_limit_key(driver: str) -> str:
    """Return the resource as which a node announces how many volumes of a driver it holds."""
    key = f"{_PREFIX}{driver}"
    if len(key) < _LONGEST_KEY:
        return key
    return f"{_PREFIX}{driver[:23]}{sha1(driver.encode(), usedforsecurity=False).hexdigest()[:16]}"


def sidecars_as_init_containers(pod: Pod) -> tuple[int, int]:
    """Return (milli-CPU, bytes of memory) by which a pod on a node weighs in scores.

    A sidecar is one more init container there, together with those before it: the greatest of them counts, if
    the containers come to less.
    """
    sidecars: dict[str, int] = {}
    init = []
    for container in pod.spec.init_containers or ():
        so_far = dict(sidecars)
        for name, amount in ((container.resources and container.resources.requests) or {}).items():
            so_far[name] = so_far.get(name, 0) + parse_quantity(amount).nanos
        if container.restart_policy == "Always":
            sidecars = so_far
        resources = ResourceRequirements(requests={name: f"{nanos}n" for name, nanos in so_far.items()})
        init.append(replaced(container, resources=resources, restart_policy=None))
    return non_zero_requests(replaced(pod, spec=replaced(pod.spec, init_containers=init)))


class HandlersOfWantedPods(HandlersWithoutHints):
    """Hears of no devices."""

    resources = HandlersWithoutDevices.resources


V1_31 = V1_32.but(
    "1.31",
    registry=V1_32.registry.changed(NodeVolumeLimitsOfPods),
    profile=ProfileOfVisitedNodes,
    queue=QueueWithoutHints,
    handlers=HandlersOfWantedPods,
    queueing=replace(V1_32.queueing, registered=REGISTERED),
    accounting=replace(V1_32.accounting, non_zero_requests=sidecars_as_init_containers),
    differences=(
        Difference(
            "messages",
            "",
            "Nodes that PreFilter leaves out are not counted in the message.",
            "Nodes that PreFilter leaves out are counted with the plugins that left them out.",
        ),
        Difference(
            "scores",
            "NodeResourcesFit",
            "Sidecars of running pods count in scores like other init containers.",
            "Sidecars of running pods count in full in scores.",
        ),
        Difference(
            "filters",
            NodeVolumeLimits.name,
            "Attached volumes that no pod of the node mounts do not count.",
            "Attached volumes count too that no pod of the node mounts.",
        ),
        Difference(
            "queue",
            "",
            "Any event that a plugin listens to moves the pods that it rejected.",
            "A plugin's queueing hint decides whether an event moves a pod that it rejected.",
        ),
        Difference(
            "queue",
            "",
            "Any event during an attempt that fails has the pod tried again after its back-off.",
            "An event during an attempt that fails counts if a hint says so.",
        ),
        Difference(
            "queue",
            "",
            "A pod on a node is news for pods whose required affinity wants it or that are spread.",
            "A pod on a node is news for whatever plugin listens.",
        ),
        Difference(
            "queue",
            "",
            "A node is news only for pods that it could take as it is, without a preemption.",
            "A node is news for whatever plugin listens.",
        ),
        Difference(
            "queue",
            "",
            "Nodes that go, and StorageClasses that bind at once, are no news.",
            "Nodes that go, and all StorageClasses, are news.",
        ),
        Difference(
            "queue",
            "",
            "Any change of a waiting pod but of its status has it tried again.",
            "A hint decides whether a waiting pod's own change has it tried again.",
        ),
        Difference(
            "queue",
            "",
            "A pod that changes during its attempt counts as a new one.",
            "A pod that changes during its attempt goes on as it is.",
        ),
    ),
)
