"""What is found about the nodes that a pod could go to: columns, of which mostly the best alone are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scheduler_core.state.node_names import NodeNames
from scheduler_core.state.nodes import IntArray

FITS, UNKNOWN = 0, -1
MOST_REASONS = 4096
Scores = NDArray[np.float64]
_NOWHERE: IntArray = np.empty(0, dtype=np.int64)


class Places:
    """Gives nodes a place each in columns, by name."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._place: dict[str, int] = {}
        self._all: list[str] | None = None
        self._place_of_row = _NOWHERE
        self._last: tuple[list[str], IntArray] = [], _NOWHERE
        """The names that were asked about last: mostly they are the same again."""

    def get(self, name: str) -> int | None:
        """Return a node's place, None for one that nobody has asked about."""
        return self._place.get(name)

    def of(self, nodes: Sequence[str]) -> IntArray:
        """Return the nodes' places, each once."""
        if not isinstance(nodes, NodeNames):
            known, places = self._last
            if known != nodes:
                places = self._numbered(dict.fromkeys(nodes))
                self._last = list(nodes), places
            return places
        if nodes.all is not self._all:
            self._all, self._place_of_row = nodes.all, self._numbered(nodes.all)
        return self._place_of_row[nodes.rows]

    def _numbered(self, names: Iterable[str]) -> IntArray:
        try:
            return np.array([self._place[name] for name in names], dtype=np.int64)
        except KeyError:
            return np.array([self._place_of(name) for name in names], dtype=np.int64)

    def _place_of(self, name: str) -> int:
        place = self._place.get(name)
        if place is None:
            place = self._place[name] = len(self.names)
            self.names.append(name)
        return place


class Findings:
    """What is known of nodes, by their places: the score of one that fits, or a reason's number."""

    __slots__ = ("_numbers", "codes", "reasons", "scores")

    def __init__(self) -> None:
        self.codes: IntArray = np.full(0, UNKNOWN, dtype=np.int64)
        self.scores: Scores = np.zeros(0)
        self.reasons: list[str] = [""]
        """The texts of the codes above FITS."""
        self._numbers: dict[str, int] = {}

    def room_for(self, nodes: int) -> None:
        """Let the columns be at least so long."""
        more = nodes - len(self.codes)
        if more > 0:
            more = max(more, len(self.codes))
            self.codes = np.concatenate([self.codes, np.full(more, UNKNOWN, dtype=np.int64)])
            self.scores = np.concatenate([self.scores, np.zeros(more)])

    def forget(self, place: int) -> None:
        """Know nothing of a node."""
        if place < len(self.codes):
            self.codes[place] = UNKNOWN

    def knows(self, place: int) -> bool:
        """Return whether anything is known of a node."""
        return place < len(self.codes) and self.codes.item(place) != UNKNOWN

    def fits(self, place: int, score: float) -> None:
        """Note that a node fits."""
        self.codes[place], self.scores[place] = FITS, score

    def fails(self, place: int, reason: str) -> None:
        """Note why a node doesn't fit."""
        number = self._numbers.get(reason)
        if number is None:
            number = self._numbers[reason] = len(self.reasons)
            self.reasons.append(reason)
        self.codes[place] = number

    @property
    def is_crowded(self) -> bool:
        """Whether there are so many different reasons that it is better to begin anew."""
        return len(self.reasons) > MOST_REASONS


class Judged:
    """What was found about the nodes that were asked about."""

    def __init__(self, names: Sequence[str], places: IntArray, findings: Findings) -> None:
        self._names = names
        self._places = places
        self._codes = findings.codes[places]
        self._scores = findings.scores[places]
        self._reasons = findings.reasons
        self._fitting: IntArray = (self._codes == FITS).nonzero()[0]

    @property
    def fit_count(self) -> int:
        """How many nodes fit."""
        return len(self._fitting)

    def fitting(self) -> list[str]:
        """Return the names of the nodes that fit."""
        return list(self._named(self._fitting))

    @property
    def failed_count(self) -> int:
        """How many don't."""
        return len(self._codes) - len(self._fitting)

    def best(self, lowest: bool) -> tuple[float, list[str]]:
        """Return the highest score, or the lowest, and the names of those that have it, in their order."""
        scores = self._scores[self._fitting]
        wanted = scores.item(scores.argmin() if lowest else scores.argmax())
        return wanted, sorted(self._named(self._fitting[scores == wanted]))

    @cached_property
    def scores(self) -> dict[str, float]:
        """The scores of nodes that fit."""
        scores: list[float] = self._scores[self._fitting].tolist()
        return dict(zip(self._named(self._fitting), scores, strict=True))

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why others don't."""
        failed = np.flatnonzero(self._codes != FITS)
        texts = map(self._reasons.__getitem__, self._codes[failed].tolist())
        return dict(zip(self._named(failed), texts, strict=True))

    def counted_reasons(self) -> Iterator[tuple[str, int]]:
        """Give each reason with the number of its nodes."""
        numbers = np.bincount(self._codes, minlength=1)
        for code in np.flatnonzero(numbers).tolist():
            if code != FITS:
                yield self._reasons[code], numbers.item(code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Judged) and (self.scores, self.reasons) == (other.scores, other.reasons)

    __hash__ = None  # type: ignore[assignment]

    def _named(self, among: IntArray) -> Iterator[str]:
        return map(self._names.__getitem__, self._places[among].tolist())


NOBODY = Judged((), _NOWHERE, Findings())
"""Where no node was asked about."""
