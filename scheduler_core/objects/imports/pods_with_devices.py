"""Pods that ask for devices by dynamic resource allocation, which not every scheduler is played with.

Source: kubernetes v1.36 PodSpec.resourceClaims; DeviceClassSpec.extendedResourceName (feature gate
DRAExtendedResource, on by default); resource/v1 ResourceDeviceClassPrefix.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import (
    DEVICE_CLASS,
    POD,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RESOURCE_SLICE,
    kind_of,
)
from scheduler_core.objects.workloads.templates import pod_specs

CLAIMS, OF_A_CLASS = ASKING = ("resource claims", "extended resources of a DeviceClass")
"""By what pods ask for devices."""
_IMPLICIT = "deviceclass.resource.kubernetes.io/"


DEVICE_KINDS = frozenset({DEVICE_CLASS, RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE})
"""The kinds that allocation of devices reads and writes."""


def concerns_devices(item: dict[str, Any]) -> bool:
    """Return whether an object is of these kinds, or a pod or a workload that names claims."""
    kind = kind_of(item)
    if kind == POD:
        return bool(spec_of(item).get("resourceClaims"))
    return kind in DEVICE_KINDS or any(spec.get("resourceClaims") for spec in pod_specs(item))


class Devices:
    """What the DeviceClasses of a cluster offer under the name of an extended resource."""

    def __init__(self, objects: Iterable[dict[str, Any]] = (), *, by_class: bool = True) -> None:
        """Note the classes among the objects; without `by_class` none stands behind a resource."""
        classes = [document for document in objects if kind_of(document) == DEVICE_CLASS and by_class]
        self._resources = {spec_of(item).get("extendedResourceName") for item in classes} - {None, ""}
        self._implicit = {f"{_IMPLICIT}{name_of(item)}" for item in classes}
        self._prefix = _IMPLICIT if by_class else None

    def offer(self, resource: str) -> bool:
        """Return whether a DeviceClass stands for this extended resource."""
        return resource in self._resources or resource in self._implicit

    def asked_by(self, claims: object, resources: Iterable[str]) -> str | None:
        """Return by what a pod with these claims and resources asks for devices; None: it asks for none."""
        if claims:
            return CLAIMS
        prefix = self._prefix
        if any((prefix and name.startswith(prefix)) or name in self._resources for name in resources):
            return OF_A_CLASS
        return None

    def asked_by_document(self, pod: dict[str, Any]) -> str | None:
        """Return the same of a pod as an object."""
        spec = spec_of(pod)
        containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
        resources = [container.get("resources") or {} for container in containers]
        names = {name for one in resources for kind in ("requests", "limits") for name in one.get(kind) or ()}
        return self.asked_by(spec.get("resourceClaims"), names)
