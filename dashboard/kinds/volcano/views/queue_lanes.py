"""The picture of a run's queues over its sessions: a lane for each, and arrows where pods were taken.

All lanes are on one scale. Places along the axis are percent of its width, as texts for attributes of SVG;
heights are pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from dashboard.amounts import amount
from dashboard.kinds.volcano.queries.queue_lanes import Held, Lanes, Started, Taken
from dashboard.kinds.volcano.services.queue_shares import units_of
from dashboard.kinds.volcano.views.session_axis import Axis, text
from scheduler_core.volcano.reporting.job_names import job_name
from scheduler_core.world.edits.additions import count_of

DRAWN = 8
"""So many queues are drawn, those that hold most; the queue of the page is always among them."""
ARROWS = 24
SIGNS = 80
"""Of so many places along a lane each has one sign at most."""
_HEIGHT, _LEAST, _GAP = 260.0, 16.0, 26.0


class Piece(NamedTuple):
    """From where to where a queue held so much: `within` what it deserves, and `over` it; y's are pixels.

    deserved: where the top of the line of what it deserves lies; None where it deserves no set amount.
    """

    x: str
    width: str
    within: float
    within_top: float
    over: float
    over_top: float
    deserved: float | None
    says: str


class Lane(NamedTuple):
    """A queue: its pieces, how high its lane is and where it ends, and how it stands at the end, in words."""

    name: str
    is_own: bool
    top: float
    bottom: float
    pieces: list[Piece]
    held: str
    stands: str
    is_over: bool

    @property
    def text_y(self) -> float:
        """Where its words stand."""
        return self.bottom - 4


class Arrow(NamedTuple):
    """What a queue took from another in a session: from `y1`, of that which gave, to `y2`."""

    x: str
    y1: float
    y2: float
    head: str
    width: float
    label: str
    says: str
    seq: int

    @property
    def label_y(self) -> float:
        """Where its label stands."""
        return (self.y1 + self.y2) / 2 + 4


class Sign(NamedTuple):
    """Where in its queue's lane a job starts."""

    x: str
    y: float
    says: str
    seq: int


class Picture(NamedTuple):
    """Lanes from top to bottom; ticks are places of the axis with their words.

    others: so many queues are left out; unseen: so many takings, since they are small or of those queues.
    """

    lanes: list[Lane]
    arrows: list[Arrow]
    ticks: list[tuple[str, str]]
    height: float
    others: int
    unseen: int
    starts: list[Sign]

    @property
    def words_y(self) -> float:
        """Where the words of the axis stand."""
        return self.height + 16

    @property
    def whole_height(self) -> float:
        """How high the picture is with them."""
        return self.height + 22


def picture_of(
    lanes: Lanes, own: str, parents: Mapping[str, str], last: int, resource: str
) -> Picture | None:
    """Return the picture in one resource; None where no queue holds or deserves any of it.

    parents: the queue above each; those above others have their sums and are left out.
    last: the last session.
    """
    above = set(parents.values())
    found = {name: points for name, points in lanes.queues.items() if name not in above or name == own}
    most = {name: max(_level(one, resource) for one in points) for name, points in found.items()}
    names = sorted((name for name in most if most[name]), key=lambda name: (name != own, -most[name], name))
    if not names:
        return None
    taken = [one for one in lanes.taken if one.asked.get(resource)]
    drawn = names[:DRAWN]
    scale = (_HEIGHT - _LEAST * len(drawn)) / sum(most[name] for name in drawn)
    drawing = _Drawing(
        Axis([*(one for points in found.values() for one in points), *taken], last), resource, scale
    )
    made: list[Lane] = []
    for name in drawn:
        top = made[-1].bottom + _GAP if made else 2.0
        ends = top, round(top + _LEAST + most[name] * scale, 1)
        made.append(drawing.lane(name, found[name], ends, is_own=name == own))
    arrows = drawing.arrows(taken, {one.name: one for one in made})
    shown = sorted(arrows, key=lambda one: (-one.width, one.seq))[:ARROWS]
    unseen = len({(one.seq, one.gave) for one in taken}) - len(shown)
    return Picture(
        made, sorted(shown, key=lambda one: one.seq), drawing.axis.ticks(), made[-1].bottom + 2,
        len(names) - len(drawn), unseen, drawing.starts(lanes.started, {one.name: one for one in made}),
    )  # fmt: skip


class _Drawing(NamedTuple):
    """What lanes and arrows have in common; scale: pixels for one of the resource."""

    axis: Axis
    resource: str
    scale: float

    def lane(self, name: str, points: list[Held], ends: tuple[float, float], *, is_own: bool) -> Lane:
        held, deserved = self._figures(points[-1])
        spans = self.axis.spans(points, self._figures)
        pieces = [self._piece(one, since, until, ends[1]) for one, since, until in spans]
        return Lane(name, is_own, *ends, pieces, self._held(held, deserved), *self._stands(held, deserved))

    def _figures(self, one: Held) -> tuple[float, float | None]:
        return units_of(one.held, self.resource) or 0, units_of(one.deserved, self.resource)

    def _held(self, held: float, deserved: float | None) -> str:
        said = amount(held, self.resource)
        return said if deserved is None else f"{said} of {amount(deserved, self.resource)}"

    def _stands(self, held: float, deserved: float | None) -> tuple[str, bool]:
        """Return how a queue stands at the end, and whether it holds more than it deserves."""
        if deserved is None:
            return "no set share", False
        if held == deserved:
            return "has its share", False
        over = held > deserved
        return f"{amount(abs(held - deserved), self.resource)} {'over' if over else 'under'}", over

    def _piece(self, one: Held, since: int, until: int, bottom: float) -> Piece:
        held, deserved = self._figures(one)
        within = held if deserved is None else min(held, deserved)
        high, full = within * self.scale, held * self.scale
        x, end = self.axis.percent(since), self.axis.percent(until)
        line = None if deserved is None else round(bottom - 1 - deserved * self.scale, 1)
        says = f"from {self.axis.said(since)}: holds {self._held(held, deserved)}"
        return Piece(
            text(x), text(end - x), round(high, 1), round(bottom - high, 1), round(full - high, 1),
            round(bottom - full, 1), line, says,
        )  # fmt: skip

    def arrows(self, taken: Iterable[Taken], lanes: Mapping[str, Lane]) -> list[Arrow]:
        """Return an arrow for each queue that gave in a decision, as wide as what was taken."""
        sums: dict[tuple[int, str], list[Taken]] = {}
        for one in taken:
            if one.took in lanes and one.gave in lanes:
                sums.setdefault((one.seq, one.gave), []).append(one)
        amounts = [sum(one.asked[self.resource] for one in found) for found in sums.values()]
        return [
            self._arrow(found, taken, max(amounts), lanes)
            for found, taken in zip(sums.values(), amounts, strict=True)
        ]

    def starts(self, started: Iterable[Started], lanes: Mapping[str, Lane]) -> list[Sign]:
        """Return where jobs start, of those that lie together in a lane the last."""
        signs: dict[tuple[str, int], Sign] = {}
        for one in started:
            if one.queue in lanes:
                percent, lane = self.axis.percent(self.axis.place(one)), lanes[one.queue]
                at = self.axis.said(self.axis.place(one))
                says = f"{at}: {job_name(one.job)} starts, {count_of(one.pods, 'pod')} in {one.queue}"
                key = one.queue, int(percent * SIGNS / 100)
                signs[key] = Sign(text(percent), lane.bottom, says, one.seq)
        return list(signs.values())

    def _arrow(self, found: list[Taken], taken: int, most: int, lanes: Mapping[str, Lane]) -> Arrow:
        first, pods = found[0], sum(one.pods for one in found)
        gave, took = lanes[first.gave], lanes[first.took]
        way = 1 if gave.top < took.top else -1
        said = f"{amount(taken, self.resource)} {self.resource}, {count_of(pods, 'pod')}"
        return Arrow(
            text(self.axis.percent(self.axis.place(first))), gave.bottom, took.bottom - 7 * way,
            f"M-5 0h10l-5 {7 * way}z", round(1.5 + 3.5 * taken / most, 1), amount(taken, self.resource),
            f"session {first.session:,}: {first.took} takes {said} from {first.gave}", first.seq,
        )  # fmt: skip


def _level(one: Held, resource: str) -> float:
    return max(units_of(one.held, resource) or 0, units_of(one.deserved, resource) or 0)
