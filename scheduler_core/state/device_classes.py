"""Which DeviceClass stands behind an extended resource.

Source: kubernetes v1.36 dynamic-resource-allocation deviceclass/extendedresourcecache.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.objects.dynamic_resources import DeviceClass

IMPLICIT = "deviceclass.resource.kubernetes.io/"
"""Before a class's name it is the resource that every class stands behind."""


def classes_by_resource(classes: Iterable[DeviceClass]) -> dict[str, str]:
    """Return the class behind each resource: of two with one name the younger, then the lower name.

    Classes come one after the other; one that loses does not get its implicit name either.
    """
    found: dict[str, DeviceClass] = {}
    for one in classes:
        resource = one.spec.extended_resource_name
        other = found.get(resource) if resource is not None else None
        if other is not None and not _takes_over(one, other):
            continue
        if resource is not None:
            found[resource] = one
        found[IMPLICIT + one.metadata.name] = one
    return {resource: one.metadata.name for resource, one in found.items()}


def _takes_over(one: DeviceClass, other: DeviceClass) -> bool:
    mine, theirs = one.metadata.creation_timestamp or "", other.metadata.creation_timestamp or ""
    return mine > theirs or (mine == theirs and one.metadata.name < other.metadata.name)
