"""The API of 1.8 to 1.13: fields of pods that came later, which an API server of that time did not store.

Kept is `matchFields` of node affinity, which 1.8 and 1.9 did not know either: it pins DaemonSet pods to their
nodes, where the DaemonSet controller of that time put them itself.

Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1 types.go and the feature gates of its fields.
"""

from collections import Counter
from collections.abc import Iterable

from scheduler_core.kube.dropped_fields import (
    AFFINITY_TERMS,
    POD_RESOURCES,
    RESIZED_CONTAINERS,
    SIDECARS,
    Object,
    as_stored,
    dropped,
    without,
)
from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import (
    CSI_DRIVER,
    CSI_NODE,
    CSI_STORAGE_CAPACITY,
    DEVICE_CLASS,
    PERSISTENT_VOLUME,
    PERSISTENT_VOLUME_CLAIM,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RESOURCE_SLICE,
    kind_of,
)


def _is_not_usual(pod: Object) -> bool:
    """Return whether a preemptionPolicy is another one than an API server of today fills in."""
    return bool(pod["spec"].get("preemptionPolicy") != "PreemptLowerPriority")


_LATER = (
    dropped("preemptionPolicy", ("spec", "preemptionPolicy"), matters=_is_not_usual),
    dropped("topologySpreadConstraints", ("spec", "topologySpreadConstraints")),
    dropped("overhead", ("spec", "overhead")),
    dropped("resourceClaims", ("spec", "resourceClaims")),
    dropped("schedulingGates", ("spec", "schedulingGates")),
    POD_RESOURCES,
    SIDECARS,
    dropped("namespaceSelector", *((*terms, "namespaceSelector") for terms in AFFINITY_TERMS)),
    RESIZED_CONTAINERS,
)
_LATER_KINDS = (
    DEVICE_CLASS,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RESOURCE_SLICE,
    CSI_DRIVER,
    CSI_NODE,
    CSI_STORAGE_CAPACITY,
)
_WITH_ATTRIBUTES = (PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM)
_ATTRIBUTES = ("spec", "volumeAttributesClassName")
_MODE = ("spec", "volumeMode")
_WITH_MODES = "1.13"
"""The release in which the gate BlockVolume is on."""


def as_stored_then(objects: Iterable[Object], release: str) -> tuple[list[Object], Counter[str]]:
    """Return the objects without later fields, and how many pods lose each field that would have mattered."""
    known = (one for one in objects if kind_of(one) not in _LATER_KINDS)
    return as_stored((_volumes_then(one, release) for one in known), _LATER)


def unread_limits(objects: Iterable[Object]) -> list[str]:
    """Return in whole phrases which limits of CSI volumes stand in CSINodes, where nobody read them then."""
    limits = sum(kind_of(one) == CSI_NODE and _has_limit(one) for one in objects)
    nodes = "1 CSINode" if limits == 1 else f"{limits} CSINodes"
    return [f"limits of CSI volumes in {nodes}"] if limits else []


def _has_limit(csi_node: Object) -> bool:
    drivers = spec_of(csi_node).get("drivers") or ()
    return any((driver.get("allocatable") or {}).get("count") is not None for driver in drivers)


def _volumes_then(one: Object, release: str) -> Object:
    """Return a claim or volume without the class of its attributes, and before 1.13 without its mode."""
    if kind_of(one) not in _WITH_ATTRIBUTES:
        return one
    one = without(one, _ATTRIBUTES)
    return one if release == _WITH_MODES else without(one, _MODE)
