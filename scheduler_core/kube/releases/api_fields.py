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
)
from scheduler_core.objects.kinds import (
    DEVICE_CLASS,
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
_LATER_KINDS = (DEVICE_CLASS, RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE)


def as_stored_then(objects: Iterable[Object]) -> tuple[list[Object], Counter[str]]:
    """Return the objects without later fields, and how many pods lose each field that would have mattered."""
    return as_stored((one for one in objects if kind_of(one) not in _LATER_KINDS), _LATER)
