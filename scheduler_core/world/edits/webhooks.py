"""The admission webhooks of schedulers, as edits ask them: each kind looks at its own objects and pods."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.schedulers.object_admission import Around, Note, Object, ObjectAdmission
from scheduler_core.schedulers.registry import kinds


def _all() -> Iterator[ObjectAdmission]:
    for kind in kinds().values():
        if kind.object_admission is not None:
            yield kind.object_admission


def admit(around: Around, document: Object, note: Note) -> Object:
    """Return a new object with the defaults that a webhook sets. Raises Refused."""
    for admission in _all():
        document = admission.admit(around, document, note)
    return document


def check_pod(pod: Object, place: str) -> None:
    """Raise Refused for a new pod; `place` is that of its spec in the edit."""
    for admission in _all():
        admission.check_pod(pod, place)


def check_change(around: Around, old: Object, new: Object, place: str) -> None:
    """Raise Refused for a change, at this place of the edit."""
    for admission in _all():
        admission.check_change(around, old, new, place)


def check_deletion(around: Around, document: Object) -> None:
    """Raise Refused for an object that has to stay."""
    for admission in _all():
        admission.check_deletion(around, document)


def added(document: Object, note: Note) -> None:
    """Note what becomes of a new object in the run."""
    for admission in _all():
        admission.added(document, note)
