"""Storage objects as far as a scheduler reads them: claims, volumes, classes and what CSI drivers declare.

Typed views like those of `scheduler_core.objects.types`, made by its `convert`; quantities stay as written.
"""

from typing import Any

from scheduler_core.objects.types import (
    KubernetesObject,
    Labels,
    LabelSelector,
    NodeSelector,
    ObjectMeta,
    PersistentVolumeClaimSpec,
    ResourceList,
)

WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"
"""The binding mode of classes whose claims are bound when a pod that uses them gets a node."""


class ClaimReference(KubernetesObject, rename="camel", frozen=True):
    """Whom a volume belongs to. A uid that is empty stands for a claim of that name that is yet to come."""

    namespace: str = ""
    name: str = ""
    uid: str = ""


class VolumeNodeAffinity(KubernetesObject, rename="camel", frozen=True):
    required: NodeSelector | None = None


class CSIVolumeSource(KubernetesObject, rename="camel", frozen=True):
    driver: str = ""
    volume_handle: str = ""


class PersistentVolumeSpec(KubernetesObject, rename="camel", frozen=True):
    """The in-tree sources stay as written; at most one of all sources is there."""

    capacity: ResourceList | None = None
    access_modes: list[str] | None = None
    claim_ref: ClaimReference | None = None
    storage_class_name: str = ""
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    node_affinity: VolumeNodeAffinity | None = None
    csi: CSIVolumeSource | None = None
    gce_persistent_disk: dict[str, Any] | None = None
    aws_elastic_block_store: dict[str, Any] | None = None
    azure_disk: dict[str, Any] | None = None
    azure_file: dict[str, Any] | None = None
    cinder: dict[str, Any] | None = None
    vsphere_volume: dict[str, Any] | None = None
    portworx_volume: dict[str, Any] | None = None


class StoragePhase(KubernetesObject, rename="camel", frozen=True):
    """The status of a volume or of a claim."""

    phase: str | None = None


class PersistentVolume(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeSpec = PersistentVolumeSpec()
    status: StoragePhase = StoragePhase()


class PersistentVolumeClaim(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()
    status: StoragePhase = StoragePhase()


class TopologyRequirement(KubernetesObject, rename="camel", frozen=True):
    key: str = ""
    values: list[str] | None = None


class TopologyTerm(KubernetesObject, rename="camel", frozen=True):
    match_label_expressions: list[TopologyRequirement] | None = None


class StorageClass(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    provisioner: str = ""
    volume_binding_mode: str | None = None
    allowed_topologies: list[TopologyTerm] | None = None


class CSINodeAllocatable(KubernetesObject, rename="camel", frozen=True):
    count: int | None = None


class CSINodeDriver(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    allocatable: CSINodeAllocatable | None = None


class CSINodeSpec(KubernetesObject, rename="camel", frozen=True):
    drivers: list[CSINodeDriver] | None = None


class CSINode(KubernetesObject, rename="camel", frozen=True):
    """What the CSI drivers of the node of the same name have registered."""

    metadata: ObjectMeta = ObjectMeta()
    spec: CSINodeSpec = CSINodeSpec()


class CSIDriverSpec(KubernetesObject, rename="camel", frozen=True):
    storage_capacity: bool | None = None
    prevent_pod_scheduling_if_missing: bool | None = None


class CSIDriver(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: CSIDriverSpec = CSIDriverSpec()


class CSIStorageCapacity(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    node_topology: LabelSelector | None = None
    storage_class_name: str = ""
    capacity: str | int | float | None = None
    maximum_volume_size: str | int | float | None = None


class AttachmentSource(KubernetesObject, rename="camel", frozen=True):
    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(KubernetesObject, rename="camel", frozen=True):
    attacher: str = ""
    node_name: str = ""
    source: AttachmentSource = AttachmentSource()


class VolumeAttachment(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: VolumeAttachmentSpec = VolumeAttachmentSpec()


_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


def class_of_claim(claim: PersistentVolumeClaim) -> str:
    """Return the name of the claim's class, empty for none; the old annotation goes before the field.

    Source: k8s.io/component-helpers v0.36 storage/volume GetPersistentVolumeClaimClass.
    """
    annotations: Labels = claim.metadata.annotations or {}
    if _CLASS_ANNOTATION in annotations:
        return annotations[_CLASS_ANNOTATION]
    return claim.spec.storage_class_name or ""


def class_of_volume(volume: PersistentVolume) -> str:
    """Return the name of the volume's class, empty for none; the old annotation goes before the field.

    Source: k8s.io/component-helpers v0.36 storage/volume GetPersistentVolumeClass.
    """
    annotations: Labels = volume.metadata.annotations or {}
    return annotations.get(_CLASS_ANNOTATION, volume.spec.storage_class_name)


def requested_storage(claim: PersistentVolumeClaim) -> str | int | float | None:
    """Return the size that the claim asks for as written, None where it names none."""
    requests = claim.spec.resources.requests if claim.spec.resources else None
    return (requests or {}).get("storage")
