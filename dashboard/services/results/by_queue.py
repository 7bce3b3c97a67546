"""Pods by Volcano's queues and pod groups: what each one came to, while the decisions go by."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from dashboard.shapes.outcome import COMPLETED, Group, Queue
from scheduler_core.events.changes import Appear, Set, Vanish
from scheduler_core.events.decisions import ClusterChange, Decision
from scheduler_core.events.effects import Arrived, Effect, Evicted, Left, Placed
from scheduler_core.events.following import follow_rows
from scheduler_core.events.sessions import Enqueueing, Gang, Placement
from scheduler_core.events.state import ACTORS, GROUPS, PODS, QUEUES, PodRow, RunState
from scheduler_core.schedulers.unasked import why_unasked

_OF_ROWS = (Set, Appear, Vanish)
ENDS_WELL = ("finished", "gone")
"""The outcomes by which a pod ends that nobody asked to go."""
_ROW: dict[str, Any] = {}
"""Of a queue of which only the name matters."""


class QueueTally:
    """Counts pods of pod groups; there is nothing to count in a run without them.

    Controllers make pod groups in a run, name them in pods that are there, and delete them; one that is
    gone keeps its row as it was last.
    """

    def __init__(self, base: RunState) -> None:
        self._groups = {key: dict(row) for key, row in sorted(base.tables.get(GROUPS, {}).items())}
        self._actors = base.tables.get(ACTORS, {})
        self._queues = dict.fromkeys(base.tables.get(QUEUES, {}), _ROW)
        self._had_queues = set(self._queues)
        self._deleted: set[str] = set()
        self._group_of: dict[str, str] = {}
        self._present: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._completed: Counter[str] = Counter()
        self._node: set[str] = set()
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._last: dict[str, int] = {}
        for pod in base.pods():
            self._arrive(pod)

    def add(self, decision: Decision, happened: Iterable[Effect]) -> None:
        """Follow a decision."""
        if isinstance(decision, Enqueueing | Placement | Gang):
            self._last[decision.job] = decision.seq
        ends = isinstance(decision, ClusterChange) and decision.outcome in ENDS_WELL
        for effect in happened:
            if isinstance(effect, Arrived):
                self._arrive(effect.row)
            elif isinstance(effect, Placed | Evicted | Left) and effect.pod in self._group_of:
                if ends and isinstance(effect, Left) and effect.row.node and not effect.row.terminating:
                    self._completed[self._group_of[effect.pod]] += 1
                self._carry_out(effect, self._group_of[effect.pod])
        for change in decision.changes:
            if not isinstance(change, _OF_ROWS):
                continue
            if change.table == GROUPS:
                self._follow_group(change)
            elif change.table == QUEUES and isinstance(change, Appear):
                self._queues[change.id] = _ROW
                self._had_queues.add(change.id)
            elif change.table == QUEUES and isinstance(change, Vanish):
                self._queues.pop(change.id, None)
            elif change.table == PODS and isinstance(change, Set) and change.new.get("group"):
                self._join(change.id, change.new["group"])

    def _follow_group(self, change: Set | Appear | Vanish) -> None:
        follow_rows(self._groups, GROUPS, [change])
        if isinstance(change, Appear):
            self._deleted.discard(change.id)
        elif isinstance(change, Vanish):
            self._deleted.add(change.id)

    def _arrive(self, pod: PodRow) -> None:
        if pod.group:
            self._join(pod.uid, pod.group)
            if pod.node:
                self._start(pod.uid, pod.group)

    def _join(self, uid: str, group: str) -> None:
        """Note that a pod, which has no node by then, is of a group."""
        self._group_of[uid] = group
        self._present[group] += 1

    def _start(self, uid: str, group: str) -> None:
        self._node.add(uid)
        self._running[group] += 1

    def _carry_out(self, effect: Placed | Evicted | Left, group: str) -> None:
        match effect:
            case Placed(pod):
                self._counts[group]["placed"] += 1
                self._start(pod, group)
            case Evicted():
                self._counts[group]["evicted"] += 1
            case Left(pod):
                self._present[group] -= 1
                if pod in self._node:
                    self._node.remove(pod)
                    self._running[group] -= 1

    def why_unasked(self, pod: PodRow) -> str:
        """Return why no scheduler looks at a pod that waits; empty where one does."""
        group = self._group_of.get(pod.uid, "")
        known = group in self._groups and group not in self._deleted
        groups = {group: self._groups[group]} if known else {}
        tables = {ACTORS: self._actors, QUEUES: self._queues, GROUPS: groups}
        return why_unasked(replace(pod, node="", group=group), tables)

    def by_group(self, pending: Iterable[PodRow]) -> list[Group]:
        """Return a row for each pod group, by queue and name.

        `pods` are there at the end, `running` have a node then, of `min_member` that the gang needs, of
        which those that `completed` before are none the less; `phase` and `message` are what the last session
        wrote; `deleted` says that the group itself is gone. `seq` is the last decision about it.
        """
        waiting = Counter(self._group_of.get(pod.uid) for pod in pending)
        rows: list[Group] = [
            {
                "group": key,
                "queue": row["queue"],
                "phase": row["phase"],
                "min_member": row["min_member"],
                "pods": self._present[key],
                "running": self._running[key],
                "completed": self._completed[key],
                "placed": self._counts[key]["placed"],
                "evicted": self._counts[key]["evicted"],
                "pending": waiting[key],
                "message": row["message"],
                "deleted": key in self._deleted,
                "seq": self._last.get(key),
            }
            for key, row in self._groups.items()
        ]
        return sorted(rows, key=lambda row: (row["queue"], row["group"]))

    def is_over(self, group: str) -> bool:
        """Return whether a pod group asks for no more pods: it has completed, or is gone."""
        row = self._groups.get(group)
        return row is not None and (group in self._deleted or row["phase"] == COMPLETED)

    def by_queue(self, pending: Iterable[PodRow]) -> list[Queue]:
        """Return placed, evicted and pending pods of each queue that has pod groups, in name order.

        One that never was there is `missing`: pod groups name it all the same.
        """
        sums: dict[str, Queue] = {}
        for row in self.by_group(pending):
            name = row["queue"]
            sum_of = sums.setdefault(name, {"queue": name, "placed": 0, "evicted": 0, "pending": 0})
            sum_of["placed"] += row["placed"]
            sum_of["evicted"] += row["evicted"]
            sum_of["pending"] += row["pending"]
            if name not in self._had_queues:
                sum_of["missing"] = True
        return [sums[name] for name in sorted(sums)]
