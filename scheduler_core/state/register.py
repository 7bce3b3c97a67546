"""A register: a table of single values that the log doesn't tell.

Schedulers and controllers keep here what they remember: how often a pod was tried, what a budget still
allows, which claim a volume is kept for. Changes go through the journal as all others do.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from scheduler_core.state.journal import Journal, Set, Table

K = TypeVar("K")
V = TypeVar("V")


class _Absent:
    """Stands for a key that is not there."""


_ABSENT = _Absent()


class Register(Table, Generic[K, V]):
    """Values by key. `values` is to be read only. `read` makes a value of what a checkpoint has of it."""

    def __init__(
        self,
        journal: Journal,
        values: Iterable[tuple[K, V]] = (),
        read: Callable[[Any], V] = lambda value: value,
    ) -> None:
        self._journal = journal
        self._read = read
        self.values: dict[K, V] = dict(values)

    def get(self, key: K) -> V | None:
        """Return a value, None where there is none."""
        return self.values.get(key)

    def put(self, key: K, value: V) -> None:
        """Set a value."""
        self._journal.do(Set(self, key, "", self.values.get(key, _ABSENT), value))

    def drop(self, key: K) -> None:
        """Take a value out."""
        self._journal.do(Set(self, key, "", self.values[key], _ABSENT))

    def write(self, key: Any, field: str, value: Any) -> None:
        if value is _ABSENT:
            del self.values[key]
        else:
            self.values[key] = value

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> list[list[Any]]:
        """Return the values as plain data, in the order of their keys."""
        return [[key, value] for key, value in sorted(self.values.items())]

    def load(self, values: Iterable[Any]) -> None:
        """Restore what `dump` returned; a key that was a tuple is one again."""
        restored: dict[Any, V] = {
            tuple(key) if isinstance(key, list) else key: self._read(value) for key, value in values
        }
        self.values = restored


class SortedRegister(Register[K, V]):
    """A register that knows the order of its values. No two values are equal."""

    def __init__(
        self,
        journal: Journal,
        values: Iterable[tuple[K, V]] = (),
        read: Callable[[Any], V] = lambda value: value,
    ) -> None:
        super().__init__(journal, values, read)
        self._sort()

    def first(self) -> K | None:
        """Return the key of the least value, None where there is none."""
        return self._order[0][1] if self._order else None

    def last(self) -> K | None:
        """Return the key of the greatest value, None where there is none."""
        return self._order[-1][1] if self._order else None

    def in_order(self) -> list[K]:
        """Return all keys, in the order of their values."""
        return [key for _, key in self._order]

    def write(self, key: Any, field: str, value: Any) -> None:
        if key in self.values:
            del self._order[bisect.bisect_left(self._order, (self.values[key], key))]
        super().write(key, field, value)
        if key in self.values:
            bisect.insort(self._order, (value, key))

    def load(self, values: Iterable[Any]) -> None:
        super().load(values)
        self._sort()

    def _sort(self) -> None:
        self._order: list[Any] = sorted((value, key) for key, value in self.values.items())
