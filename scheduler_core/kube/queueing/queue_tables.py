"""All that the scheduling queue of 1.36 remembers, behind one method that writes through the journal."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scheduler_core.kube.queueing.cluster_event import Action, ClusterEvent
from scheduler_core.kube.queueing.queue_parts import ACTIVE, BACKOFF, GATED, UNSCHEDULABLE, QueueParts
from scheduler_core.kube.queueing.queued_pod import Part, QueuedPod, Rank, queued_pod
from scheduler_core.kube.queueing.watched import dump_object, load_object
from scheduler_core.objects.types import KubernetesObject, Pod
from scheduler_core.state.journal import Join, Journal, Leave, Set, Table

TableName = Literal["pods", "flights", "nominations", "counters"]
Follow = Callable[[TableName, Any, Any, Any], None]
"""Follows a write with others: table, key, old and new value, None where there is nothing."""


@dataclass(frozen=True, slots=True)
class FlightEvent:
    """An event that came while some pod was in flight, with the object before and after."""

    event: ClusterEvent
    old: KubernetesObject | None
    new: KubernetesObject | None


@dataclass(frozen=True, slots=True)
class Nomination:
    """A pod (`namespace/name`) is nominated to a node; `order` is that of nominating."""

    key: str
    node: str
    order: int


class QueueTables(Table):
    """`pods` by uid, `flights` (events) by number, `nominations` by uid, `counters` by name.

    `parts` says where each pod is. `name` is the log's for it; without one nobody is told.
    """

    def __init__(self, journal: Journal, name: str = "") -> None:
        self.follow: Follow | None = None
        self.pods: dict[str, QueuedPod] = {}
        self.flights: dict[int, FlightEvent] = {}
        self.nominations: dict[str, Nomination] = {}
        self.counters: dict[str, int] = {}
        self.parts: QueueParts[str] = QueueParts(
            journal,
            {
                ACTIVE: self._rank,
                BACKOFF: self._rank_in_backoff,
                UNSCHEDULABLE: self._rank_by_wait,
                GATED: self._rank_by_wait,
            },
            name,
        )
        self._journal = journal
        self._tables: dict[str, dict[Any, Any]] = {
            "pods": self.pods,
            "flights": self.flights,
            "nominations": self.nominations,
            "counters": self.counters,
        }
        self._rejected_by: dict[str, dict[str, None]] = {}

    def put(self, table: TableName, key: Any, new: Any) -> None:
        """Set the value of a key; None removes it."""
        old = self._tables[table].get(key)
        if table == "pods":
            self._put_pod(key, old, new)
        else:
            self._journal.do(Set(self, key, table, old, new))
        if self.follow is not None:
            self.follow(table, key, old, new)

    def next(self, counter: str) -> int:
        """Count one further and return the number; the first is 1."""
        number = self.counters.get(counter, 0) + 1
        self.put("counters", counter, number)
        return number

    def _put_pod(self, uid: str, old: QueuedPod | None, new: QueuedPod | None) -> None:
        """Write a pod between its leaving and its joining, so that a part ranks the value it knew."""
        moves = old is None or new is None or (old.part, old.order) != (new.part, new.order)
        if moves and old is not None:
            self._journal.do(Leave(self.parts, old.part, uid, old.order))
        self._journal.do(Set(self, uid, "pods", old, new))
        if moves and new is not None:
            self._journal.do(Join(self.parts, new.part, uid, new.order))

    # -- the journal's verb --------------------------------------------------------------------------

    def write(self, key: Any, field: str, value: Any) -> None:
        rows = self._tables[field]
        old = rows.pop(key, None) if value is None else rows.get(key)
        if value is not None:
            rows[key] = value
        if field == "pods":
            self._index(key, old, value)
            self.parts.rank_again(key)

    def _index(self, uid: str, old: QueuedPod | None, new: QueuedPod | None) -> None:
        for plugin in () if old is None else _waits_for(old):
            del self._rejected_by[plugin][uid]
        for plugin in () if new is None else _waits_for(new):
            self._rejected_by.setdefault(plugin, {})[uid] = None

    # -- what follows from the tables ----------------------------------------------------------------

    def members(self, *parts: Part) -> list[QueuedPod]:
        """Return the pods of some parts, by name."""
        return self._by_name(uid for part in parts for uid in self.parts.orders.get(part, ()))

    def rejected_by(self, plugins: Iterable[str]) -> list[QueuedPod]:
        """Return the unschedulable and gated pods that one of the plugins rejected, by name."""
        return self._by_name({uid for plugin in plugins for uid in self._rejected_by.get(plugin, ())})

    def waiting_since(self, *parts: Part) -> int | None:
        """Return since when the pod waits that has waited longest in some parts; None if there is none."""
        first = (self.first(part) for part in parts)
        return min((queued.since for queued in first if queued is not None), default=None)

    def count(self, part: Part) -> int:
        """Return how many pods a part has."""
        return len(self.parts.orders.get(part, ()))

    def active(self) -> list[QueuedPod]:
        """Return the active pods in the order of pops."""
        return [self.pods[uid] for uid in self.parts.in_turn(ACTIVE)]

    def backoff(self) -> list[QueuedPod]:
        """Return the pods that back off by the end of it, those that failed by an error last."""
        return [self.pods[uid] for uid in self.parts.in_turn(BACKOFF)]

    def first(self, part: Part) -> QueuedPod | None:
        """Return the first pod of a part: where nobody is in turn, the one that has waited longest."""
        uid = self.parts.first(part)
        return None if uid is None else self.pods[uid]

    def _rank(self, uid: str, order: int) -> Rank:
        return self.pods[uid].rank

    def _rank_in_backoff(self, uid: str, order: int) -> tuple[Any, ...]:
        queued = self.pods[uid]
        return not queued.rejecters, -1 if queued.expires is None else queued.expires, *queued.rank

    def _rank_by_wait(self, uid: str, order: int) -> tuple[int]:
        return (self.pods[uid].since,)

    def _by_name(self, uids: Iterable[str]) -> list[QueuedPod]:
        return sorted((self.pods[uid] for uid in uids), key=lambda queued: (queued.key, queued.uid))

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return all tables as plain data; waiting pods by uid, since the cluster holds their objects."""
        return {
            "pods": [self.pods[uid].dump() for uid in sorted(self.pods)],
            "flights": [[number, *_dump_flight(self.flights[number])] for number in sorted(self.flights)],
            "nominations": [
                [uid, item.key, item.node, item.order] for uid, item in sorted(self.nominations.items())
            ],
            "counters": dict(sorted(self.counters.items())),
        }

    def load(self, data: Mapping[str, Any], pods: Mapping[str, Pod]) -> None:
        """Restore what `dump` returned, in place of all there is; `pods` are the newest versions by uid."""
        for rows in self._tables.values():
            rows.clear()
        self._rejected_by.clear()
        self.parts.clear()
        for item in sorted(data["pods"], key=lambda item: item["order"]):
            queued = self.pods[item["uid"]] = queued_pod(item, pods.get(item["uid"]))
            self._index(item["uid"], None, queued)
            self.parts.join(queued.part, item["uid"], queued.order)
        for number, resource, action, name, old, new in data["flights"]:
            event = ClusterEvent(resource, Action(action), name)
            self.flights[number] = FlightEvent(event, load_object(old), load_object(new))
        for uid, key, node, order in data["nominations"]:
            self.nominations[uid] = Nomination(key, node, order)
        self.counters.update(data["counters"])


def _waits_for(queued: QueuedPod) -> frozenset[str]:
    """Return the plugins whose events the pod waits for."""
    return queued.rejecters if queued.part in ("unschedulable", "gated") else frozenset()


def _dump_flight(item: FlightEvent) -> list[Any]:
    event = item.event
    return [event.resource, int(event.action), event.name, dump_object(item.old), dump_object(item.new)]
