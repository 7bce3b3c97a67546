"""A run over time: queue lengths, what is requested of the nodes, and waits, from one pass over its log.

The axis is the run's clock in milliseconds, or the number of the decision where no clock moves. It is cut
into BINS parts of equal length, of which at most two decisions each are kept, so that a log of any length
comes to a bounded document. What is kept is never an average: each point is the state after the decision
that it names. All arithmetic is that of whole numbers.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from dashboard.kinds.cards import MakeSeries
from dashboard.services.imports.snapshot_rows import pool_of
from dashboard.services.results.requested import ALL, Requested
from dashboard.services.results.waits import Waits
from scheduler_core.events.changes import Change, Join, Leave, MoveAll
from scheduler_core.events.decisions import ClusterChange, Decision
from scheduler_core.events.effects import Arrived, Effect, Entered, Evicted, Left, Placed, effects
from scheduler_core.events.state import GATED, OPEN, QUEUE, RunState, gated_later, waits_for_session

BINS = 240
POOLS = 8
"""So many pools have series of their own, the largest of the first state; all others are one."""
RESOURCES = 6
MARKS = 100
"""So many edits are marked, the first ones."""
PARTS = ("active", "backoff", "unschedulable", "gated", "in_flight")
"""Those of every queue; schedulers of sessions keep none, and their pods wait as `open`."""
_OF_LISTS = (Join, Leave, MoveAll)
NO_POOL, OTHER_POOLS = "nodes without a pool", "other pools"


class End(NamedTuple):
    """Where the axis ends: the last decision, and the clock then (null where none moves).

    A run that its end cut off goes on without decisions until there, so its clock may be later than the last
    decision's.
    """

    seq: int
    time: int | None


def over_time(base: RunState, decisions: Iterable[Decision], end: End) -> dict[str, Any]:
    """Return the run over time; see OverTime.document."""
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
        self._queue = _Queue(base)
        self._room = _Room(base)
        self._waits = Waits(base, self._start)
        self._cards = cards(base, end.seq, self._room.levels) if cards is not None else None
        self._evictions: list[dict[str, Any]] = []
        self._edits: dict[int, dict[str, Any]] = {}
        self._last = _Point(base.at, base.time)
        self._keep()

    @property
    def requested(self) -> Requested:
        """What is asked of the nodes, as of the last decision."""
        return self._room.levels

    def add(self, decision: Decision, happened: Sequence[Effect]) -> None:
        """Carry out a decision, which may lie behind the foretold end; `happened` is what it means."""
        at = decision.seq if decision.time is None else decision.time
        number = (at - self._start) * BINS // max(1, self._end - self._start)
        if number != self._bin:
            self._keep()
            self._bin = number
        point = self._last = _Point(decision.seq, decision.time)
        self._end = max(self._end, at)
        self._queue.take(decision.changes, happened, at, point)
        self._room.take(decision.changes, at, point)
        self._waits.take(happened, at, decision.seq)
        if self._cards is not None:
            self._cards.take(decision, happened)
        self._mark(decision, point, sum(isinstance(effect, Evicted) for effect in happened))

    def _mark(self, decision: Decision, point: "_Point", evicted: int) -> None:
        if evicted:
            if not self._evictions or self._evictions[-1]["bin"] != self._bin:
                self._evictions.append({"bin": self._bin, **point._asdict(), "pods": 0})
            self._evictions[-1]["pods"] += evicted
        if isinstance(decision, ClusterChange) and decision.edit is not None and len(self._edits) < MARKS:
            self._edits.setdefault(decision.edit, point._asdict())

    def _keep(self) -> None:
        """Keep what stands at the end of a part of the axis."""
        if not self._queue.points or self._queue.points[-1] != self._last:
            self._queue.keep(self._last)
            self._room.keep(self._last)

    def document(self) -> dict[str, Any]:
        """Return the series, once.

        axis: "time" or "decision"; start, end: on it. queue: `seq` and `time` of its points, `parts` with the
        pods in each part of the queues after them, `longest` and the `mean` length. requested: `seq` and
        `time` of its points, and by pool and resource the amounts after them. pools: the same as figures.
        evictions: how many pods, by the first decision of a part of the axis that evicts. edits: the first
        decision of each edit that has an instant. waits: see Waits.finish. cards: see CardSeries.document,
        null where there are none.
        """
        self._keep()
        return {
            "axis": "time" if self._has_clock else "decision",
            "start": self._start,
            "end": self._end,
            "queue": self._queue.document(self._start, self._end),
            "requested": self._room.document(),
            "pools": self._room.figures(self._end),
            "evictions": [{key: row[key] for key in ("seq", "time", "pods")} for row in self._evictions],
            "edits": [{"edit": edit, **point} for edit, point in self._edits.items()],
            "waits": self._waits.finish(self._end),
            "cards": self._cards.document() if self._cards is not None else None,
        }


class _Point(NamedTuple):
    """A decision as a place on the axis."""

    seq: int
    time: int | None


class _Queue:
    """How many pods are in each part of all queues together.

    Of each part of the axis the longest queue is kept beside the last one: a jam of a second must not vanish
    from a picture of a month.
    """

    def __init__(self, base: RunState) -> None:
        self.points: list[_Point] = []
        self._lengths = Counter(part for _, part in base.waiting())
        self._of_sessions = base.of_sessions()
        self._open = {pod for pod, part in base.waiting() if part == OPEN}
        self._kept: list[Counter[str]] = []
        self._peak: tuple[_Point, Counter[str], int] | None = None
        self._total = self._lengths.total()
        self._area = 0
        self._start = self._since = base.at if base.time is None else base.time
        self._gated_later = gated_later(base)
        self._told: Counter[int] = Counter()
        """How many pods had waited behind gates when a decision told so, by how many points were kept."""
        self._longest = _Point(base.at, base.time), self._total

    def take(self, changes: Iterable[Change], happened: Iterable[Effect], at: int, point: _Point) -> None:
        self._area += self._total * (at - self._since)
        self._since = at
        for effect in happened:
            if isinstance(effect, Entered) and effect.part == GATED and effect.pod in self._gated_later:
                self._gated_later.discard(effect.pod)
                self._wait_from_start(at)
        for change in changes:
            if isinstance(change, _OF_LISTS) and change.list.startswith(QUEUE):
                self._follow(change)
        if self._of_sessions:
            self._follow_open(happened)
        if self._peak is None or self._total > self._peak[2]:
            self._peak = point, self._lengths.copy(), self._total
        if self._total > self._longest[1]:
            self._longest = point, self._total

    def _wait_from_start(self, at: int) -> None:
        """Count one more pod before this place of the axis too; what comes from here on counts it anyway."""
        self._area += at - self._start
        self._told[len(self._kept)] += 1
        self._longest = self._longest[0], self._longest[1] + 1
        if self._peak is not None:
            point, lengths, total = self._peak
            lengths[GATED] += 1
            self._peak = point, lengths, total + 1

    def _follow(self, change: Join | Leave | MoveAll) -> None:
        if isinstance(change, MoveAll):
            self._lengths[change.of] -= change.count
            self._lengths[change.to] += change.count
        else:
            by = 1 if isinstance(change, Join) else -1
            self._lengths[change.of] += by
            self._total += by

    def _follow_open(self, happened: Iterable[Effect]) -> None:
        """Keep who waits for a scheduler that has no queue."""
        for effect in happened:
            match effect:
                case Arrived(row) if waits_for_session(row, self._of_sessions):
                    self._open.add(row.uid)
                case Placed(pod) | Left(pod):
                    self._open.discard(pod)
        self._total += len(self._open) - self._lengths[OPEN]
        self._lengths[OPEN] = len(self._open)

    def keep(self, last: _Point) -> None:
        if self._peak is not None and self._peak[2] > self._total:
            self.points.append(self._peak[0])
            self._kept.append(self._peak[1])
        self.points.append(last)
        self._kept.append(self._lengths.copy())
        self._peak = None

    def document(self, start: int, end: int) -> dict[str, Any]:
        area = self._area + self._total * (end - self._since)
        told = 0
        for place in range(len(self._kept), -1, -1):
            if place < len(self._kept):
                self._kept[place][GATED] += told
            told += self._told[place]
        known = [*PARTS, *sorted({part for kept in self._kept for part in kept} - set(PARTS))]
        point, pods = self._longest
        return {
            **_columns(self.points),
            "parts": {part: [kept[part] for kept in self._kept] for part in known},
            "longest": {**point._asdict(), "pods": pods},
            "mean": _quotient(area, end - start),
        }


class _Room:
    """What is requested of what nodes have, by pool and resource, at the end of each part of the axis."""

    def __init__(self, base: RunState) -> None:
        self.points: list[_Point] = []
        sizes = Counter(pool_of(node.labels) for node in base.nodes())
        by_size = sorted(sizes, key=lambda pool: (-sizes[pool], pool))
        self._shown = dict.fromkeys([pool for pool in by_size if pool][:POOLS])
        self.levels = Requested(base, self._name_of)
        self._kept: list[dict[tuple[str, str], tuple[int, int]]] = []
        self._start = {key: self.levels.pools[key[0]].amounts(key[1]) for key in self.levels.touched}
        self._most: dict[tuple[str, str], tuple[int, int, _Point]] = {}
        self._note_most(_Point(base.at, base.time))

    def _name_of(self, labels: dict[str, str]) -> str:
        name = pool_of(labels)
        if not name:
            return NO_POOL
        if name not in self._shown and len(self._shown) < POOLS:
            self._shown[name] = None
        return name if name in self._shown else OTHER_POOLS

    def take(self, changes: list[Change], at: int, point: _Point) -> None:
        self.levels.take(changes, at)
        self._note_most(point)

    def _note_most(self, point: _Point) -> None:
        """Keep the highest share of each pool and resource, compared as fractions of whole numbers."""
        for key in self.levels.touched:
            requested, allocatable = self.levels.pools[key[0]].amounts(key[1])
            known = self._most.get(key)
            if allocatable > 0 and (known is None or requested * known[1] > known[0] * allocatable):
                self._most[key] = requested, allocatable, point

    def keep(self, last: _Point) -> None:
        self.points.append(last)
        self._kept.append(
            {
                (name, resource): pool.amounts(resource)
                for name, pool in self.levels.pools.items()
                for resource in {**pool.allocatable, **pool.requested}
            }
        )

    def _resources(self) -> list[str]:
        """Return cpu and memory, and what devices the nodes have or had."""
        devices = {name for pool in self.levels.pools.values() for name in pool.allocatable if "/" in name}
        return ["cpu", "memory", *sorted(devices)][:RESOURCES]

    def _names(self) -> list[str]:
        """Return the pools, all nodes first; nodes that name no pool are one only beside others that do."""
        named = [name for name in self.levels.pools if name != ALL]
        return [ALL, *named] if named != [NO_POOL] else [ALL]

    def document(self) -> dict[str, Any]:
        return {
            **_columns(self.points),
            "series": [
                {
                    "pool": name,
                    "resource": resource,
                    "requested": [kept.get((name, resource), (0, 0))[0] for kept in self._kept],
                    "allocatable": [kept.get((name, resource), (0, 0))[1] for kept in self._kept],
                }
                for name in self._names()
                for resource in self._resources()
                if self._is_known(name, resource)
            ],
        }

    def _is_known(self, name: str, resource: str) -> bool:
        pool = self.levels.pools[name]
        return resource in pool.allocatable or resource in pool.requested

    def figures(self, end: int) -> list[dict[str, Any]]:
        """Return a row for each pool and resource: amounts at the end, and shares in percent (null of none).

        `mean` is over the whole axis, `most` the highest share after any decision, which `seq` names.
        """
        return [
            self._figure(name, resource, end)
            for name in self._names()
            for resource in self._resources()
            if self._is_known(name, resource)
        ]

    def _figure(self, name: str, resource: str, end: int) -> dict[str, Any]:
        pool = self.levels.pools[name]
        requested, allocatable = pool.amounts(resource)
        over, most_of, point = self._most.get((name, resource), (0, 0, None))
        return {
            "pool": name,
            "nodes": pool.nodes,
            "resource": resource,
            "requested": requested,
            "allocatable": allocatable,
            "start": percent_of(*self._start.get((name, resource), (0, 0))),
            "mean": percent_of(*pool.mean(resource, end)),
            "most": percent_of(over, most_of),
            "seq": point.seq if point else None,
            "time": point.time if point else None,
            "end": percent_of(requested, allocatable),
        }


def _columns(points: list[_Point]) -> dict[str, list[int | None]]:
    return {"seq": [point.seq for point in points], "time": [point.time for point in points]}


def _quotient(area: int, length: int) -> float | None:
    return round(area / length, 2) if length else None


def percent_of(part: int, whole: int) -> float | None:
    """Return a share in percent to a tenth, to a thousandth where that would be 0; None of nothing."""
    if not whole:
        return None
    share = 100 * part / whole
    return round(share, 1) or round(share, 3)
