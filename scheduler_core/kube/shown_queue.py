"""What the log shows of the pods that wait, where a clock moves.

Beside the parts of the queue it has one row for each pod: since when it waits, why, and when at the latest it
is tried again.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.events.state import WAITING
from scheduler_core.kube.plugins.scheduling_gates import SchedulingGates
from scheduler_core.kube.queueing.backoff import SECOND
from scheduler_core.kube.queueing.queue_tables import Nomination, QueueTables
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.scheduling_queue import LONGEST_WAIT
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Appear, Set, Table, Vanish

FLUSH_PERIOD = 30 * SECOND
"""So often the queue looks for those that wait for too long."""
_MILLISECOND = 10**6


class ShownQueue:
    """Follows one queue: the rows of its waiting pods, and the nominations as the filters see them."""

    def __init__(self, state: ClusterState, owner: str, tables: QueueTables) -> None:
        self._state = state
        self._tables = tables
        self.waiting = WaitingRows(f"{WAITING}{owner}")
        tables.follow = self.follow

    def follow(self, table: str, key: Any, old: Any, new: Any) -> None:
        """Show what people see of a write, and take over a nomination."""
        if table == "pods":
            self._show(key, old, new)
        elif table == "nominations":
            self._nominate(key, old, new)

    def _show(self, uid: str, old: QueuedPod | None, new: QueuedPod | None) -> None:
        journal = self._state.journal
        before, after = (None if queued is None else _row(queued) for queued in (old, new))
        if before is None and after is not None:
            journal.do(Appear(self.waiting, uid, after))
        elif before is not None and after is None:
            journal.do(Vanish(self.waiting, uid, before))
        elif before is not None and after is not None and before != after:
            changed = [name for name in after if before[name] != after[name]]
            pair = ({name: row[name] for name in changed} for row in (before, after))
            journal.do(Set(self.waiting, uid, "", *pair))

    def _nominate(self, uid: str, old: Nomination | None, new: Nomination | None) -> None:
        """Keep the filters' view of the nominations: by node, in the order of nominating."""
        pod, nominations = self._state.pods.by_uid.get(uid), self._state.nominations
        if pod is None:
            return
        if old is not None and pod in nominations.orders.get(old.node, ()):
            nominations.take_out(old.node, pod)
        if new is not None:
            nominations.append(new.node, pod)

    def reload(self) -> None:
        """Show what the tables have, after they were loaded."""
        self.waiting.rows = {uid: _row(queued) for uid, queued in self._tables.pods.items()}


class WaitingRows(Table):
    """The log's rows of the pods that wait, by uid."""

    told = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: dict[str, dict[str, Any]] = {}

    def write(self, key: Any, field: str, value: Any) -> None:
        self.rows[key] = self.rows[key] | value

    def insert(self, key: Any, content: Any) -> None:
        self.rows[key] = content

    def remove(self, key: Any, content: Any) -> None:
        del self.rows[key]

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return old, new

    def row(self, key: Any) -> dict[str, Any]:
        return self.rows[key]


def _row(queued: QueuedPod) -> dict[str, Any]:
    """Return what people see of a pod that waits. Instants are milliseconds since the run's start."""
    unschedulable = queued.part == "unschedulable"
    return {
        "since": queued.since // _MILLISECOND,
        "attempts": queued.attempts,
        "plugins": sorted(queued.rejecters),
        "gate": queued.gate,
        "gates": _gates(queued),
        "until": _end_of_backoff(queued) if queued.part == "backoff" else None,
        "latest": _latest(queued.since) if unschedulable else None,
    }


def _gates(queued: QueuedPod) -> list[str]:
    """Return the names of the scheduling gates that keep a pod out."""
    if queued.gate != SchedulingGates.name:
        return []
    return [gate.name for gate in queued.pod.spec.scheduling_gates or ()]


def _end_of_backoff(queued: QueuedPod) -> int | None:
    return None if queued.expires is None else queued.expires // _MILLISECOND


def _latest(since: int) -> int:
    """Return the first flush at which the pod has waited for longer than is allowed."""
    return (((since + LONGEST_WAIT) // FLUSH_PERIOD + 1) * FLUSH_PERIOD) // _MILLISECOND
