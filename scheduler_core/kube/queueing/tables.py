"""All that a scheduling queue remembers, behind one writing method.

A write is (table, key, old, new), None where there is nothing. Writing `old` again takes it back exactly.
The orders in which pods are popped, flushed and listed follow from the tables.
"""

import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scheduler_core.kube.queueing.cluster_event import Action, ClusterEvent
from scheduler_core.kube.queueing.queued_pod import Part, QueuedPod, queued_pod
from scheduler_core.kube.queueing.watched import dump_object, load_object
from scheduler_core.objects.types import KubernetesObject, Pod

Table = Literal["pods", "flights", "nominations", "counters"]
OnWrite = Callable[[Table, Any, Any, Any], None]
"""Takes note of a write: table, key, old and new value."""


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


class QueueTables:
    """`pods` by uid, `flights` (events) by number, `nominations` by uid, `counters` by name."""

    def __init__(self, on_write: OnWrite | None = None) -> None:
        self.on_write = on_write
        self.pods: dict[str, QueuedPod] = {}
        self.flights: dict[int, FlightEvent] = {}
        self.nominations: dict[str, Nomination] = {}
        self.counters: dict[str, int] = {}
        self._tables: dict[Table, dict[Any, Any]] = {
            "pods": self.pods,
            "flights": self.flights,
            "nominations": self.nominations,
            "counters": self.counters,
        }
        self._members: dict[Part, dict[str, None]] = {}
        self._rejected_by: dict[str, dict[str, None]] = {}
        self._order: dict[Part, list[tuple[Any, ...]]] = {"active": [], "backoff": []}

    def write(self, table: Table, key: Any, new: Any) -> None:
        """Set the value of a key; None removes it."""
        rows = self._tables[table]
        old = rows.get(key)
        if new is None:
            rows.pop(key, None)
        else:
            rows[key] = new
        if table == "pods":
            self._file(key, old, new)
        if self.on_write is not None:
            self.on_write(table, key, old, new)

    def next(self, counter: str) -> int:
        """Count one further and return the number; the first is 1."""
        number = self.counters.get(counter, 0) + 1
        self.write("counters", counter, number)
        return number

    # -- what follows from the tables ----------------------------------------------------------------

    def members(self, *parts: Part) -> list[QueuedPod]:
        """Return the pods of some parts, by name."""
        return self._by_name(uid for part in parts for uid in self._members.get(part, ()))

    def rejected_by(self, plugins: Iterable[str]) -> list[QueuedPod]:
        """Return the unschedulable and gated pods that one of the plugins rejected, by name."""
        return self._by_name({uid for plugin in plugins for uid in self._rejected_by.get(plugin, ())})

    def waiting_since(self, *parts: Part) -> int | None:
        """Return since when the pod waits that has waited longest in some parts; None if there is none."""
        uids = (uid for part in parts for uid in self._members.get(part, ()))
        return min((self.pods[uid].since for uid in uids), default=None)

    def count(self, part: Part) -> int:
        """Return how many pods a part has."""
        return len(self._members.get(part, ()))

    def active(self) -> list[QueuedPod]:
        """Return the active pods in the order of pops."""
        return [self.pods[place[-1]] for place in self._order["active"]]

    def backoff(self) -> list[QueuedPod]:
        """Return the pods that back off by the end of it, those that failed by an error last."""
        return [self.pods[place[-1]] for place in self._order["backoff"]]

    def first(self, part: Part) -> QueuedPod | None:
        """Return the first pod of active or backoff."""
        order = self._order[part]
        return self.pods[order[0][-1]] if order else None

    def _by_name(self, uids: Iterable[str]) -> list[QueuedPod]:
        return sorted((self.pods[uid] for uid in uids), key=lambda queued: (queued.key, queued.uid))

    def _file(self, uid: str, old: QueuedPod | None, new: QueuedPod | None) -> None:
        if old is not None:
            del self._members[old.part][uid]
            for plugin in _waits_for(old):
                del self._rejected_by[plugin][uid]
            if old.part in self._order:
                order = self._order[old.part]
                del order[bisect.bisect_left(order, _place(old))]
        if new is not None:
            self._members.setdefault(new.part, {})[uid] = None
            for plugin in _waits_for(new):
                self._rejected_by.setdefault(plugin, {})[uid] = None
            if new.part in self._order:
                bisect.insort(self._order[new.part], _place(new))

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
        self._members.clear()
        self._rejected_by.clear()
        for order in self._order.values():
            order.clear()
        for item in data["pods"]:
            self.pods[item["uid"]] = queued_pod(item, pods.get(item["uid"]))
            self._file(item["uid"], None, self.pods[item["uid"]])
        for number, resource, action, name, old, new in data["flights"]:
            event = ClusterEvent(resource, Action(action), name)
            self.flights[number] = FlightEvent(event, load_object(old), load_object(new))
        for uid, key, node, order in data["nominations"]:
            self.nominations[uid] = Nomination(key, node, order)
        self.counters.update(data["counters"])


def _waits_for(queued: QueuedPod) -> frozenset[str]:
    """Return the plugins whose events the pod waits for."""
    return queued.rejecters if queued.part in ("unschedulable", "gated") else frozenset()


def _place(queued: QueuedPod) -> tuple[Any, ...]:
    """Return where a pod stands in its part's order; its uid is the last."""
    if queued.part == "active":
        return *queued.rank, queued.uid
    expires = -1 if queued.expires is None else queued.expires
    return not queued.rejecters, expires, *queued.rank, queued.uid


def _dump_flight(item: FlightEvent) -> list[Any]:
    event = item.event
    return [event.resource, int(event.action), event.name, dump_object(item.old), dump_object(item.new)]
