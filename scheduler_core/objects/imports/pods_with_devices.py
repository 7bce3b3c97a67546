"""Pods that ask for devices by dynamic resource allocation, which is not modelled.

Source: kubernetes v1.36 PodSpec.resourceClaims; DeviceClassSpec.extendedResourceName (feature gate
DRAExtendedResource, on by default); resource/v1 ResourceDeviceClassPrefix.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import DEVICE_CLASS, kind_of

_IMPLICIT = "deviceclass.resource.kubernetes.io/"


class Devices:
    """What the DeviceClasses of a cluster offer under the name of an extended resource."""

    def __init__(self, objects: Iterable[dict[str, Any]] = ()) -> None:
        classes = [document for document in objects if kind_of(document) == DEVICE_CLASS]
        self._resources = {spec_of(item).get("extendedResourceName") for item in classes} - {None, ""}
        self._implicit = {f"{_IMPLICIT}{name_of(item)}" for item in classes}

    def offer(self, resource: str) -> bool:
        """Return whether a DeviceClass stands for this extended resource."""
        return resource in self._resources or resource in self._implicit

    def asked_by(self, claims: object, resources: Iterable[str]) -> str | None:
        """Return by what a pod with these claims and resources asks for devices; None: it asks for none."""
        if claims:
            return "resource claims"
        if any(name.startswith(_IMPLICIT) or name in self._resources for name in resources):
            return "extended resources of a DeviceClass"
        return None

    def asked_by_document(self, pod: dict[str, Any]) -> str | None:
        """Return the same of a pod as an object."""
        spec = spec_of(pod)
        containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
        resources = [container.get("resources") or {} for container in containers]
        names = {name for one in resources for kind in ("requests", "limits") for name in one.get(kind) or ()}
        return self.asked_by(spec.get("resourceClaims"), names)
