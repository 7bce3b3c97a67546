"""A mapping over another one that stays as it is: only what differs is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from itertools import chain
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Overlay(MutableMapping[K, V]):
    """What `below` has, until it is changed here. It is made at once, however large `below` is.

    Keys come in the order in which a dict that began as a copy would have them.
    """

    __slots__ = ("_below", "_gone", "_own")

    def __init__(self, below: Mapping[K, V]) -> None:
        self._below = below
        self._own: dict[K, V] = {}
        self._gone: set[K] = set()
        """Keys of `below` that have gone; one that came back stands behind all others."""

    def __getitem__(self, key: K) -> V:
        if key in self._own:
            return self._own[key]
        if key in self._gone:
            raise KeyError(key)
        return self._below[key]

    def __contains__(self, key: object) -> bool:
        return key in self._own or (key not in self._gone and key in self._below)

    def __setitem__(self, key: K, value: V) -> None:
        self._own[key] = value

    def __delitem__(self, key: K) -> None:
        if key not in self:
            raise KeyError(key)
        self._own.pop(key, None)
        if key in self._below:
            self._gone.add(key)

    def __iter__(self) -> Iterator[K]:
        below, gone = self._below, self._gone
        stay = (key for key in below if key not in gone) if gone else below
        return chain(stay, (key for key in self._own if key in gone or key not in below))

    def __len__(self) -> int:
        new = sum(1 for key in self._own if key not in self._below or key in self._gone)
        return len(self._below) - len(self._gone) + new
