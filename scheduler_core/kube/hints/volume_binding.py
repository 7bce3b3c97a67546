"""When a pod that VolumeBinding rejected may fit.

Source: kubernetes v1.36 plugins/volumebinding volume_binding.go isSchedulableAfter..., binder.go volumeLimit.
"""

from scheduler_core.kube.queueing.cluster_event import (
    CAPACITY,
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    NODE,
    STORAGE_CLASS,
    VOLUME,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import namespace_of
from scheduler_core.objects.quantity import parse_quantity
from scheduler_core.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.volumes.claims import claims_of

_MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_ADD_OR_UPDATE = Action.ADD | Action.UPDATE


def listens_to() -> list[Interest]:
    """All that volumes depend on, and nodes that come or are relabelled."""
    return [
        Interest(
            ClusterEvent(STORAGE_CLASS, _ADD_OR_UPDATE),
            after_storage_class_change,
            yes="the class is new, or its topologies changed",
            no="the class's topologies are the same as before",
        ),
        Interest(
            ClusterEvent(CLAIM, _ADD_OR_UPDATE),
            after_claim_change,
            yes="the claim is one of the pod's own",
            no="the claim is none of the pod's own",
        ),
        Interest(ClusterEvent(VOLUME, _ADD_OR_UPDATE)),
        Interest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)),
        Interest(
            ClusterEvent(CSI_NODE, _ADD_OR_UPDATE),
            after_csi_node_change,
            yes="the CSINode is new, or announces other migrated plugins",
            no="the CSINode announces the same migrated plugins as before",
        ),
        Interest(
            ClusterEvent(CSI_DRIVER, Action.UPDATE),
            after_csi_driver_change,
            yes="the driver of one of the pod's volumes no longer counts capacity",
            no="the driver is of none of the pod's volumes, or counts capacity as before",
        ),
        Interest(
            ClusterEvent(CAPACITY, _ADD_OR_UPDATE),
            after_capacity_change,
            yes="the capacity is new, or its limit rose",
            no="the capacity's limit did not rise",
        ),
    ]


def after_storage_class_change(
    pod: Pod, old: StorageClass | None, new: StorageClass, view: ClusterView
) -> bool:
    """Return whether the class is new or its topologies changed."""
    return old is None or (old.allowed_topologies or []) != (new.allowed_topologies or [])


def after_claim_change(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim, view: ClusterView
) -> bool:
    """Return whether the claim is one of the pod's, ephemeral ones included."""
    if (new.metadata.namespace or "default") != namespace_of(pod):
        return False
    return any(use.claim == new.metadata.name for use in claims_of(pod))


def after_csi_node_change(pod: Pod, old: CSINode | None, new: CSINode, view: ClusterView) -> bool:
    """Return whether the CSINode is new or announces other migrated plugins."""
    return old is None or _migrated(old) != _migrated(new)


def after_csi_driver_change(pod: Pod, old: CSIDriver, new: CSIDriver, view: ClusterView) -> bool:
    """Return whether a driver of an inline volume ceased to count capacity."""
    inline = {(volume.csi or {}).get("driver") for volume in pod.spec.volumes or ()}
    return new.metadata.name in inline and bool(old.spec.storage_capacity) and not new.spec.storage_capacity


def after_capacity_change(
    pod: Pod, old: CSIStorageCapacity | None, new: CSIStorageCapacity, view: ClusterView
) -> bool:
    """Return whether the capacity is new or its limit rose."""
    if old is None:
        return True
    before, after = _limit(old), _limit(new)
    return after is not None and (before is None or after > before)


def _migrated(csi_node: CSINode) -> str:
    return (csi_node.metadata.annotations or {}).get(_MIGRATED_PLUGINS, "")


def _limit(capacity: CSIStorageCapacity) -> int | None:
    """Return the size in bytes of the largest volume, None where nothing is said."""
    size = capacity.capacity if capacity.maximum_volume_size is None else capacity.maximum_volume_size
    return None if size is None else parse_quantity(size).value()
