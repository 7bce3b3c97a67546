"""How long pods waited for a node: medians and tails by priority and by workload, exact to the unit.

A wait begins when a pod first comes into a queue, or with the run, and ends when a node is decided for it.
Who still waits at the end is told apart, and so is who left without ever having had a node. The unit is the
axis's: milliseconds of the run's clock, or decisions where no clock moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from dashboard.pod_names import pod_name
from dashboard.shapes import over_time as shapes
from scheduler_core.events.effects import Arrived, Effect, Entered, Left, Placed, Unplaced
from scheduler_core.events.state import GATED, PodRow, RunState, gated_later, waits_for_session

NO_WORKLOAD = "pods without a controller"
LISTED = 1000
"""So many workloads are listed, those that waited longest; the others are counted."""


def workload_of(pod: PodRow) -> str:
    """Return `Kind/namespace/name` of a pod's controller, of its pod group where it has none."""
    return pod.workload or (f"PodGroup/{pod.group}" if pod.group else NO_WORKLOAD)


@dataclass(slots=True)
class Longest:
    """The longest wait of some, whose it was, and at which decision it ended or, of one that lasts, began."""

    wait: int = -1
    pod: str = ""
    uid: str = ""
    seq: int = 0

    def meet(self, wait: int, row: PodRow, seq: int) -> None:
        """Take the pod's wait if it is longer."""
        if wait > self.wait:
            self.wait, self.pod, self.uid, self.seq = wait, pod_name(row), row.uid, seq

    def document(self) -> shapes.LongestWait | None:
        """Return it as an entry, None if nobody waited."""
        if self.wait < 0:
            return None
        return {"wait": self.wait, "pod": self.pod, "uid": self.uid, "seq": self.seq}


@dataclass(slots=True)
class _Group:
    """The waits of some pods: of those that found a node, and of those that still wait."""

    placed: array[int] = field(default_factory=lambda: array("q"))
    longest: Longest = field(default_factory=Longest)
    waiting: array[int] = field(default_factory=lambda: array("q"))
    waiting_longest: Longest = field(default_factory=Longest)
    left: int = 0

    def document(self) -> shapes.Group:
        return {
            "placed": _spread(self.placed, self.longest),
            "waiting": _spread(self.waiting, self.waiting_longest),
            "left": self.left,
        }

    @property
    def worst(self) -> int:
        return max(self.longest.wait, self.waiting_longest.wait)


Workload = tuple[str, str]
"""A namespace and a workload in it."""


class Waits:
    """Who waits since when, and how long the others waited."""

    def __init__(self, base: RunState, start: int) -> None:
        self._since: dict[str, tuple[int, int]] = {}
        self._of_sessions = base.of_sessions()
        self._rows: dict[str, PodRow] = {pod.uid: pod for pod in base.pods() if not pod.node}
        self._ended: dict[str, tuple[tuple[int, int], PodRow, int]] = {}
        """Since when each pod that is placed had waited, as what, and for how long."""
        self._all = _Group()
        self._priorities: dict[int, _Group] = {}
        self._workloads: dict[Workload, _Group] = {}
        self._start = start, base.at
        self._gated_later = gated_later(base)
        for uid, _ in base.waiting():
            self._since[uid] = self._start

    def take(self, happened: Iterable[Effect], at: int, seq: int) -> None:
        """Follow what a decision means for pods, at a place of the axis."""
        for effect in happened:
            match effect:
                case Arrived(row) if not row.node:
                    self._rows[row.uid] = row
                    if waits_for_session(row, self._of_sessions):
                        self._since[row.uid] = at, seq
                case Entered(pod, part) if part == GATED and pod in self._gated_later:
                    self._since.setdefault(pod, self._start)
                case Entered(pod, _):
                    self._since.setdefault(pod, (at, seq))
                case Placed(pod, _, _):
                    self._end(pod, at, seq)
                case Unplaced(pod, _) if pod in self._ended:
                    self._go_on(pod)
                case Left(pod):
                    self._leave(pod)

    def _go_on(self, pod: str) -> None:
        """Let a pod whose binding failed wait on, as if it had never been placed."""
        since, row, waited = self._ended.pop(pod)
        self._since[pod], self._rows[pod] = since, row
        for group in self._groups_of(row):
            group.placed.remove(waited)

    def _end(self, pod: str, at: int, seq: int) -> None:
        since, row = self._since.pop(pod, None), self._rows.pop(pod, None)
        if since is None or row is None:
            return
        self._ended[pod] = since, row, at - since[0]
        for group in self._groups_of(row):
            group.placed.append(at - since[0])
            group.longest.meet(at - since[0], row, seq)

    def _leave(self, pod: str) -> None:
        since, row = self._since.pop(pod, None), self._rows.pop(pod, None)
        if since is not None and row is not None:
            for group in self._groups_of(row):
                group.left += 1

    def _groups_of(self, row: PodRow) -> tuple[_Group, _Group, _Group]:
        workload = row.namespace, workload_of(row)
        return (
            self._all,
            self._priorities.setdefault(row.priority, _Group()),
            self._workloads.setdefault(workload, _Group()),
        )

    def finish(self, end: int) -> shapes.Waits:
        """Return the waits as of the end of the axis, once; whoever waits then has waited until there.

        Medians and tails by nearest rank, null of nobody. Priorities from the highest, workloads from the
        longest wait.
        """
        for pod, (since, seq) in self._since.items():
            row = self._rows[pod]
            for group in self._groups_of(row):
                group.waiting.append(end - since)
                group.waiting_longest.meet(end - since, row, seq)
        workloads = sorted(self._workloads.items(), key=lambda entry: (-entry[1].worst, entry[0]))
        return {
            "all": self._all.document(),
            "by_priority": [
                {"priority": priority, **self._priorities[priority].document()}
                for priority in sorted(self._priorities, reverse=True)
            ],
            "by_workload": [
                {"namespace": namespace, "workload": workload, **group.document()}
                for (namespace, workload), group in workloads[:LISTED]
            ],
            "workloads_left_out": max(0, len(workloads) - LISTED),
        }


def _spread(waits: array[int], longest: Longest) -> shapes.Spread:
    ordered = sorted(waits)
    return {
        "count": len(ordered),
        "median": nearest_rank(ordered, 50),
        "p90": nearest_rank(ordered, 90),
        "longest": longest.document(),
    }


def nearest_rank(ordered: list[int], percent: int) -> int | None:
    """Return the smallest of the ordered values that so many percent don't exceed; None of no values."""
    if not ordered:
        return None
    return ordered[-(-percent * len(ordered) // 100) - 1]
