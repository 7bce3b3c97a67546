"""A scheduler's own objects in edits: what its admission webhooks make of them when an API server asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.problems import Problem

Object = dict[str, Any]
_TOO_LONG = re.compile(r"\S{400,}")
"""A word that is longer than any name, label or taint may be."""
_SHOWN = 60
EDIT_PLACE = re.compile(r"^edits\[(\d+)\]")
"""How a problem's object begins that is an edit's."""
Note = Callable[[str], None]
"""Is told what the API server or a controller changes."""


class Refused(Exception):
    """An edit cannot be applied: the field of the edit and the reason, once or several times."""

    def __init__(self, field: str, message: str, more: list[tuple[str, str]] | None = None) -> None:
        super().__init__(message)
        self.faults = [(field, message), *(more or [])]

    def problems(self, index: int) -> list[Problem]:
        """Return the problems of the edit with this index."""
        return [Problem(f"edits[{index}]", field, _cut(message)) for field, message in self.faults]


def _cut(message: str) -> str:
    """Return a message without most of the words in it that are too long to be anything's name."""
    return _TOO_LONG.sub(lambda word: f"{word[0][:_SHOWN]}… ({len(word[0]):,} characters)", message)


class Around(Protocol):
    """The cluster that an edit changes."""

    def of_kind(self, kind: Kind) -> Iterable[Object]:
        """Return the objects of a kind, in their order."""

    def count(self, kind: Kind) -> int:
        """Return how many objects of a kind there are."""

    def once(self, kinds: tuple[Kind, ...], make: Callable[[Iterable[Object]], Any]) -> Any:
        """Return what `make` makes of all objects of these kinds; made anew when one of them changes."""


class ObjectAdmission(Protocol):
    """Refuses and completes objects in edits. Places (`manifest`, `patch`) are those of the edit."""

    def admit(self, around: Around, document: Object, note: Note) -> Object:
        """Return a new object with its defaults; one of another kind as it is. Raises Refused."""

    def check_pod(self, pod: Object, place: str) -> None:
        """Raise Refused for a new pod; `place` is that of its spec in the edit."""

    def check_change(self, around: Around, old: Object, new: Object, place: str) -> None:
        """Raise Refused for a change, at this place of the edit."""

    def check_deletion(self, around: Around, document: Object) -> None:
        """Raise Refused for an object that has to stay."""

    def added(self, document: Object, note: Note) -> None:
        """Note what becomes of a new object in the run."""
