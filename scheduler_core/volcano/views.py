"""Typed views of objects that come, change and go in a run, and are told in no log by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from scheduler_core.objects.types import KubernetesObject, convert
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

V = TypeVar("V", bound=KubernetesObject)


class Views(Register[str, V], Generic[V]):
    """Views by key. A checkpoint holds all keys, and the views that have changed since the start."""

    def __init__(self, journal: Journal, kind: type[V], views: Iterable[tuple[str, V]]) -> None:
        super().__init__(journal, views)
        self._kind = kind
        self._at_start = dict(self.values)

    def dump(self) -> list[list[Any]]:
        """Return the keys in order, each with its view as plain data; null where it is that of the start."""
        same = self._at_start
        return [
            [key, None if same.get(key) is view else msgspec.to_builtins(view)]
            for key, view in self.values.items()
        ]

    def load(self, values: Iterable[Any]) -> None:
        """Restore what `dump` returned."""
        self.values = {
            key: self._at_start[key] if plain is None else convert(plain, self._kind) for key, plain in values
        }
