"""Fields of pods that an older API server does not store.

Source: kubernetes pkg/api/pod/util.go dropDisabledFields of the releases.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any

from scheduler_core.objects.kinds import POD, kind_of

Object = dict[str, Any]
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


def _always(pod: Object) -> bool:
    return True


def _never(pod: Object) -> bool:
    return False


@dataclass(frozen=True)
class DroppedField:
    """A field that is not stored: its name in sentences, and where it stands in a pod.

    matters: whether it is told that a pod loses it. Some fields an API server of today fills into every pod.
    """

    name: str
    paths: Sequence[Path]
    matters: Callable[[Object], bool] = _always

    def drop(self, pod: Object) -> Object:
        """Return the pod without the field; the pod itself where it has none."""
        for path in self.paths:
            pod = without(pod, path)
        return pod


def dropped(name: str, *paths: Path, matters: Callable[[Object], bool] = _always) -> DroppedField:
    """Return a field that is not stored."""
    return DroppedField(name, paths, matters)


POD_RESOURCES = dropped("resources of the pod as a whole", ("spec", "resources"))
SIDECARS = dropped("restartPolicy of init containers", ("spec", "initContainers", EACH, "restartPolicy"))
RESIZED_CONTAINERS = dropped(
    "resized containers",
    ("status", "resources"),
    ("status", "allocatedResources"),
    ("status", "containerStatuses", EACH, "resources"),
    ("status", "containerStatuses", EACH, "allocatedResources"),
    ("status", "initContainerStatuses", EACH, "resources"),
    ("status", "initContainerStatuses", EACH, "allocatedResources"),
    matters=_never,
)
AFFINITY_LABEL_KEYS = dropped(
    "matchLabelKeys of pod affinity",
    *((*terms, field) for terms in AFFINITY_TERMS for field in ("matchLabelKeys", "mismatchLabelKeys")),
)


def as_stored(objects: Iterable[Object], fields: Sequence[DroppedField]) -> tuple[list[Object], Counter[str]]:
    """Return the objects without these fields, and how many pods lose each that would have mattered."""
    lost: Counter[str] = Counter()
    if not fields:
        return list(objects), lost
    return [_stored(one, fields, lost) if kind_of(one) == POD else one for one in objects], lost


def _stored(pod: Object, fields: Sequence[DroppedField], lost: Counter[str]) -> Object:
    for field in fields:
        before = pod
        pod = field.drop(before)
        lost[field.name] += pod is not before and field.matters(before)
    return pod


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
