"""The cards of a run while its pods come: how much is given out, and how much of the rest is lost.

The log is cut into BINS parts of equally many decisions, and the last decision of each is kept. Which shapes
of tasks are the usual ones is known only when all have been seen: until then the nodes that each part has
changed are kept, so that a log of any length is read once and comes to a bounded document.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from dashboard.kinds.cards import CardSeries, MakeSeries, Room
from dashboard.shapes.over_time import Cards
from scheduler_core.events.changes import Appear, Change, Set, Vanish
from scheduler_core.events.decisions import Attempt, Decision
from scheduler_core.events.effects import Arrived, Effect, Left, Placed, Unplaced
from scheduler_core.events.sessions import Placement
from scheduler_core.events.state import NODES, PodRow, RunState
from scheduler_core.schedulers.card_tables import CARDS
from scheduler_core.schedulers.paper_fragmentation import Course, Shape, usual_shapes
from scheduler_core.schedulers.paper_fragmentation import Left as LeftOfCard

BINS = 240
DEFINITION = (
    "Lost is what is free but of no use to the usual tasks: for each shape of task (CPU, number of cards, "
    "share of each), weighed by its part among the tasks, all that is free on nodes without room for it, and "
    "elsewhere what is free of cards with too little left."
)
NO_VENDOR = ""
"""Whose cards tasks without cards ask for."""
Row = Mapping[str, Any]


class CardAsks(Protocol):
    """Reads what pods ask of cards. schedulers: the `schedulerName`s of the pods that it is asked about."""

    schedulers: frozenset[str]

    def parts(self, row: PodRow) -> dict[str, list[Shape]]:
        """Return by vendor what each container of a pod asks for; nothing of one without cards."""

    def shapes(self, row: PodRow) -> dict[str, Shape]:
        """Return the parts put together: all the cards, with as much of each as the first part asks for."""


def cards_over_time(asked: CardAsks) -> MakeSeries:
    """Return what makes the series of a run whose pods ask this."""

    def make(base: RunState, last: int, room: Room) -> CardSeries:
        return CardsOverTime(base, last, asked, room)

    return make


class CardsOverTime:
    """The cards while the decisions go by; `room` knows what nodes have left and hears of changes first.

    last: the number of the last decision, as far as it is known.
    """

    def __init__(self, base: RunState, last: int, asked: CardAsks, room: Room) -> None:
        self._start, self._last = base.at, max(last, base.at)
        self._nodes = _Nodes(base, room)
        self._pods = _Pods(base, asked, self._nodes)
        self._point: tuple[int, int | None] = base.at, base.time
        self._kept: list[_Kept] = []
        self._keep()

    def take(self, decision: Decision, happened: Iterable[Effect]) -> None:
        """Carry out a decision, of which `happened` are the effects."""
        self._point = decision.seq, decision.time
        self._nodes.take(decision.changes, happened)
        self._pods.take(decision, happened)
        if self._part_of(decision.seq) != self._part_of(decision.seq + 1):
            self._keep()

    def _part_of(self, seq: int) -> int:
        return (seq - self._start) * BINS // max(1, self._last - self._start)

    def _keep(self) -> None:
        if not self._kept or self._kept[-1].seq != self._point[0]:
            changed = self._nodes.changed_since()
            self._kept.append(_Kept(*self._point, self._pods.arrived, len(self._pods.waiting), changed))

    def document(self) -> Cards | None:
        """Return the series, once; None where there were no cards."""
        self._keep()
        shapes = {vendor: usual_shapes(self._pods.tasks_of(vendor)) for vendor in sorted(self._nodes.vendors)}
        course, now = Course(shapes), _Sums()
        rows: list[_Row] = []
        for kept in self._kept:
            for name, node in kept.nodes.items():
                course.put(name, node.cpu, node.left)
                now.put(name, node)
            rows.append(_Row(course.allocated, course.fragmentation, now.used, now.idle))
        if not now.most:
            return None
        return {
            "seq": [kept.seq for kept in self._kept],
            "time": [kept.time for kept in self._kept],
            "arrived": [round(kept.arrived / (10 * now.most), 2) for kept in self._kept],
            "allocated": [round(row.allocated, 2) for row in rows],
            "fragmentation": [round(row.fragmentation, 2) for row in rows],
            "nodes": [row.used for row in rows],
            "idle": [row.idle for row in rows],
            "waiting": [kept.waiting for kept in self._kept],
            "cards": now.most,
            "shapes": [
                {
                    "vendor": vendor,
                    "cpu": shape.cpu,
                    "number": shape.number,
                    "milli": shape.milli,
                    "memory": shape.memory,
                    "part": round(part, 6),
                }
                for vendor, usual in shapes.items()
                for shape, part in usual.items()
            ],
        }


class _Node(NamedTuple):
    """What a node has left, how many cards it has, and on how many of them nobody is."""

    cpu: int
    left: dict[str, list[LeftOfCard]]
    cards: int
    idle: int


class _Row(NamedTuple):
    """Of all cards what is given out and what is lost, in percent; nodes with used cards, idle cards."""

    allocated: float
    fragmentation: float
    used: int
    idle: int


class _Kept(NamedTuple):
    """A decision, what has arrived until then, and the nodes that changed since the one kept before."""

    seq: int
    time: int | None
    arrived: int
    waiting: int
    nodes: dict[str, _Node]


class _Sums:
    """How many nodes have a pod on a card, how many cards have none, and how many there were at most."""

    def __init__(self) -> None:
        self.used = self.idle = self.cards = self.most = 0
        self._nodes: dict[str, _Node] = {}

    def put(self, name: str, node: _Node) -> None:
        for one, sign in ((self._nodes.get(name), -1), (node, 1)):
            if one is not None:
                self.used += sign * (one.idle < one.cards)
                self.idle += sign * one.idle
                self.cards += sign * one.cards
        self._nodes[name] = node
        self.most = max(self.most, self.cards)


class _Nodes:
    """The cards by node, and which nodes something has changed of."""

    def __init__(self, base: RunState, room: Room) -> None:
        self.vendors: set[str] = set()
        self._room = room
        self._cards: dict[str, dict[str, Row]] = {}
        self._changed: dict[str, None] = {}
        self._number: Counter[str] = Counter()
        self._memory: Counter[str] = Counter()
        for key, row in base.tables.get(CARDS, {}).items():
            self._put(key, row)

    def take(self, changes: Iterable[Change], happened: Iterable[Effect]) -> None:
        for change in changes:
            if isinstance(change, Set | Appear | Vanish):
                self._take(change)
        for effect in happened:
            match effect:
                case Placed(node=node) | Unplaced(node=node) | Left(row=PodRow(node=node)) if node:
                    self._changed[node] = None

    def _take(self, change: Set | Appear | Vanish) -> None:
        match change:
            case Set(table=table, id=name) if table == NODES:
                self._changed[name] = None
            case Set(table=table, id=key, new=new) if table == CARDS:
                self._put(key, {**self._take_out(key), **new})
            case Appear(table=table, id=key, row=row) if table == CARDS:
                self._put(key, row)
            case Vanish(table=table, id=key) if table == CARDS:
                self._take_out(key)

    def _put(self, key: str, row: Row) -> None:
        node, vendor = row["node"], row["vendor"]
        self._cards.setdefault(node, {})[key] = row
        self._changed[node] = None
        self.vendors.add(vendor)
        self._number[vendor] += 1
        self._memory[vendor] += row["memory"]

    def _take_out(self, key: str) -> Row:
        # A node's name has no slash, a card's id may have any.
        node = key.partition("/")[0]
        row = self._cards[node].pop(key)
        self._changed[node] = None
        self._number[row["vendor"]] -= 1
        self._memory[row["vendor"]] -= row["memory"]
        return row

    def mean_memory(self, vendor: str) -> int:
        """Return how much memory a card of the vendor has, in MiB."""
        return self._memory[vendor] // self._number[vendor] if self._number[vendor] else 0

    def changed_since(self) -> dict[str, _Node]:
        """Return the nodes with cards that have changed since somebody asked."""
        changed = {name: self._node(name) for name in self._changed if name in self._cards}
        self._changed.clear()
        return changed

    def _node(self, name: str) -> _Node:
        rows = self._cards[name].values()
        left: dict[str, list[LeftOfCard]] = {}
        for row in rows:
            left.setdefault(row["vendor"], []).append(left_of(row))
        idle = sum(not row["used"] for row in rows)
        return _Node(self._room.left(name, "cpu"), left, len(rows), idle)


def left_of(row: Row) -> LeftOfCard:
    """Return what is left of a card: the smaller part of memory and cores, or of slots if it has neither.

    A card without a slot left, or that isn't healthy, takes nobody.
    """
    wholes = [(row["memory"], row["used_memory"]), (row["cores"], row["used_cores"])]
    known = [(whole, used) for whole, used in wholes if whole > 0] or [(row["slots"] or 1, row["used"])]
    milli = min(1000 * (whole - used) // whole for whole, used in known)
    return LeftOfCard(max(0, milli), row["memory"], row["health"] and row["used"] < row["slots"])


class _Pods:
    """The pods of the scheduler that shares cards: what they ask for, what has arrived of it, and who waits.

    A pod has arrived once it was tried or has a node; a copy of an evicted pod is no new arrival, and counts
    among those that wait.
    """

    def __init__(self, base: RunState, asked: CardAsks, nodes: _Nodes) -> None:
        self.arrived = 0
        """What has arrived, in thousandths of a card."""
        self.waiting: set[str] = set()
        self._asked = asked
        self._nodes = nodes
        self._coming: dict[str, PodRow] = {}
        self._own: set[str] = set()
        self._tasks: dict[str, Counter[Shape]] = {}
        for row in base.pods():
            self._comes(row)
            if row.node:
                self._arrives(row.uid)

    def tasks_of(self, vendor: str) -> Counter[Shape]:
        """Return the shapes of those who ask for a vendor's cards, or for none."""
        none: Counter[Shape] = Counter()
        return self._tasks.get(vendor, none) + self._tasks.get(NO_VENDOR, none)

    def take(self, decision: Decision, happened: Iterable[Effect]) -> None:
        for effect in happened:
            match effect:
                case Arrived(row):
                    self._comes(row)
                case Placed(pod):
                    self._arrives(pod)
                    self.waiting.discard(pod)
                case Unplaced(pod) if pod in self._own:
                    self.waiting.add(pod)
                case Left(pod):
                    self._coming.pop(pod, None)
                    self.waiting.discard(pod)
        if isinstance(decision, Attempt | Placement) and decision.outcome not in ("gated", "scheduled"):
            self._arrives(decision.pod.uid)
            if decision.pod.uid in self._own:
                self.waiting.add(decision.pod.uid)

    def _comes(self, row: PodRow) -> None:
        if row.scheduler not in self._asked.schedulers:
            return
        self._own.add(row.uid)
        if row.replaces is None:
            self._coming[row.uid] = row
            for vendor, shape in self._shapes(row).items():
                self._tasks.setdefault(vendor, Counter())[shape] += 1

    def _shapes(self, row: PodRow) -> dict[str, Shape]:
        none = {NO_VENDOR: Shape(row.requests.get("cpu", 0), 0, 0)}
        return self._asked.shapes(row) or none

    def _arrives(self, uid: str) -> None:
        row = self._coming.pop(uid, None)
        for vendor, parts in self._asked.parts(row).items() if row is not None else ():
            memory = self._nodes.mean_memory(vendor)
            self.arrived += sum(part.number * part.milli_of(memory) for part in parts)
