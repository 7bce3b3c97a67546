"""What must be right in claims, volumes, their classes, and in what CSI drivers declare about nodes."""

from scheduler_core.objects.checks.field_rules import MAX_INT32, Findings
from scheduler_core.objects.checks.pod_checks import check_claim_spec, check_disks, check_node_selector
from scheduler_core.objects.storage import (
    WAIT_FOR_FIRST_CONSUMER,
    CSINode,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)

_BINDING_MODES = ("Immediate", WAIT_FOR_FIRST_CONSUMER)


def check_claim(findings: Findings, claim: PersistentVolumeClaim) -> None:
    """Note what is wrong with a claim."""
    check_claim_spec(findings, "spec", claim.spec)


def check_volume(findings: Findings, volume: PersistentVolume) -> None:
    """Note what is wrong with a persistent volume."""
    findings.amounts("spec.capacity", volume.spec.capacity)
    check_disks(findings, "spec", volume.spec)
    affinity = volume.spec.node_affinity
    if affinity is not None and affinity.required is not None:
        check_node_selector(findings, "spec.nodeAffinity.required", affinity.required)


def check_storage_class(findings: Findings, storage_class: StorageClass) -> None:
    """Note what is wrong with a class."""
    findings.choice("volumeBindingMode", storage_class.volume_binding_mode, _BINDING_MODES)


def check_csi_node(findings: Findings, csi_node: CSINode) -> None:
    """Note a limit of volumes that is no int32."""
    for index, driver in enumerate(csi_node.spec.drivers or ()):
        if driver.allocatable is not None:
            path = f"spec.drivers[{index}].allocatable.count"
            findings.within(path, driver.allocatable.count, 0, MAX_INT32)


def check_capacity(findings: Findings, capacity: CSIStorageCapacity) -> None:
    """Note what is wrong with the room that a driver declares."""
    findings.label_selector("nodeTopology", capacity.node_topology)
    findings.amount("capacity", capacity.capacity)
    # Only capacity itself is looked at by an API server.
    findings.amount("maximumVolumeSize", capacity.maximum_volume_size, may_be_negative=True)
