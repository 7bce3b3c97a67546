"""A sweep as it is read: its dimensions, and what each point of the grid came to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

Field = Literal["scheduler", "config", "edits", "seed"]
State = Literal["played", "playing", "waiting", "ended", "failed", "refused", "gone"]
"""What became of a point's run.

played: to its end; playing, waiting: not yet; ended: somebody cancelled it; failed: something went wrong;
refused: its input is wrong, or its settings can't be together; gone: somebody deleted it.
"""
STATES: dict[State, str] = {
    "played": "played", "playing": "being played", "waiting": "not played yet", "ended": "not run: cancelled",
    "failed": "not run to its end", "refused": "not possible", "gone": "not run: deleted",
}  # fmt: skip

RESPECTS = ("not_done", "without_node", "against_budgets", "nodes", "evicted")
"""Figures of which less is better, in the order in which settings are ranked."""


class Value(msgspec.Struct, frozen=True):
    """A value of a dimension, and how it is called."""

    name: str
    value: Any


class Dimension(msgspec.Struct, frozen=True):
    """What varies. today: the name of what the scenario has, by which a value of this name is that.

    adds_nodes: its values are how many nodes there are more.
    """

    field: Field
    path: list[str]
    title: str
    values: list[Value]
    today: str
    adds_nodes: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether its values are amounts, which an axis may have."""
        return self.field != "seed" and all(
            isinstance(one.value, int | float) and not isinstance(one.value, bool) for one in self.values
        )

    @property
    def asks(self) -> bool:
        """Whether its values ask for more or less, so that runs of two of them are not to be ranked."""
        return self.field == "edits" and not self.adds_nodes


def typed_value(text: str) -> Any:
    """Return a value that somebody has typed: a number, if it reads as one."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


class PointFigures(msgspec.Struct, frozen=True):
    """What a run came to.

    without_node: pods that wait at the end, those too that no scheduler of the run looks at: `unserved`.
    against_budgets: evictions that violate a budget. not_done: edits that did not do all that they ask for.
    nodes: how many there are at the end; nearly_empty: of how many of them at most a tenth of the CPU is
    requested. cpu, memory: requested of allocatable at the end, 1 for all, None without any. stranded:
    milli-CPU that are free where memory is out. queues: pods without a node by queue. at_limit: the run
    stopped before it came to all pods.
    """

    without_node: int
    unserved: int
    placed: int
    evicted: int
    against_budgets: int
    not_done: int
    nodes: int
    nearly_empty: int
    cpu: float | None
    memory: float | None
    stranded: int
    queues: dict[str, int]
    at_limit: bool


@dataclass(frozen=True)
class Point:
    """A point: its place, the place of its value in each dimension (None: as the scenario), and its run.

    why: what kept it from being played, as a sentence. profile, trust: of a run that was played, the
    scheduler and what it rests on.
    """

    place: int
    values: tuple[int | None, ...]
    is_today: bool
    run: int | None
    state: State
    why: str = ""
    figures: PointFigures | None = None
    profile: str = ""
    trust: Mapping[str, Any] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether its figures may be ranked."""
        return self.figures is not None and not self.figures.at_limit


@dataclass(frozen=True)
class Setting:
    """Points that differ in their seed alone. names: of its values, by dimension but for seeds."""

    names: tuple[str, ...]
    values: tuple[int | None, ...]
    is_today: bool
    points: Sequence[Point]
    asked_as_today: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether all of its runs may be ranked."""
        return all(point.is_whole for point in self.points)

    @property
    def figures(self) -> list[PointFigures]:
        """What its runs came to, as far as they were played."""
        return [point.figures for point in self.points if point.figures is not None]

    @property
    def rank(self) -> tuple[int, ...]:
        """By what settings are ranked that may be, the least first."""
        return tuple(self.most(name) for name in RESPECTS)

    @property
    def is_ranked(self) -> bool:
        """Whether it is ranked: all is played, and it asks for as much as the scenario."""
        return self.is_whole and self.asked_as_today

    def most(self, name: str) -> int:
        """Return the largest of a figure: with several seeds nobody is promised the luckiest one."""
        return max(int(getattr(one, name)) for one in self.figures)


@dataclass(frozen=True)
class Swept:
    """A sweep.

    settings: in the order of the grid, that of the scenario last where it is no part of it. framed: places of
    settings than which no other is as good in all respects, and better in one.
    """

    pk: int
    scenario: int
    name: str
    dimensions: Sequence[Dimension]
    settings: Sequence[Setting]
    framed: frozenset[int] = field(default_factory=frozenset)

    @property
    def points(self) -> list[Point]:
        """All points."""
        return [point for setting in self.settings for point in setting.points]

    @property
    def has_runs(self) -> bool:
        """Whether any of its runs is stored, so that there is a number to it."""
        return any(point.run is not None for point in self.points)

    @property
    def done(self) -> int:
        """How many points need no worker any more."""
        return sum(point.state not in ("playing", "waiting") for point in self.points)

    @property
    def played(self) -> int:
        """How many points were played to their end."""
        return sum(point.state == "played" for point in self.points)

    @property
    def goes_on(self) -> bool:
        """Whether workers are at it."""
        return self.done < len(self.points)

    @property
    def missing(self) -> int:
        """How many points can be played after all."""
        return sum(point.state in ("ended", "failed", "gone") for point in self.points)

    @property
    def today(self) -> Setting:
        """The scenario's own settings."""
        return next(setting for setting in self.settings if setting.is_today)

    @property
    def better(self) -> int | None:
        """How many settings are ranked above today's; None where these are not ranked."""
        today = self.today
        if not today.is_ranked:
            return None
        return sum(one.is_ranked and one.rank < today.rank for one in self.settings)

    @property
    def varied(self) -> list[tuple[int, Dimension]]:
        """The dimensions but for seeds, with their numbers."""
        return [(number, one) for number, one in enumerate(self.dimensions) if one.field != "seed"]


def value_names(dimensions: Sequence[Dimension], point: Point) -> list[str]:
    """Return the names of a point's values, by dimension; where it has none, of what the scenario has."""
    return [
        (one.today or "as it is") if place is None else one.values[place].name
        for one, place in zip(dimensions, point.values, strict=True)
    ]


def titles_apart(dimensions: Sequence[Dimension]) -> list[str]:
    """Return the titles of dimensions; with their paths where two are alike."""
    counts = Counter(one.title for one in dimensions)
    return [
        one.title if counts[one.title] == 1 else f"{one.title} ({'.'.join([one.field, *one.path])})"
        for one in dimensions
    ]
