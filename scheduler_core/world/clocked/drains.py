"""Drains of several nodes: the next one's turn comes when the one before is empty, or its time is over.

All nodes were cordoned before. `kubectl drain` waits for the pods whose evictions were granted until they are
gone. It gives up pods that are refused for another reason than a budget. At a node's timeout it stops waiting
for pods that are on their way, at once; pods that a budget keeps hold it up until it would ask again.

Source: kubectl v0.36 pkg/cmd/drain/drain.go RunDrain; pkg/drain/drain.go evictPods, waitForDelete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.register import Register
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.eviction_requests import RETRY_DELAY
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.timeline_entry import Entry

Turn = tuple[int, int, tuple[int, ...]]
"""How many nodes a drain has come to, when it began with the last, and whose evictions it asked for there."""


class Drains(ClockedActor, Checkpointed):
    """Goes on with the drains of the timeline's entries that name more than one node, by their edits."""

    remembered = {"turns": "_turns"}

    def __init__(self, cluster: Cluster, entries: Sequence[Entry]) -> None:
        self._cluster = cluster
        self._entries = {entry.edit: entry for entry in entries if entry.then and entry.rolls is None}
        self._turns: Register[int, Turn] = Register(cluster.state.journal, read=_turn)

    def heed(self, happening: Happening) -> None:
        """Take over from the timeline once a drain has begun."""
        entry = happening.entry
        if entry is None or entry.edit is None or entry.edit not in self._entries:
            return
        if entry.edit not in self._turns.values:
            self._turns.put(entry.edit, (1, self._cluster.now, self._asked(entry.key)))

    def due(self) -> int | None:
        return min(
            (self._free_at(edit) for edit in self._turns.values if self._is_under_way(edit)), default=None
        )

    def act(self) -> Happening:
        under_way = [edit for edit in self._turns.values if self._is_under_way(edit)]
        edit = min(under_way, key=lambda edit: (self._free_at(edit), edit))
        entry, done = self._entries[edit], self._turns.values[edit][0]
        node, now = entry.then[done - 1], self._cluster.now
        until = now + entry.until - entry.at
        report = self._cluster.ask_to_drain(node, until)
        self._turns.put(edit, (done + 1, now, self._asked(node)))
        return Happening("entry", report, entry=replace(entry, at=now, key=node, until=until, then=()))

    def _is_under_way(self, edit: int) -> bool:
        return self._turns.values[edit][0] <= len(self._entries[edit].then)

    def _asked(self, node: str) -> tuple[int, ...]:
        return tuple(sorted(self._cluster.state.placement.members(node)))

    def _free_at(self, edit: int) -> int:
        """Return when the drain turns to its next node, as things stand."""
        entry = self._entries[edit]
        _, since, pods = self._turns.values[edit]
        return free_at(self._cluster, pods, since, entry.until - entry.at)


def free_at(cluster: Cluster, pods: Iterable[int], since: int, patience: int) -> int:
    """Return when a drain is done with a node, as things stand: it asks for these pods `since` then."""
    until, last = since + patience, since + -(-patience // RETRY_DELAY) * RETRY_DELAY
    asked = {pod for pod, _ in cluster.asked.values.values()}
    free = cluster.now
    for pod in pods:
        if pod in cluster.state.gone.values:
            continue
        if pod in cluster.refused.values or pod in asked:
            free = max(free, last)
        elif cluster.state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            free = max(free, until)
    return free


def _turn(value: list) -> Turn:  # type: ignore[type-arg]
    done, since, pods = value
    return done, since, tuple(pods)
