"""Who is in turn: a sorted list whose first can be taken and given back at once, however long it is."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from typing import Any

Place = tuple[Any, ...]


class Turns:
    """Places, the least first. All are different.

    Those that were taken from the front leave a gap there, since a list would move all others up.
    """

    def __init__(self, places: Iterable[Place] = ()) -> None:
        self._places: list[Any] = sorted(places)
        self._gap = 0

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places[self._gap :])

    @property
    def first(self) -> Place | None:
        """The least place, None if there is none."""
        places: list[Place] = self._places
        return places[self._gap] if self._gap < len(places) else None

    def add(self, place: Place) -> None:
        """Put a place where it belongs."""
        at = self._find(place)
        if at == self._gap and self._gap:
            self._gap -= 1
            self._places[self._gap] = place
        else:
            self._places.insert(at, place)

    def remove(self, place: Place) -> None:
        """Take a place out."""
        at = self._find(place)
        if at != self._gap:
            del self._places[at]
            return
        self._places[at] = None
        self._gap += 1
        if 2 * self._gap > len(self._places):
            del self._places[: self._gap]
            self._gap = 0

    def _find(self, place: Place) -> int:
        return bisect.bisect_left(self._places, place, lo=self._gap)
