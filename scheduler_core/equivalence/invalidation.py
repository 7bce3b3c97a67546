"""The list of changes that kept answers follow: each reads on from where it stopped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class ChangeList(Generic[T]):
    """What has changed, in order, undoing included; places stay the same when the first are forgotten.

    `note` adds a change. Beyond `most` the older half is forgotten: whoever has not read it starts anew.
    """

    def __init__(self, most: int | None = None) -> None:
        self._changes: list[T] = []
        self._most = most
        self._first = 0
        self.note = self._changes.append

    @property
    def end(self) -> int:
        """The place after the last change."""
        return self._first + len(self._changes)

    def since(self, place: int) -> Sequence[T] | None:
        """Return the changes from a place on; None where some of them are forgotten."""
        if self._most is not None and len(self._changes) > self._most:
            self._forget(self._most // 2)
        return None if place < self._first else self._changes[place - self._first :]

    def clear(self) -> None:
        """Forget all changes, whoever has read them."""
        self._forget(len(self._changes))

    def _forget(self, number: int) -> None:
        del self._changes[:number]
        self._first += number
