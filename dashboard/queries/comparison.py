"""Two runs side by side: the first decision that differs, and which pods and nodes end differently.

Both logs are read once, together, a chunk at a time. Of runs that still go on, what they have so far is
compared: as many decisions as each had when the reading began.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, zip_longest

import msgspec

from dashboard.errors import NotYet
from dashboard.models import Run
from dashboard.models.runs import ENDED
from dashboard.queries.comparison_gangs import Gangs, gangs_of
from dashboard.queries.comparison_meaning import Seen, differing_parts, meaning, seen_decoder
from dashboard.queries.comparison_moved import Moved, moved_pods
from dashboard.queries.comparison_pods import Ledger, shared_pods
from dashboard.queries.comparison_room import Room, RoomWatch
from dashboard.queries.comparison_rows import NodeDifference, PodDifference, node_rows, pod_rows
from dashboard.queries.resuming import stored_lines
from scheduler_core.events.state import RunState
from scheduler_core.objects.collector import collector_at_rest

KEPT = 24
"""Comparisons kept for the next page of their rows: one page needs up to fourteen."""


@dataclass(frozen=True)
class FirstDifference:
    """The first decision that differs. A side is null where that run has come to its end before."""

    seq: int
    parts: list[str]
    a: Seen | None
    b: Seen | None


@dataclass(frozen=True)
class Rewording:
    """Decisions before the first difference whose messages differ: how many, and the first of them."""

    count: int
    seq: int
    a: str | None
    b: str | None


@dataclass(frozen=True)
class Retiming:
    """Decisions before the first difference at another instant: how many, and the first of them (ms)."""

    count: int
    seq: int
    a: int
    b: int


@dataclass(frozen=True)
class Totals:
    """What the outcome of a run does not count: decisions that evict for a pod, and pods that were tried."""

    preemptions: int
    pods_tried: int


@dataclass(frozen=True)
class Choices:
    """How many nodes an attempt of either run had to choose from at most, and how many of them were best."""

    feasible: int
    best: int


@dataclass(frozen=True)
class Differences:
    """What two logs differ in; `compared` decisions stand in both."""

    compared: int
    first: FirstDifference | None
    rewording: Rewording | None
    retiming: Retiming | None
    room: Room | None
    totals: tuple[Totals, Totals]
    gangs: Gangs
    choices: Choices
    moved: list[Moved]
    pods: list[PodDifference]
    nodes: list[NodeDifference]


def differences(a: Run, b: Run) -> Differences:
    """Compare the stored logs of two runs; raises NotYet while one of them has no state to begin with."""
    return _differences(_Log.of(a), _Log.of(b))


@dataclass(frozen=True)
class _Log:
    """A run's log as far as it reached: what a comparison depends on."""

    run: int
    created: str
    head: int
    status: str

    @classmethod
    def of(cls, run: Run) -> "_Log":
        return cls(run.pk, run.created_at.isoformat(), run.decisions, run.status)

    def base(self) -> bytes:
        stored = Run.objects.only("base").get(pk=self.run).base_json()
        if stored is None:
            why = "ended before its first decision" if self.status in ENDED else "has not begun yet"
            raise NotYet(f"Run {self.run} {why}.")
        if not self.head and self.status not in ENDED:
            raise NotYet(f"Run {self.run} has not taken a decision yet.")
        return stored

    def lines(self) -> Iterator[bytes]:
        return islice(stored_lines(self.run, 0), self.head)


@lru_cache(maxsize=KEPT)
def _differences(a: _Log, b: _Log) -> Differences:
    with collector_at_rest():
        return _read_together(a, b)


def _read_together(a: _Log, b: _Log) -> Differences:
    walk = _Walk(*_ledgers(a.base(), b.base()))
    for line_a, line_b in zip_longest(a.lines(), b.lines()):
        walk.step(line_a, line_b)
    one_went_on = a.head != b.head and (a if a.head < b.head else b).status == "finished"
    return Differences(
        compared=min(a.head, b.head),
        first=walk.first or (walk.left_alone if one_went_on else None),
        rewording=walk.rewording,
        retiming=walk.retiming,
        room=walk.room(),
        totals=walk.totals(),
        gangs=gangs_of(walk.a, walk.b),
        choices=Choices(walk.feasible, walk.best),
        moved=moved_pods(walk.a, walk.b),
        pods=pod_rows(walk.a, walk.b),
        nodes=node_rows(walk.a, walk.b),
    )


def _ledgers(one: bytes, other: bytes) -> tuple[Ledger, Ledger]:
    """Return the beginnings of both runs; one that is the same is read once."""
    base = msgspec.json.decode(one, type=RunState)
    base_of_other = base if one == other else msgspec.json.decode(other, type=RunState)
    pods = base.pods()
    pods_of_other = pods if one == other else base_of_other.pods()
    shared = shared_pods(pods, pods_of_other)
    return Ledger(base, pods, shared), Ledger(base_of_other, pods_of_other, shared)


class _Walk:
    """Both logs, one decision number at a time."""

    def __init__(self, a: Ledger, b: Ledger) -> None:
        self.a, self.b = a, b
        self.first: FirstDifference | None = None
        self.left_alone: FirstDifference | None = None
        self.rewording: Rewording | None = None
        self.retiming: Retiming | None = None
        self._watches = RoomWatch(), RoomWatch()
        self._preemptions = [0, 0]
        self.feasible = self.best = 0

    def step(self, line_a: bytes | None, line_b: bytes | None) -> None:
        """Take in the decisions of one number; None where a log has ended."""
        one = seen_decoder.decode(line_a) if line_a is not None else None
        other = one if line_a == line_b else seen_decoder.decode(line_b) if line_b is not None else None
        if self.first is None:
            self._compare(one, other, line_a == line_b)
        for side, (seen, ledger) in enumerate(((one, self.a), (other, self.b))):
            if seen is not None:
                ledger.take(seen.seq, seen.uid, seen.is_try, seen.changes)
                self._watches[side].take(seen)
                self.feasible = max(self.feasible, seen.feasible)
                self.best = max(self.best, seen.best_count)
                if seen.victims:
                    self._preemptions[side] += 1

    def _compare(self, one: Seen | None, other: Seen | None, equal: bool) -> None:
        if one is None or other is None:
            present = one or other
            if self.left_alone is None and present is not None:
                self.left_alone = FirstDifference(present.seq, ["end"], one, other)
            return
        if equal:
            return
        parts = differing_parts(meaning(one, self.a.keys), meaning(other, self.b.keys))
        if parts:
            self.first = FirstDifference(one.seq, parts, one, other)
            for watch, seen in zip(self._watches, (one, other), strict=True):
                watch.look_at(seen)
            return
        if one.time is not None and other.time is not None and one.time != other.time:
            timed = self.retiming or Retiming(0, one.seq, one.time, other.time)
            self.retiming = Retiming(timed.count + 1, timed.seq, timed.a, timed.b)
        if one.message != other.message:
            known = self.rewording or Rewording(0, one.seq, one.message, other.message)
            self.rewording = Rewording(known.count + 1, known.seq, known.a, known.b)

    def room(self) -> Room | None:
        """Return whose freed room was taken in one run and held in the other, if that is the difference."""
        first = self.first
        if first is None or first.a is None or first.b is None:
            return None
        watch_a, watch_b = self._watches
        return watch_a.stolen("a", watch_b) or watch_b.stolen("b", watch_a)

    def totals(self) -> tuple[Totals, Totals]:
        """Return the figures of both runs."""
        tried = [sum(1 for life in ledger.lives.values() if life.attempts) for ledger in (self.a, self.b)]
        one, other = (Totals(*figures) for figures in zip(self._preemptions, tried, strict=True))
        return one, other
