"""What the pods on nodes request of what those nodes have, by pool, while a run's decisions go by.

Amounts are those of the events: milli-CPU, bytes, whole units; `pods` counts pods of those that nodes may
have. Pods of a node that is gone count nowhere: there is nothing left of which they could request.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scheduler_core.events.changes import Appear, Change, Set, Vanish
from scheduler_core.events.state import NODES, PODS, RunState

ALL = ""
"""The name of the pool of all nodes."""
Row = Mapping[str, Any]
_OF_ROWS = (Set, Appear, Vanish)


@dataclass(slots=True)
class Level:
    """An amount that goes up and down along an axis; `area` is its sum over the axis as far as `since`."""

    value: int = 0
    area: int = 0
    since: int = 0

    def change(self, by: int, at: int) -> None:
        """Go up by an amount, or down, at a place of the axis."""
        if at != self.since:
            self.area += self.value * (at - self.since)
            self.since = at
        self.value += by

    def area_to(self, end: int) -> int:
        """Return the sum over the axis up to its end."""
        return self.area + self.value * (end - self.since)


@dataclass(slots=True)
class Pool:
    """Nodes that are summed up: how many there are, and what they have and are asked for by resource."""

    nodes: int = 0
    allocatable: dict[str, Level] = field(default_factory=dict)
    requested: dict[str, Level] = field(default_factory=dict)

    def amounts(self, resource: str) -> tuple[int, int]:
        """Return what is requested of the resource, and what is allocatable."""
        return _value(self.requested, resource), _value(self.allocatable, resource)

    def mean(self, resource: str, end: int) -> tuple[int, int]:
        """Return both as sums over the axis up to its end: their quotient is the mean share."""
        parts = (self.requested.get(resource), self.allocatable.get(resource))
        requested, allocatable = (level.area_to(end) if level else 0 for level in parts)
        return requested, allocatable


@dataclass(slots=True)
class _Node:
    """What is on a node, which may be gone, and what it has while it is there.

    is_open: whether it takes pods in that tolerate no taint.
    """

    pool: str | None = None
    is_open: bool = True
    allocatable: dict[str, int] = field(default_factory=dict)
    requested: dict[str, int] = field(default_factory=dict)


class Room(NamedTuple):
    """What a node has and its pods ask for, by resource, and whether it takes pods without tolerations."""

    allocatable: Mapping[str, int]
    requested: Mapping[str, int]
    is_open: bool

    def free(self, resource: str) -> int:
        """Return how much of a resource is free, no less than 0."""
        return max(0, self.allocatable.get(resource, 0) - self.requested.get(resource, 0))

    def is_over(self, resource: str) -> bool:
        """Return whether more than 90 percent of a resource is asked for."""
        return 10 * self.requested.get(resource, 0) > 9 * self.allocatable.get(resource, 0)


class Requested:
    """The pools of a run; `pool_of` names a node's pool by its labels.

    touched: the (pool, resource) pairs of the last decision whose amounts may have changed.
    """

    def __init__(self, base: RunState, pool_of: Callable[[dict[str, str]], str] | None = None) -> None:
        self.pools: dict[str, Pool] = {ALL: Pool()}
        self.touched: dict[tuple[str, str], None] = {}
        self._pool_of = pool_of
        self._nodes: dict[str, _Node] = {}
        self._closed_by: dict[str, tuple[bool, Sequence[Row]]] = {}
        """Whether each node is cordoned, and its taints."""
        self._pods: dict[str, tuple[str, dict[str, int]]] = {}
        self._at = base.at if base.time is None else base.time
        self._start = self._at
        for row in base.tables.get(NODES, {}).values():
            self._node_comes(row)
        for uid, row in base.tables.get(PODS, {}).items():
            self._pod_comes(uid, row)

    def take(self, changes: Iterable[Change], at: int = 0) -> None:
        """Carry out a decision's changes, at a place of the axis if somebody will ask for means."""
        self._at = at
        self.touched.clear()
        for change in changes:
            if isinstance(change, _OF_ROWS):
                if change.table == PODS:
                    self._of_pod(change)
                elif change.table == NODES:
                    self._of_node(change)

    def _of_pod(self, change: Set | Appear | Vanish) -> None:
        if isinstance(change, Set):
            if "node" in change.new or "requests" in change.new:
                self._pod_changes(change.id, change.new)
        elif isinstance(change, Appear):
            self._pod_comes(change.id, change.row)
        else:
            self._put(change.id, -1)
            del self._pods[change.id]

    def _of_node(self, change: Set | Appear | Vanish) -> None:
        match change:
            case Set(new=new):
                self._node_changes(change.id, new)
            case Appear(row=row):
                self._node_comes(row)
            case Vanish():
                self._node_leaves(change.id)

    def left(self, name: str, resource: str) -> int:
        """Return how much of a resource a node has left; 0 of a node that isn't there."""
        node = self._nodes.get(name)
        if node is None or node.pool is None:
            return 0
        return node.allocatable.get(resource, 0) - node.requested.get(resource, 0)

    def rooms(self) -> Iterator[Room]:
        """Yield what each node that is there has, and what is asked of it."""
        for node in self._nodes.values():
            if node.pool is not None:
                yield Room(node.allocatable, node.requested, node.is_open)

    # -- pods ----------------------------------------------------------------------------------------

    def _pod_comes(self, uid: str, row: Row) -> None:
        self._pods[uid] = row.get("node") or "", {**row["requests"], "pods": 1}
        self._put(uid, 1)

    def _pod_changes(self, uid: str, new: Row) -> None:
        self._put(uid, -1)
        node, requests = self._pods[uid]
        if "requests" in new:
            requests = {**new["requests"], "pods": 1}
        self._pods[uid] = new.get("node", node) or "", requests
        self._put(uid, 1)

    def _put(self, uid: str, sign: int) -> None:
        """Put what the pod requests on its node, or take it off."""
        name, requests = self._pods[uid]
        if not name:
            return
        node = self._nodes.setdefault(name, _Node())
        for resource, amount in requests.items():
            node.requested[resource] = node.requested.get(resource, 0) + sign * amount
        if node.pool is not None:
            self._add(node.pool, "requested", requests, sign)

    # -- nodes ---------------------------------------------------------------------------------------

    def _node_comes(self, row: Row) -> None:
        node = self._nodes.setdefault(row["name"], _Node())
        node.allocatable = {**row["allocatable"], "pods": row["pod_limit"]}
        self._closed_by[row["name"]] = row["unschedulable"], row["taints"]
        node.is_open = self._is_open(row["name"])
        self._join(node, row["labels"])

    def _node_changes(self, name: str, new: Row) -> None:
        node = self._nodes[name]
        cordoned, taints = self._closed_by[name]
        self._closed_by[name] = new.get("unschedulable", cordoned), new.get("taints", taints)
        node.is_open = self._is_open(name)
        if not {"allocatable", "pod_limit", "labels"} & new.keys():
            return
        pool = self._part(node)
        pods = new.get("pod_limit", node.allocatable["pods"])
        node.allocatable = {**new.get("allocatable", node.allocatable), "pods": pods}
        self._join(node, new.get("labels"), pool)

    def _is_open(self, name: str) -> bool:
        cordoned, taints = self._closed_by[name]
        return not cordoned and all(taint["effect"] == "PreferNoSchedule" for taint in taints)

    def _node_leaves(self, name: str) -> None:
        self._part(self._nodes[name])

    def _join(self, node: _Node, labels: dict[str, str] | None, pool: str | None = None) -> None:
        """Let the node count for the pool of its labels, or where these are unknown for `pool`."""
        named = pool if labels is None else self._pool_of(labels) if self._pool_of else ALL
        node.pool = ALL if named is None else named
        self._count(node, 1)

    def _part(self, node: _Node) -> str:
        """Let the node count no more; returns its pool."""
        self._count(node, -1)
        pool, node.pool = node.pool, None
        return pool or ALL

    def _count(self, node: _Node, sign: int) -> None:
        pool = node.pool or ALL
        for name in (ALL,) if pool == ALL else (ALL, pool):
            found = self.pools.get(name)
            if found is None:
                found = self.pools[name] = Pool()
            found.nodes += sign
        self._add(pool, "allocatable", node.allocatable, sign)
        self._add(pool, "requested", node.requested, sign)

    def _add(self, pool: str, side: str, amounts: Mapping[str, int], sign: int) -> None:
        if not amounts:
            return
        for name in (ALL,) if pool == ALL else (ALL, pool):
            levels: dict[str, Level] = getattr(self.pools[name], side)
            for resource, amount in amounts.items():
                if amount:
                    level = levels.get(resource)
                    if level is None:
                        level = levels[resource] = Level(since=self._start)
                    level.change(sign * amount, self._at)
                    self.touched[name, resource] = None


def _value(levels: Mapping[str, Level], resource: str) -> int:
    level = levels.get(resource)
    return level.value if level else 0
