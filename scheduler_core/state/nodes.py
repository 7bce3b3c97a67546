"""Nodes as columns: what a filter or a score reads of all nodes at once.

One row a node, in the order of import. Labels are interned a key at a time into `Topology`s, taints into
sets, so that a plugin answers for the few distinct values and indexes the rest.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.amounts.requests import counted_by_scheduler
from scheduler_core.objects.selectors import NodeTerm, Selector
from scheduler_core.objects.types import Node, Taint
from scheduler_core.state.node_order import Turn, round_the_zones, turn_of_newcomer, turns_of, zone_of

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
TaintKey = tuple[str, str, str]
"""A taint's key, value and effect."""
FAILED_TAINTS = frozenset({"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})


class ResourceNames:
    """The resources of a cluster, each with its column. cpu, memory and ephemeral-storage come first."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        first = ["cpu", "memory", "ephemeral-storage"]
        self.names = first + sorted(set(names) - set(first))
        self.column = {name: column for column, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def row(self, amounts: dict[str, int]) -> IntArray:
        """Return the amounts as an int64 array of shape (resources,), in the scheduler's units."""
        row = np.zeros(len(self.names), dtype=np.int64)
        for name, amount in amounts.items():
            if name in self.column:
                row[self.column[name]] = amount
        return row


@dataclass(frozen=True)
class Topology:
    """One label key over all nodes: `domain[node]` indexes `values`; -1 where the label is absent."""

    domain: IntArray
    values: list[str]

    @cached_property
    def present(self) -> BoolArray:
        """Where the label is present, shape (nodes,)."""
        return self.domain >= 0

    @cached_property
    def is_everywhere(self) -> bool:
        """Whether there are nodes and each has the label."""
        return bool(self.values) and bool(self.present.all())

    def where(self, holds: Callable[[str | None], bool]) -> BoolArray:
        """Return on which nodes the label's value (None: absent) satisfies a condition."""
        # The last entry answers for domain -1.
        answers = np.array([holds(value) for value in self.values] + [holds(None)], dtype=np.bool_)
        return answers[self.domain]

    @cached_property
    def members(self) -> list[IntArray]:
        """The nodes of each domain."""
        by_domain = np.argsort(self.domain, kind="stable")
        bounds = np.searchsorted(self.domain[by_domain], np.arange(len(self.values) + 1))
        return [by_domain[start:end] for start, end in pairwise(bounds.tolist())]


@dataclass(frozen=True)
class ImageOnNodes:
    """An image by normalized name: its size in bytes and the nodes that have it."""

    size: int
    nodes: IntArray


def allocatable_of(node: Node) -> dict[str, int]:
    """Return what a node has, `pods` included, in the scheduler's units."""
    return {
        name: resource_amount(name, text)
        for name, text in (node.status.allocatable or {}).items()
        if name == "pods" or counted_by_scheduler(name)
    }


def is_ready(node: Node) -> bool:
    """Return False for a node that reports so, and for one that its controller has tainted as failed."""
    reported = {condition.status for condition in node.status.conditions or () if condition.type == "Ready"}
    return reported <= {"True"} and not any(taint.key in FAILED_TAINTS for taint in node.spec.taints or ())


class NodeTable:
    """All nodes. `allocatable` has shape (nodes, resources), everything else (nodes,).

    `version` grows whenever a node comes, changes or goes, back too: who keeps answers about nodes asks for
    it. `objects` is to be read only.
    """

    def __init__(self, objects: Sequence[Node], resources: ResourceNames) -> None:
        self.resources = resources
        self.version = 0
        self._amounts: dict[int, tuple[Node, dict[str, int]]] = {}
        self.fill(objects)

    def fill(self, objects: Sequence[Node], turns: Sequence[Turn] | None = None) -> None:
        """Put these nodes, in their order, in the place of all."""
        self.objects: list[Node] = list(objects)
        self.turns = turns_of(objects) if turns is None else list(turns)
        self._make_columns()

    def newcomer(self, node: Node) -> Turn:
        """Return the turn that a node gets that isn't there yet."""
        return turn_of_newcomer(node, zip(self.objects, self.turns, strict=True))

    def changed(self, row: int, node: Node) -> Turn:
        """Return the turn that a node has in a new version: another if its zone is another."""
        if zone_of(node) == zone_of(self.objects[row]):
            return self.turns[row]
        others = list(zip(self.objects, self.turns, strict=True))
        return turn_of_newcomer(node, others[:row] + others[row + 1 :])

    def insert(self, row: int, node: Node, turn: Turn) -> None:
        """Add a node at a row; those behind it move up by one."""
        self.objects.insert(row, node)
        self.turns.insert(row, turn)
        self._make_columns()

    def remove(self, row: int) -> None:
        """Take a node out; those behind it move down by one."""
        del self.objects[row], self.turns[row]
        self._make_columns()

    def replace(self, row: int, node: Node, turn: Turn) -> None:
        """Put a new version of a node in the place of the old one."""
        before, turn_before = self.objects[row], self.turns[row]
        self.objects[row], self.turns[row] = node, turn
        self.version += 1
        if turn != turn_before:
            self.__dict__.pop("in_turn", None)
        self._change_columns(row, before, node)

    def _make_columns(self) -> None:
        self.version += 1
        for name in ("all", "in_turn", "by_name", "name_rank", "is_by_name", "_taints", "images"):
            self.__dict__.pop(name, None)
        self.names = [node.metadata.name for node in self.objects]
        self.index = {name: row for row, name in enumerate(self.names)}
        amounts = [self.amounts_of(node) for node in self.objects]
        self.allocatable: IntArray = np.zeros((len(self.names), len(self.resources)), np.int64, "F")
        for row, amount in enumerate(amounts):
            self.allocatable[row] = self.resources.row(amount)
        self.pod_limit: IntArray = np.array([amount.get("pods", 0) for amount in amounts], dtype=np.int64)
        self.unschedulable: BoolArray = np.array(
            [bool(node.spec.unschedulable) for node in self.objects], dtype=np.bool_
        )
        self._topologies: dict[str, Topology] = {}
        self._joint_topologies: dict[tuple[str, ...], Topology] = {}
        self._conditions: dict[str, Topology] = {}
        self._columns: dict[str, IntArray] = {}
        self._masks: dict[Selector | NodeTerm | tuple[str, str, tuple[str, ...]], BoolArray] = {}

    def _change_columns(self, row: int, before: Node, now: Node) -> None:
        """Put a new version's values in the place of the old one's, and drop what may follow from others."""
        amounts = self.amounts_of(now)
        # Who holds a column of before keeps it as it was.
        self.allocatable = self.allocatable.copy("F")
        self.allocatable[row] = self.resources.row(amounts)
        self.pod_limit, self.unschedulable = self.pod_limit.copy(), self.unschedulable.copy()
        self.pod_limit[row] = amounts.get("pods", 0)
        self.unschedulable[row] = bool(now.spec.unschedulable)
        self._columns = {}
        if now.metadata.labels != before.metadata.labels:
            self._topologies, self._joint_topologies, self._masks = {}, {}, {}
        if now.status.conditions != before.status.conditions:
            self._conditions = {}
        if now.spec.taints != before.spec.taints:
            self.__dict__.pop("_taints", None)
        if now.status.images != before.status.images:
            self.__dict__.pop("images", None)

    def amounts_of(self, node: Node) -> dict[str, int]:
        """Return what a node has, as `allocatable_of` reads it, to be read only.

        Versions of nodes are immutable, so that each is read once.
        """
        known = self._amounts.get(id(node))
        if known is None or known[0] is not node:
            known = self._amounts[id(node)] = (node, allocatable_of(node))
        return known[1]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def all(self) -> IntArray:
        """Every row."""
        return np.arange(len(self.names), dtype=np.int64)

    @cached_property
    def in_turn(self) -> IntArray:
        """The rows in the order in which the scheduler goes through them: round the zones."""
        return round_the_zones(self.turns)

    @cached_property
    def by_name(self) -> IntArray:
        """The rows in the order of their names."""
        return np.array(sorted(range(len(self.names)), key=self.names.__getitem__), dtype=np.int64)

    @cached_property
    def name_rank(self) -> IntArray:
        """Each row's place in the order of names."""
        rank = np.empty(len(self.names), dtype=np.int64)
        rank[self.by_name] = self.all
        return rank

    @cached_property
    def is_by_name(self) -> bool:
        """Whether the rows are in the order of their names."""
        return bool((self.by_name == self.all).all())

    def at_place(self, place: int, rows: IntArray) -> int:
        """Return the row that has this place in the order of the rows' names."""
        return int(self.by_name[np.partition(self.name_rank[rows], place)[place]])

    def names_of(self, rows: IntArray) -> list[str]:
        """Return the names of the rows, sorted."""
        return self.first_names_of(rows, len(rows))

    def first_names_of(self, rows: IntArray, number: int) -> list[str]:
        """Return the first names of the rows, sorted; no more than `number`."""
        ranks = self.name_rank[rows]
        if len(ranks) > number:
            ranks = np.partition(ranks, number)[:number]
        return [self.names[row] for row in self.by_name[np.sort(ranks)].tolist()]

    def topology(self, key: str) -> Topology:
        """Return the values of one label key over all nodes."""
        if key not in self._topologies:
            self._topologies[key] = self._intern(lambda node: (node.metadata.labels or {}).get(key))
        return self._topologies[key]

    def column(self, name: str, make: Callable[[], IntArray]) -> IntArray:
        """Return what `make` says of the nodes, shape (nodes,); it is asked once for each name."""
        if name not in self._columns:
            self._columns[name] = make()
        return self._columns[name]

    def condition(self, kind: str) -> Topology:
        """Return the statuses of one condition over all nodes."""
        if kind not in self._conditions:
            self._conditions[kind] = self._intern(
                lambda node: next(
                    (entry.status for entry in node.status.conditions or () if entry.type == kind), None
                )
            )
        return self._conditions[kind]

    def _intern(self, value_of: Callable[[Node], str | None]) -> Topology:
        ids: dict[str, int] = {}
        domain = np.full(len(self.names), -1, dtype=np.int64)
        for row, node in enumerate(self.objects):
            value = value_of(node)
            if value is not None:
                domain[row] = ids.setdefault(value, len(ids))
        return Topology(domain, list(ids))

    def joint_topology(self, keys: Sequence[str]) -> Topology:
        """Return the values of several label keys together; a node without one of them is in no domain."""
        if tuple(keys) not in self._joint_topologies:
            self._joint_topologies[tuple(keys)] = self._join(keys)
        return self._joint_topologies[tuple(keys)]

    def _join(self, keys: Sequence[str]) -> Topology:
        columns = [self.topology(key).domain.tolist() for key in keys]
        ids: dict[tuple[int, ...], int] = {}
        rows = [
            -1 if -1 in parts else ids.setdefault(parts, len(ids)) for parts in zip(*columns, strict=True)
        ]
        return Topology(np.array(rows, dtype=np.int64), [str(parts) for parts in ids])

    def selected(self, selector: Selector) -> BoolArray:
        """Return which nodes' labels satisfy a selector, shape (nodes,)."""
        if selector not in self._masks:
            mask = np.ones(len(self.names), dtype=np.bool_)
            for requirement in selector:
                mask &= self.topology(requirement.key).where(requirement.holds)
            self._masks[selector] = mask
        return self._masks[selector]

    def term_selected(self, term: NodeTerm) -> BoolArray:
        """Return which nodes satisfy a node selector term (labels and `metadata.name`)."""
        if term not in self._masks:
            mask = self.selected(term.labels).copy()
            for requirement in term.fields:
                if requirement.key == "metadata.name":
                    mask &= np.array([requirement.holds(name) for name in self.names], dtype=np.bool_)
                else:
                    mask &= requirement.holds("")
            self._masks[term] = mask
        return self._masks[term]

    def any_term_selected(self, terms: Sequence[NodeTerm]) -> BoolArray:
        """Return which nodes satisfy at least one term; none if there is no term."""
        mask = np.zeros(len(self.names), dtype=np.bool_)
        for term in terms:
            mask |= self.term_selected(term)
        return mask

    @cached_property
    def _taints(self) -> tuple[IntArray, list[tuple[TaintKey, ...]]]:
        ids: dict[tuple[TaintKey, ...], int] = {}
        rows = [
            ids.setdefault(tuple(_taint_key(taint) for taint in node.spec.taints or ()), len(ids))
            for node in self.objects
        ]
        return np.array(rows, dtype=np.int64), list(ids)

    @property
    def taint_set(self) -> IntArray:
        """Each node's index into `taint_sets`."""
        return self._taints[0]

    @property
    def taint_sets(self) -> list[tuple[TaintKey, ...]]:
        """The distinct lists of taints, each in the node's own order."""
        return self._taints[1]

    @cached_property
    def images(self) -> dict[str, ImageOnNodes]:
        """Every image that some node has; its size is that of the first node that named it."""
        return images_on(self.objects)


def images_on(nodes: Sequence[Node]) -> dict[str, ImageOnNodes]:
    """Return every image that some node has; its size is that of the first node that names it."""
    sizes: dict[str, int] = {}
    rows: dict[str, dict[int, None]] = {}
    for row, node in enumerate(nodes):
        for image in node.status.images or ():
            for name in image.names or ():
                sizes.setdefault(name, image.size_bytes or 0)
                rows.setdefault(name, {})[row] = None
    return {
        name: ImageOnNodes(size, np.array(list(rows[name]), dtype=np.int64)) for name, size in sizes.items()
    }


def _taint_key(taint: Taint) -> TaintKey:
    return taint.key, taint.value or "", taint.effect
