"""Rolling drains: so many nodes at a time are cordoned and emptied, and come back, as in an upgrade.

A node's turn ends when it is back; where nodes don't come back, when it is empty. A node that is given up, as
`kubectl drain` gives it up at its timeout or for a pod that it may not ask for again, stays cordoned. Its
turn ends then.

Source: kubectl v0.36 pkg/cmd/drain/drain.go RunDrain; docs/semantics.md "Drain".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.identity import comes_back
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.register import Register
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.drains import free_at
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.timeline_entry import Entry


class Turn(NamedTuple):
    """A node, since when it is drained, and the pods (rows) that have to leave it."""

    node: str
    since: int
    pods: tuple[int, ...]


Progress = tuple[int, tuple[Turn, ...]]
"""How many nodes a drain has come to, and the turns that have not ended."""


class RollingDrains(ClockedActor, Checkpointed):
    """Goes on with the timeline's rolling drains, by their edits."""

    remembered = {"progress": "_progress"}

    def __init__(
        self, cluster: Cluster, entries: Sequence[Entry], document: Callable[[int], dict[str, Any]]
    ) -> None:
        self._cluster = cluster
        self._document = document
        self._entries = {entry.edit: entry for entry in entries if entry.edit is not None and entry.rolls}
        self._progress: Register[int, Progress] = Register(cluster.state.journal, read=_progress)

    def heed(self, happening: Happening) -> None:
        """Take over from the timeline once a drain has begun."""
        entry = happening.entry
        if entry is None or entry.edit is None or entry.edit not in self._entries:
            return
        if entry.verb == "drain" and entry.edit not in self._progress.values:
            self._progress.put(entry.edit, (1, (self._turn(entry.key),)))

    def due(self) -> int | None:
        return min((at for at, _, _ in self._next()), default=None)

    def act(self) -> Happening | None:
        _, edit, turn = min(self._next(), key=lambda one: one[:2])
        entry, (done, turns) = self._entries[edit], self._progress.values[edit]
        if turn is None:
            return self._begin(entry, edit, done, turns)
        self._progress.put(edit, (done, tuple(one for one in turns if one is not turn)))
        if self._emptied_at(turn) is None or self._pause(entry) is None:
            return None
        now = self._cluster.now
        back = replace(entry, at=now, verb="uncordon", key=turn.node, then=(), rolls=None)
        return Happening("entry", self._cluster.cordon(turn.node, closed=False), entry=back)

    def _begin(self, entry: Entry, edit: int, done: int, turns: tuple[Turn, ...]) -> Happening:
        node, now = entry.then[done - 1], self._cluster.now
        until = now + entry.until - entry.at
        report: Report | None = self._cluster.cordon(node, closed=True)
        if report is not None:
            report.extend(self._cluster.ask_to_drain(node, until) or Report())
        self._progress.put(edit, (done + 1, (*turns, self._turn(node))))
        return Happening("entry", report, entry=replace(entry, at=now, key=node, until=until, then=()))

    def _next(self) -> Iterator[tuple[int, int, Turn | None]]:
        """Yield when each turn ends as things stand, of which edit; no turn where the next one begins."""
        for edit, (done, turns) in self._progress.values.items():
            entry = self._entries[edit]
            assert entry.rolls is not None
            yield from ((self._ends_at(entry, turn), edit, turn) for turn in turns)
            if done <= len(entry.then) and len(turns) < entry.rolls[0]:
                yield self._cluster.now, edit, None

    def _ends_at(self, entry: Entry, turn: Turn) -> int:
        emptied = self._emptied_at(turn)
        if emptied is None:
            return free_at(self._cluster, turn.pods, turn.since, entry.until - entry.at)
        return emptied + (self._pause(entry) or 0)

    def _emptied_at(self, turn: Turn) -> int | None:
        """Return when the last of a turn's pods left, None while one is there."""
        ended = self._cluster.ended.values
        if any(pod not in self._cluster.state.gone.values for pod in turn.pods):
            return None
        return max((ended[pod][0] for pod in turn.pods if pod in ended), default=turn.since)

    @staticmethod
    def _pause(entry: Entry) -> int | None:
        return None if entry.rolls is None else entry.rolls[1]

    def _turn(self, node: str) -> Turn:
        there: Iterable[int] = self._cluster.state.placement.members(node)
        pods = tuple(sorted(pod for pod in there if not comes_back(self._document(pod))))
        return Turn(node, self._cluster.now, pods)


def _progress(value: list[Any]) -> Progress:
    done, turns = value
    return done, tuple(Turn(node, since, tuple(pods)) for node, since, pods in turns)
