"""The life of a queue in a run of sessions: what each left it with, and what it gave up and took there.

Of the log only those lines are decoded that can be about it: they name it, close a session, or evict.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dashboard.kinds.volcano.shapes import QueueSession
from dashboard.models import DecisionIndex, Run
from dashboard.queries.log import NOBODY_EVICTED, decisions_at
from dashboard.queries.replay import base_state
from scheduler_core.events.changes import Appear, Set
from scheduler_core.events.decisions import Decision, decision_decoder
from scheduler_core.events.sessions import (
    Enqueueing,
    Gang,
    Placement,
    QueueOverused,
    SessionClosed,
    SessionOpened,
)
from scheduler_core.events.state import GROUPS, QUEUES, TASKS

KINDS = ["session", "enqueue", "placement", "gang", "overused", "close"]
BETWEEN = ["change", "reconcile"]
"""Decisions between sessions, in which the queue and its pod groups come."""
NO_VICTIMS = b'"victims":[]'
_WHEN = {"session": 0, "until": 0, "seq": 0}
OfASession = SessionOpened | Enqueueing | Placement | Gang | QueueOverused | SessionClosed


def queue_history(run: Run, queue: str) -> list[QueueSession]:
    """Return a queue's sessions in order, neighbours in which nothing happened and nothing changed as one."""
    return _folded(_Reader(run, queue).sessions())


class _Reader:
    def __init__(self, run: Run, queue: str) -> None:
        self._run, self._queue = run, queue
        base = base_state(run)
        self._row: dict[str, Any] = dict(base.tables.get(QUEUES, {}).get(queue) or {})
        self._queue_of = {key: row["queue"] for key, row in base.tables.get(GROUPS, {}).items()}
        self._group_of: dict[str, str] = {}

    def sessions(self) -> Iterator[QueueSession]:
        """Yield an entry for every session, one that is still open at last."""
        now: QueueSession | None = None
        for decision in self._decisions():
            self._follow(decision)
            if not isinstance(decision, OfASession):
                continue
            if now is None or now["session"] != decision.session:
                now = _blank(decision.session)
            self._count(now, decision)
            if isinstance(decision, SessionClosed):
                yield self._with_figures(now)
                now = None
        if now is not None:
            yield self._with_figures(now)

    def _decisions(self) -> Iterator[Decision]:
        rows = DecisionIndex.objects.filter(run=self._run, kind__in=[*KINDS, *BETWEEN]).order_by("seq")
        known = list(rows.values_list("seq", "kind"))
        lines = decisions_at(self._run, [seq for seq, _ in known])
        mark = f'"{self._queue}"'.encode()
        for (_, kind), line in zip(known, lines, strict=False):
            evicts = (kind == "gang" and NOBODY_EVICTED not in line) or (
                kind == "placement" and NO_VICTIMS not in line
            )
            if kind == "close" or evicts or mark in line:
                yield decision_decoder.decode(line)

    def _follow(self, decision: Decision) -> None:
        """Keep the queue's row, and whose pods stand in the open statement."""
        for change in decision.changes:
            if isinstance(change, Set) and change.table == QUEUES and change.id == self._queue:
                self._row.update(change.new)
            elif isinstance(change, Appear) and change.table == QUEUES and change.id == self._queue:
                self._row = dict(change.row)
            elif isinstance(change, Appear) and change.table == GROUPS:
                self._queue_of[change.id] = change.row["queue"]
            elif isinstance(change, Appear) and change.table.startswith(TASKS):
                self._group_of[change.row["pod"]] = change.row["job"]

    def _with_figures(self, now: QueueSession) -> QueueSession:
        """Return the session with what it leaves the queue with."""
        row = self._row
        return {
            **now,
            "deserved": row.get("deserved"),
            "allocated": row.get("allocated"),
            "share": row.get("share"),
        }

    def _count(self, now: QueueSession, decision: OfASession) -> None:
        now["seq"] = decision.seq
        match decision:
            case Enqueueing(queue=self._queue) | Gang(queue=self._queue):
                now[decision.outcome] += 1
            case QueueOverused(queue=self._queue) | Placement(queue=self._queue, why="queue"):
                now["overused"] = True
        if isinstance(decision, Gang) and decision.outcome == "committed":
            self._count_committed(now, decision)

    def _count_committed(self, now: QueueSession, gang: Gang) -> None:
        is_ours = gang.queue == self._queue
        now["bound"] += len(gang.bound) if is_ours else 0
        for group, pods in Counter(self._group_of.get(pod.uid, "") for pod in gang.evicted).items():
            queue = self._queue_of.get(group)
            if is_ours and queue != self._queue:
                now["took"][group] = now["took"].get(group, 0) + pods
            elif queue == self._queue:
                now["gave"][group] = now["gave"].get(group, 0) + pods


def _blank(session: int) -> QueueSession:
    return {
        "session": session, "until": session, "seq": 0, "overused": False, "gave": {}, "took": {},
        "entered": 0, "rejected": 0, "committed": 0, "kept": 0, "discarded": 0, "bound": 0,
        "deserved": None, "allocated": None, "share": None,
    }  # fmt: skip


def _folded(sessions: Iterator[QueueSession]) -> list[QueueSession]:
    found: list[QueueSession] = []
    for entry in sessions:
        if found and _is_quiet(entry) and _alike(found[-1], entry):
            found[-1]["until"], found[-1]["seq"] = entry["until"], entry["seq"]
        else:
            found.append(entry)
    return found


def _is_quiet(entry: QueueSession) -> bool:
    """Tell whether nothing happened but that jobs were rejected."""
    statements = entry["committed"] or entry["kept"] or entry["discarded"]
    return not (entry["gave"] or entry["took"] or entry["entered"] or statements or entry["bound"])


def _alike(one: QueueSession, other: QueueSession) -> bool:
    """Tell whether sessions say the same, but for when."""
    return {**one, **_WHEN} == {**other, **_WHEN}
