"""How many pods wait in each part of the queues over a run, and when the queue was longest."""

from collections import Counter
from collections.abc import Iterable

from dashboard.services.results.axis import Point, quotient
from dashboard.shapes.over_time import Queue
from scheduler_core.events.changes import Change, Join, Leave, MoveAll
from scheduler_core.events.effects import Arrived, Effect, Entered, Left, Placed
from scheduler_core.events.state import GATED, OPEN, QUEUE, RunState, gated_later, waits_for_session

PARTS = ("active", "backoff", "unschedulable", "gated", "in_flight")
"""Those of every queue; schedulers of sessions keep none, and their pods wait as `open`."""
_OF_LISTS = (Join, Leave, MoveAll)


class QueueOverTime:
    """How many pods are in each part of all queues together.

    Of each part of the axis the longest queue is kept beside the last one: a jam of a second must not vanish
    from a picture of a month.
    """

    def __init__(self, base: RunState) -> None:
        self.points: list[Point] = []
        self._lengths = Counter(part for _, part in base.waiting())
        self._of_sessions = base.of_sessions()
        self._open = {pod for pod, part in base.waiting() if part == OPEN}
        self._kept: list[Counter[str]] = []
        self._peak: tuple[Point, Counter[str], int] | None = None
        self._total = self._lengths.total()
        self._area = 0
        self._start = self._since = base.at if base.time is None else base.time
        self._gated_later = gated_later(base)
        self._told: Counter[int] = Counter()
        """How many pods had waited behind gates when a decision told so, by how many points were kept."""
        self._longest = Point(base.at, base.time), self._total

    def take(self, changes: Iterable[Change], happened: Iterable[Effect], at: int, point: Point) -> None:
        """Carry out a decision, at its place of the axis."""
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

    def keep(self, last: Point) -> None:
        """Keep what stands at the end of a part of the axis."""
        if self._peak is not None and self._peak[2] > self._total:
            self.points.append(self._peak[0])
            self._kept.append(self._peak[1])
        self.points.append(last)
        self._kept.append(self._lengths.copy())
        self._peak = None

    def document(self, start: int, end: int) -> Queue:
        """Return the points, and what the whole axis from `start` to `end` comes to, once."""
        area = self._area + self._total * (end - self._since)
        told = 0
        for place in range(len(self._kept), -1, -1):
            if place < len(self._kept):
                self._kept[place][GATED] += told
            told += self._told[place]
        known = [*PARTS, *sorted({part for kept in self._kept for part in kept} - set(PARTS))]
        point, pods = self._longest
        return {
            "seq": [point.seq for point in self.points],
            "time": [point.time for point in self.points],
            "parts": {part: [kept[part] for kept in self._kept] for part in known},
            "longest": {"seq": point.seq, "time": point.time, "pods": pods},
            "mean": quotient(area, end - start),
        }
