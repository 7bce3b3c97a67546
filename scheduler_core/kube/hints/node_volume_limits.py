"""When a pod that NodeVolumeLimits rejected may fit. No change of a node helps it.

Source: kubernetes v1.36 plugins/nodevolumelimits csi.go isSchedulableAfter...
"""

from scheduler_core.kube.queueing.cluster_event import (
    ATTACHMENT,
    CLAIM,
    CSI_NODE,
    POD,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, HintFailed, Interest
from scheduler_core.kube.queueing.pods import namespace_of, takes_room
from scheduler_core.objects.storage import CSINode, PersistentVolumeClaim, VolumeAttachment
from scheduler_core.objects.types import Pod, Volume
from scheduler_core.predicates.volumes.claims import claim_of, claims_of
from scheduler_core.predicates.volumes.faults import MigrationError
from scheduler_core.predicates.volumes.migration import in_tree_plugin, inline_handle


def listens_to() -> list[Interest]:
    """CSINodes that come or allow more; pods and attachments that go; new claims."""
    return [
        Interest(ClusterEvent(CSI_NODE, Action.ADD)),
        Interest(
            ClusterEvent(CSI_NODE, Action.UPDATE),
            after_csi_node_updated,
            yes="a driver's limit rose",
            no="no driver's limit rose",
        ),
        Interest(
            ClusterEvent(POD, Action.DELETE),
            after_pod_deleted,
            yes="the pod that went had volumes that may have been counted",
            no="the pod that went had no volumes that were counted",
        ),
        Interest(
            ClusterEvent(CLAIM, Action.ADD),
            after_claim_added,
            yes="the claim is one of the pod's own",
            no="the claim is none of the pod's own",
        ),
        Interest(
            ClusterEvent(ATTACHMENT, Action.DELETE),
            after_attachment_deleted,
            yes="the pod names a claim, or a disk of the driver",
            no="the pod names no claim, and no disk of the driver",
        ),
    ]


def after_csi_node_updated(pod: Pod, old: CSINode, new: CSINode, view: ClusterView) -> bool:
    """Return whether some driver's limit rose; none at all counts as 0."""
    before, after = _limits(old), _limits(new)
    return any(limit > before.get(driver, 0) for driver, limit in after.items())


def after_pod_deleted(pod: Pod, old: Pod, new: None, view: ClusterView) -> bool:
    """Return whether the pod that went had a volume that may have been counted."""
    return takes_room(old) and any(
        claim_of(old, volume) is not None or in_tree_plugin(volume) is not None
        for volume in old.spec.volumes or ()
    )


def after_claim_added(pod: Pod, old: None, new: PersistentVolumeClaim, view: ClusterView) -> bool:
    """Return whether the claim is one of the pod's, ephemeral ones included."""
    if (new.metadata.namespace or "default") != namespace_of(pod):
        return False
    return any(use.claim == new.metadata.name for use in claims_of(pod))


def after_attachment_deleted(pod: Pod, old: VolumeAttachment, new: None, view: ClusterView) -> bool:
    """Return whether the pod names a claim, or a disk of the driver. Raises HintFailed."""
    return any(
        volume.persistent_volume_claim is not None or _is_of(old.spec.attacher, volume)
        for volume in pod.spec.volumes or ()
    )


def _is_of(driver: str, volume: Volume) -> bool:
    """Return whether a disk that a pod names itself is the driver's. Raises HintFailed."""
    plugin = in_tree_plugin(volume)
    if plugin is None:
        return False
    try:
        inline_handle(plugin, volume)
    except MigrationError as error:
        raise HintFailed(f"converting volume({volume.name}) from inline to csi: {error}") from error
    return plugin.driver == driver


def _limits(csi_node: CSINode) -> dict[str, int]:
    drivers = csi_node.spec.drivers or ()
    return {driver.name: (driver.allocatable.count or 0) if driver.allocatable else 0 for driver in drivers}
