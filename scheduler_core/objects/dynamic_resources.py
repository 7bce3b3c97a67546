"""Objects of dynamic resource allocation as far as the scheduling queue reads them.

Typed views like those of `scheduler_core.objects.types`, made by its `convert`.
"""

from typing import Any

from scheduler_core.objects.types import KubernetesObject, ObjectMeta


class ResourceClaimStatus(KubernetesObject, rename="camel", frozen=True):
    allocation: dict[str, Any] | None = None


class ResourceClaim(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceSlice(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()


class DeviceClassSpec(KubernetesObject, rename="camel", frozen=True):
    extended_resource_name: str | None = None


class DeviceClass(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()
