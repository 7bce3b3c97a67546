"""What all queues of a run held and deserved from session to session, and what they took from each other.

A statement of a job that evicts pods of another queue takes them for the job's own queue.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.models import DecisionIndex, Run
from dashboard.queries.log import NOBODY_EVICTED, decisions_at
from dashboard.queries.replay import base_state
from scheduler_core.events.changes import Appear, Set, Vanish
from scheduler_core.events.decisions import Decision, decision_decoder
from scheduler_core.events.sessions import Figures, Gang, SessionClosed, SessionOpened
from scheduler_core.events.state import GROUPS, PODS, QUEUES

_WRITING = ["change", "reconcile", "session", "close"]
"""Decisions that change queues, pod groups or whose pods are whose; of others binds and evictions matter."""
_NOBODY_BOUND = b'"bound":[]'


class Held(NamedTuple):
    """What a queue holds and deserves after a session, in the log's units; no `time` without a clock.

    That with which the first session opens stands before it.
    """

    session: int
    seq: int
    time: int | None
    held: Figures
    deserved: Figures


class Taken(NamedTuple):
    """So many pods of a group of the queue `gave` had to go for a job of the queue `took`, another one.

    asked: what these pods asked for together, in the log's units. `whom` and `job` are pod groups.
    """

    session: int
    seq: int
    time: int | None
    took: str
    gave: str
    job: str
    whom: str
    pods: int
    asked: dict[str, int]


class Started(NamedTuple):
    """A job of a queue, by its pod group, whose first pods were bound, so many at once."""

    session: int
    seq: int
    time: int | None
    queue: str
    job: str
    pods: int


class Lanes(NamedTuple):
    """The points of every queue in order, each other than the one before; what was taken, what started."""

    queues: dict[str, list[Held]]
    taken: list[Taken]
    started: Sequence[Started] = ()


def lanes_of(run: Run) -> Lanes:
    """Return what the queues of a run held and deserved, and took from each other."""
    return _Reader(run).lanes()


class _Reader:
    def __init__(self, run: Run) -> None:
        base = base_state(run)
        self._run = run
        self._rows = {name: dict(row) for name, row in base.tables.get(QUEUES, {}).items()}
        self._queue_of = {key: row["queue"] for key, row in base.tables.get(GROUPS, {}).items()}
        self._pods: dict[str, Mapping[str, Any]] = {
            uid: {"group": row.get("group", ""), "requests": row["requests"]}
            for uid, row in base.tables.get(PODS, {}).items()
        }
        self._queues: dict[str, list[Held]] = {}
        self._taken: list[Taken] = []
        self._started: dict[str, Started] = {}
        self._ran = {row.get("group", "") for row in base.tables.get(PODS, {}).values() if row.get("node")}

    def lanes(self) -> Lanes:
        """Read the log once."""
        rows = DecisionIndex.objects.filter(run=self._run).order_by("seq").values_list("seq", "kind")
        known = list(rows)
        mark = f'"{QUEUES}"'.encode()
        for (_, kind), line in zip(known, decisions_at(self._run, [seq for seq, _ in known]), strict=True):
            acts = kind == "gang" and not (NOBODY_EVICTED in line and _NOBODY_BOUND in line)
            if kind in _WRITING or acts or mark in line:
                self._follow(decision_decoder.decode(line))
        return Lanes(self._queues, self._taken, list(self._started.values()))

    def _follow(self, decision: Decision) -> None:
        for change in decision.changes:
            if isinstance(change, Appear | Set | Vanish):
                self._write(change)
        if isinstance(decision, SessionClosed):
            self._note(decision, decision.session)
        elif isinstance(decision, SessionOpened) and not self._queues:
            self._note(decision, decision.session - 1)
        elif isinstance(decision, Gang) and decision.outcome == "committed":
            self._start(decision)
            self._take(decision)

    def _start(self, gang: Gang) -> None:
        """Note the first pods of a job that are bound, if no pod of it had a node at the start."""
        if gang.bound and gang.job not in self._ran:
            when = gang.session, gang.seq, gang.time
            self._started.setdefault(gang.job, Started(*when, gang.queue, gang.job, len(gang.bound)))

    def _write(self, change: Appear | Set | Vanish) -> None:
        match change:
            case Appear(table="queues"):
                self._rows[change.id] = dict(change.row)
            case Set(table="queues"):
                self._rows[change.id].update(change.new)
            case Vanish(table="queues"):
                self._rows.pop(change.id, None)
            case Appear(table="groups"):
                self._queue_of[change.id] = change.row["queue"]
            case Appear(table="pods"):
                row = change.row
                self._pods[change.id] = {"group": row.get("group", ""), "requests": row["requests"]}
            case Set(table="pods") if "group" in change.new:
                self._pods[change.id] = {**self._pods[change.id], "group": change.new["group"]}

    def _note(self, decision: SessionOpened | SessionClosed, session: int) -> None:
        for name, row in self._rows.items():
            now = row.get("allocated") or {}, row.get("deserved") or {}
            points = self._queues.setdefault(name, [])
            if not points or (points[-1].held, points[-1].deserved) != now:
                points.append(Held(session, decision.seq, decision.time, *now))

    def _take(self, gang: Gang) -> None:
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for pod in gang.evicted:
            row = self._pods.get(pod.uid, {})
            groups.setdefault(row.get("group", ""), []).append(row)
        for group, rows in groups.items():
            gave = self._queue_of.get(group, "")
            if not gave or gave == gang.queue:
                continue
            asked: Counter[str] = Counter()
            for row in rows:
                asked.update(row.get("requests") or {})
            when = gang.session, gang.seq, gang.time
            self._taken.append(Taken(*when, gang.queue, gave, gang.job, group, len(rows), dict(asked)))
