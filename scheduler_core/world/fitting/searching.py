"""Looks for the smallest step of a change with which all pods fit: by bisection, each step a trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from scheduler_core.world.fitting.judging import Judge, Verdict
from scheduler_core.world.fitting.results import Change, Edit, Point


@dataclass(frozen=True)
class Option:
    """A change in `steps` steps, of which a later one is a larger change and lets no fewer pods fit.

    edits, change, size: of a step, from 1; size is the share by which it alters what it is about. needed: how
    many pods there are to be afterwards, if not all; least: so many of them are enough. about: what of the
    cause it is for, so that two changes for the same aren't made together. hints: steps that are likely.
    """

    steps: int
    edits: Callable[[int], list[Edit]]
    change: Callable[[int], Change]
    size: Callable[[int], float]
    about: str
    needed: Callable[[int], int] | None = None
    least: Callable[[int], int] | None = None
    hints: tuple[int, ...] = ()
    pairs: bool = True

    @property
    def whole(self) -> Change:
        """The change as far as it may go."""
        return self.change(self.steps)


class Found(NamedTuple):
    """The last step that was looked at, what a trial says of it, and all trials on the way by value."""

    step: int
    verdict: Verdict
    points: list[Point]


@dataclass
class Search:
    """Tries one option, with edits that are made `before` it and `after` it."""

    judge: Judge
    option: Option
    before: list[Edit] = field(default_factory=list)
    after: list[Edit] = field(default_factory=list)
    harmless: bool = False
    """Whether nobody else may be evicted for it, or stay without a node."""
    _points: dict[int, Point] = field(default_factory=dict)

    def found(self) -> Found:
        """Return the smallest step with which all fit, or the last one if they don't. Raises Ended."""
        low, high = 0, self.option.steps
        verdict = self._tried(high)
        if not self._suits(verdict):
            return Found(high, verdict, self._told())
        for hint in self.option.hints:
            if low < hint < high:
                low, high, verdict = self._narrowed(low, high, verdict, hint)
        while high - low > 1:
            low, high, verdict = self._narrowed(low, high, verdict, (low + high) // 2)
        return Found(high, verdict, self._told())

    def _narrowed(self, low: int, high: int, best: Verdict, step: int) -> tuple[int, int, Verdict]:
        verdict = self._tried(step)
        return (low, step, verdict) if self._suits(verdict) else (step, high, best)

    def _tried(self, step: int) -> Verdict:
        one, judge = self.option, self.judge
        needed = len(judge.wanted.uids) if one.needed is None else one.needed(step)
        least = None if one.least is None else one.least(step)
        verdict = judge.judged([*self.before, *one.edits(step), *self.after], needed, least=least)
        value = one.change(step).after
        if value is not None and not verdict.refused:
            self._points[value] = Point(value, verdict.placed, verdict.fits)
        return verdict

    def _suits(self, verdict: Verdict) -> bool:
        return verdict.is_harmless if self.harmless else verdict.fits

    def _told(self) -> list[Point]:
        return [self._points[value] for value in sorted(self._points)]
