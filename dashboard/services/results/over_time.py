"""A run over time: queue lengths, what is requested of the nodes, and waits, from one pass over its log.

The axis is the run's clock in milliseconds, or the number of the decision where no clock moves. It is cut
into BINS parts of equal length, of which at most two decisions each are kept, so that a log of any length
comes to a bounded document. What is kept is never an average: each point is the state after the decision
that it names. All arithmetic is that of whole numbers.
"""

from collections.abc import Iterable, Sequence

from dashboard.kinds.cards import MakeSeries
from dashboard.services.results.axis import End, Point
from dashboard.services.results.pools_over_time import PoolsOverTime
from dashboard.services.results.queue_over_time import QueueOverTime
from dashboard.services.results.requested import Requested
from dashboard.services.results.waits import Waits
from dashboard.shapes.over_time import Answer, Edit, Evictions
from scheduler_core.events.decisions import ClusterChange, Decision
from scheduler_core.events.effects import Effect, Evicted, effects
from scheduler_core.events.state import RunState

BINS = 240
MARKS = 100
"""So many edits are marked, the first ones."""


def over_time(base: RunState, decisions: Iterable[Decision], end: End) -> Answer:
    """Return a run without cards over time."""
    series = OverTime(base, end)
    for decision in decisions:
        series.add(decision, list(effects(decision.changes)))
    return series.document()


class OverTime:
    """The series while the decisions go by; `cards` makes that of cards, where a scheduler shares them."""

    def __init__(self, base: RunState, end: End, cards: MakeSeries | None = None) -> None:
        self._has_clock = base.time is not None
        self._start = base.at if base.time is None else base.time
        self._end = max(self._start, end.seq if end.time is None else end.time)
        self._bin = -1
        self._queue = QueueOverTime(base)
        self._pools = PoolsOverTime(base)
        self._waits = Waits(base, self._start)
        self._cards = cards(base, end.seq, self._pools.levels) if cards is not None else None
        self._evictions: list[Evictions] = []
        self._evicting: int | None = None
        """The part of the axis that the last of them is in."""
        self._edits: dict[int, Edit] = {}
        self._last = Point(base.at, base.time)
        self._keep()

    @property
    def requested(self) -> Requested:
        """What is asked of the nodes, as of the last decision."""
        return self._pools.levels

    def add(self, decision: Decision, happened: Sequence[Effect]) -> None:
        """Carry out a decision, which may lie behind the foretold end; `happened` is what it means."""
        at = decision.seq if decision.time is None else decision.time
        number = (at - self._start) * BINS // max(1, self._end - self._start)
        if number != self._bin:
            self._keep()
            self._bin = number
        point = self._last = Point(decision.seq, decision.time)
        self._end = max(self._end, at)
        self._queue.take(decision.changes, happened, at, point)
        self._pools.take(decision.changes, at, point)
        self._waits.take(happened, at, decision.seq)
        if self._cards is not None:
            self._cards.take(decision, happened)
        self._mark(decision, point, sum(isinstance(effect, Evicted) for effect in happened))

    def _mark(self, decision: Decision, point: Point, evicted: int) -> None:
        if evicted:
            if self._evicting != self._bin:
                self._evicting = self._bin
                self._evictions.append({"seq": point.seq, "time": point.time, "pods": 0})
            self._evictions[-1]["pods"] += evicted
        if isinstance(decision, ClusterChange) and decision.edit is not None and len(self._edits) < MARKS:
            edit = decision.edit
            self._edits.setdefault(edit, {"edit": edit, "seq": point.seq, "time": point.time})

    def _keep(self) -> None:
        """Keep what stands at the end of a part of the axis."""
        if not self._queue.points or self._queue.points[-1] != self._last:
            self._queue.keep(self._last)
            self._pools.keep(self._last)

    def document(self) -> Answer:
        """Return the series, once; edits are those with an instant."""
        self._keep()
        return {
            "axis": "time" if self._has_clock else "decision",
            "start": self._start,
            "end": self._end,
            "queue": self._queue.document(self._start, self._end),
            "requested": self._pools.document(),
            "pools": self._pools.figures(self._end),
            "evictions": self._evictions,
            "edits": list(self._edits.values()),
            "waits": self._waits.finish(self._end),
            "cards": self._cards.document() if self._cards is not None else None,
        }
