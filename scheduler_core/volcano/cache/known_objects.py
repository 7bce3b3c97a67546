"""Objects of one kind that come, change and go while a run goes on, in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.types import KubernetesObject
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import SortedRegister

T = TypeVar("T", bound=KubernetesObject)


class KnownObjects(SortedRegister[str, tuple[int, T]]):
    """Objects by key, each with its place in the order."""

    def __init__(self, journal: Journal, kind: type[T], items: Iterable[tuple[str, T]]) -> None:
        super().__init__(journal, ((key, (place, item)) for place, (key, item) in enumerate(items)))
        self._kind = kind
        self._start = dict(self.values)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def __getitem__(self, key: str) -> T:
        return self.values[key][1]

    def items(self) -> list[tuple[str, T]]:
        """Return all objects with their keys, in order."""
        return [(key, self[key]) for key in self.in_order()]

    def know(self, key: str, item: T) -> None:
        """Let an object come, or give it a new version."""
        old, last = self.values.get(key), self.last()
        if old is not None:
            self.put(key, (old[0], item))
        else:
            self.put(key, (0 if last is None else self.values[last][0] + 1, item))

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> list[list[Any]]:
        """Return as plain data what has changed since the start; who is gone has no value."""
        changed = (
            key for key in {**self._start, **self.values} if self.values.get(key) is not self._start.get(key)
        )
        return [[key, msgspec.to_builtins(self.values.get(key))] for key in sorted(changed)]

    def load(self, values: Iterable[Any]) -> None:
        """Restore what `dump` returned."""
        self.values = dict(self._start)
        for key, value in values:
            if value is None:
                del self.values[key]
            else:
                place, item = value
                self.values[key] = (place, types.convert(item, self._kind))
        self._sort()
