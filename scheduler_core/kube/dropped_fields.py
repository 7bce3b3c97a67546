"""Fields of pods that an older API server does not store.

Source: kubernetes pkg/api/pod/util.go dropDisabledFields of the releases.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler_core.kube.releases.api import AFFINITY_TERMS, EACH, Path, without
from scheduler_core.objects.kinds import POD, kind_of

Object = dict[str, Any]

RESIZED_CONTAINERS: tuple[Path, ...] = (
    ("status", "resources"),
    ("status", "allocatedResources"),
    ("status", "containerStatuses", EACH, "resources"),
    ("status", "containerStatuses", EACH, "allocatedResources"),
    ("status", "initContainerStatuses", EACH, "resources"),
    ("status", "initContainerStatuses", EACH, "allocatedResources"),
)
SIDECARS: tuple[Path, ...] = (("spec", "initContainers", EACH, "restartPolicy"),)
AFFINITY_LABEL_KEYS: tuple[Path, ...] = tuple(
    (*terms, field) for terms in AFFINITY_TERMS for field in ("matchLabelKeys", "mismatchLabelKeys")
)


@dataclass(frozen=True)
class DroppedField:
    """A field that is not stored: its name in sentences, and where it stands in a pod."""

    name: str
    paths: Sequence[Path]

    def drop(self, pod: Object) -> Object:
        """Return the pod without the field; the pod itself where it has none."""
        for path in self.paths:
            pod = without(pod, path)
        return pod


def dropped(name: str, *paths: Path) -> DroppedField:
    """Return a field that is not stored."""
    return DroppedField(name, paths)


def as_stored(
    objects: Iterable[Object], fields: Sequence[DroppedField]
) -> tuple[list[Object], dict[str, int]]:
    """Return the objects as an API server stores them, and how many pods lose each field."""
    lost = dict.fromkeys((field.name for field in fields), 0)
    stored = []
    for document in objects:
        if kind_of(document) == POD:
            for field in fields:
                before = document
                document = field.drop(document)
                lost[field.name] += document is not before
        stored.append(document)
    return stored, lost
