"""The kinds of objects whose changes the scheduler hears of, and what cluster events call them."""

from typing import Any

import msgspec

from scheduler_core.kube.queueing import cluster_event as event
from scheduler_core.objects import dynamic_resources, pod_groups, storage, types
from scheduler_core.objects.kinds import Kind, kind_named, kind_of_view
from scheduler_core.objects.types import KubernetesObject

WATCHED: dict[Kind, type[KubernetesObject]] = {
    kind_of_view(view): view
    for view in (
        types.Pod,
        types.Node,
        storage.PersistentVolume,
        storage.PersistentVolumeClaim,
        storage.StorageClass,
        storage.CSINode,
        storage.CSIDriver,
        storage.CSIStorageCapacity,
        storage.VolumeAttachment,
        dynamic_resources.ResourceClaim,
        dynamic_resources.ResourceSlice,
        dynamic_resources.DeviceClass,
        pod_groups.PodGroup,
    )
}
"""Kind to typed view."""

RESOURCES: dict[type[KubernetesObject], str] = {
    storage.PersistentVolume: event.VOLUME,
    storage.PersistentVolumeClaim: event.CLAIM,
    storage.StorageClass: event.STORAGE_CLASS,
    storage.CSINode: event.CSI_NODE,
    storage.CSIDriver: event.CSI_DRIVER,
    storage.CSIStorageCapacity: event.CAPACITY,
    storage.VolumeAttachment: event.ATTACHMENT,
    dynamic_resources.ResourceClaim: event.RESOURCE_CLAIM,
    dynamic_resources.ResourceSlice: event.RESOURCE_SLICE,
    dynamic_resources.DeviceClass: event.DEVICE_CLASS,
    pod_groups.PodGroup: event.POD_GROUP,
}
"""Whose changes are only heard of where some plugin listens to them. Those of pods and nodes always are."""


def dump_object(item: KubernetesObject | None) -> dict[str, Any] | None:
    """Return an object of a watched kind as plain data."""
    if item is None:
        return None
    return {"kind": type(item).__name__, "object": msgspec.to_builtins(item)}


def load_object(data: dict[str, Any] | None) -> KubernetesObject | None:
    """Return what `dump_object` described."""
    return None if data is None else types.convert(data["object"], WATCHED[kind_named(data["kind"])])
