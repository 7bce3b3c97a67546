"""The API of 1.8 to 1.13: fields of pods that came later, which an API server of that time did not store.

Kept is `matchFields` of node affinity, which 1.8 and 1.9 did not know either: it pins DaemonSet pods to their
nodes, where the DaemonSet controller of that time put them itself.

Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1 types.go and the feature gates of its fields.
"""

from collections import Counter
from collections.abc import Iterable
from operator import is_
from typing import Any

from scheduler_core.objects.kinds import (
    DEVICE_CLASS,
    POD,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RESOURCE_SLICE,
    kind_of,
)

Document = dict[str, Any]
Path = tuple[str, ...]

EACH = "[]"
AFFINITY_TERMS: tuple[Path, ...] = tuple(
    ("spec", "affinity", kind, *terms)
    for kind in ("podAffinity", "podAntiAffinity")
    for terms in (
        ("requiredDuringSchedulingIgnoredDuringExecution", EACH),
        ("preferredDuringSchedulingIgnoredDuringExecution", EACH, "podAffinityTerm"),
    )
)
_LATER: dict[str, tuple[Path, ...]] = {
    "preemptionPolicy": (("spec", "preemptionPolicy"),),
    "topologySpreadConstraints": (("spec", "topologySpreadConstraints"),),
    "overhead": (("spec", "overhead"),),
    "resourceClaims": (("spec", "resourceClaims"),),
    "schedulingGates": (("spec", "schedulingGates"),),
    "resources of the pod as a whole": (("spec", "resources"),),
    "restartPolicy of init containers": (("spec", "initContainers", EACH, "restartPolicy"),),
    "namespaceSelector": tuple((*terms, "namespaceSelector") for terms in AFFINITY_TERMS),
    "resized containers": (
        ("status", "resources"),
        ("status", "allocatedResources"),
        ("status", "containerStatuses", EACH, "resources"),
        ("status", "containerStatuses", EACH, "allocatedResources"),
        ("status", "initContainerStatuses", EACH, "resources"),
        ("status", "initContainerStatuses", EACH, "allocatedResources"),
    ),
}
_LATER_KINDS = (DEVICE_CLASS, RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE)
_EVERY_POD_HAS = {"preemptionPolicy": "PreemptLowerPriority", "resized containers": None}
"""What an API server of today fills in, and what changes nothing when it is left out."""


def as_stored_then(objects: Iterable[Document]) -> tuple[list[Document], Counter[str]]:
    """Return the objects without later fields, and how many pods lose each field that would have mattered."""
    lost: Counter[str] = Counter()
    known = [document for document in objects if kind_of(document) not in _LATER_KINDS]
    return [_pod(document, lost) if kind_of(document) == POD else document for document in known], lost


def _pod(pod: Document, lost: Counter[str]) -> Document:
    for field, paths in _LATER.items():
        before = pod
        for path in paths:
            pod = without(pod, path)
        lost[field] += pod is not before and _matters(before, field)
    return pod


def _matters(pod: Document, field: str) -> bool:
    if field not in _EVERY_POD_HAS:
        return True
    usual = _EVERY_POD_HAS[field]
    return usual is not None and pod["spec"].get(field) != usual


def without(value: Any, path: Path) -> Any:
    """Return the value without what is at the path; the value itself if nothing is there."""
    head, rest = path[0], path[1:]
    if head == EACH:
        items = [without(item, rest) for item in value] if isinstance(value, list) else []
        same = not isinstance(value, list) or all(map(is_, items, value))
        return value if same else items
    if not isinstance(value, dict) or value.get(head) is None:
        return value
    if not rest:
        return {key: inner for key, inner in value.items() if key != head}
    inner = without(value[head], rest)
    return value if inner is value[head] else {**value, head: inner}
