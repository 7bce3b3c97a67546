"""The axis of pictures over a run's sessions: places in percent of its width, as texts for SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from dashboard.instants import clock

PIECES = 240
"""Of what lies within one of so many equal parts of an axis only the last is drawn."""
_TICKS = 6


class OfASession(Protocol):
    """What happens in a session; no `time` (milliseconds) without a clock."""

    @property
    def session(self) -> int: ...

    @property
    def time(self) -> int | None: ...


One = TypeVar("One", bound=OfASession)


class Axis:
    """Sessions up to the `last`, or instants where a clock moves."""

    def __init__(self, known: Iterable[OfASession], last: int) -> None:
        found = list(known)
        self.by_time = any(one.time for one in found)
        places = [self.place(one) for one in found]
        self._from = min(places)
        self.end = max(places) if self.by_time else max([*places, last])

    def place(self, one: OfASession) -> int:
        """Return where it lies, in milliseconds or sessions."""
        return (one.time or 0) if self.by_time else one.session

    @property
    def length(self) -> int:
        """How long it is, in milliseconds or sessions."""
        return self.end - self._from

    def percent(self, place: int) -> float:
        """Return the same in percent of the axis."""
        return 100 * (place - self._from) / (self.length or 1)

    def said(self, place: int) -> str:
        """Return a place in words."""
        if self.by_time:
            return clock(place).removesuffix(".000")
        return f"session {place:,}" if place else "the start"

    def ticks(self) -> list[tuple[str, str]]:
        """Return places at equal distances, with their words."""
        length = self.length
        number = min(_TICKS, length) or 1
        places = dict.fromkeys(self._from + length * at // number for at in range(number + 1))
        return [(text(self.percent(one)), self.said(one)) for one in places]

    def spans(self, points: Sequence[One], figures: Callable[[One], object]) -> list[tuple[One, int, int]]:
        """Return the points whose figures differ from those before, each with from where to where it stands.

        Of those that lie within a small part of the axis the last is kept.
        """
        told: list[One] = []
        for one in points:
            if told and figures(told[-1]) == figures(one):
                continue
            if told and self._cell(told[-1]) == self._cell(one):
                told.pop()
            told.append(one)
        starts = [self.place(one) for one in told]
        return list(zip(told, starts, [*starts[1:], self.end], strict=True))

    def _cell(self, one: OfASession) -> int:
        return int(self.percent(self.place(one)) * PIECES / 100)


def text(percent: float) -> str:
    """Return percent as SVG has it."""
    return f"{percent:.3f}%"
