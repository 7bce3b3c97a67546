"""Which pods are on which node, in the scheduler's own order, and what they take there.

A list is of a node's name, so that it stays while its node is away: those pods then take room nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from scheduler_core.events.state import NODE_PODS
from scheduler_core.go.arithmetic import wrap_int64
from scheduler_core.state.journal import Leave, Lists
from scheduler_core.state.nodes import IntArray, NodeTable
from scheduler_core.state.pods import PodTable

NO_NODE = -1
_MIN, _MAX = -(2**63), 2**63 - 1


def add_requests(requested: IntArray, nodes: IntArray, requests: IntArray, pods: IntArray, sign: int) -> None:
    """Add (sign 1) or take away (sign -1) on `nodes[i]` what `pods[i]` asks for; a node may occur often.

    `requested` has shape (nodes, resources), `requests` (pods, resources). NumPy adds to a table's rows a
    hundred times more slowly than to its columns.
    """
    for on_nodes, of_pods in zip(requested.T, requests.T, strict=True):
        amounts = of_pods[pods]
        if amounts.any():
            np.add.at(on_nodes, nodes, sign * amounts)


class NodePods(Lists):
    """The lists, and the columns that follow from them; see ClusterState for their shapes.

    Orders are places in the list: 0, 1, 2 and so on without a gap.
    """

    name = NODE_PODS
    told = True

    def __init__(self, nodes: NodeTable, pods: PodTable) -> None:
        self._nodes = nodes
        self._pods = pods
        self.node_pods: list[list[int]] = [[] for _ in range(len(nodes))]
        self._away: dict[str, list[int]] = {}
        self._pod_node = np.full(max(64, len(pods)), NO_NODE, dtype=np.int64)
        self._clear()

    def _clear(self) -> None:
        nodes = len(self._nodes)
        self.requested: IntArray = np.zeros((nodes, len(self._nodes.resources)), np.int64, "F")
        self.non_zero_cpu = np.zeros(nodes, dtype=np.int64)
        self.non_zero_memory = np.zeros(nodes, dtype=np.int64)
        self.pod_count = np.zeros(nodes, dtype=np.int64)

    @property
    def pod_node(self) -> IntArray:
        """The node of each pod, NO_NODE where it has none, shape (pods,)."""
        missing = len(self._pods) - len(self._pod_node)
        if missing > 0:
            more = np.full(max(missing, len(self._pod_node)), NO_NODE, dtype=np.int64)
            self._pod_node = np.concatenate([self._pod_node, more])
        return self._pod_node[: len(self._pods)]

    # -- lists ---------------------------------------------------------------------------------------

    def members(self, name: str) -> list[int]:
        """Return the pods of a node of this name, which need not be there."""
        row = self._nodes.index.get(name)
        return self._away.setdefault(name, []) if row is None else self.node_pods[row]

    def all_members(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the list of every name, also of nodes that are not there."""
        yield from zip(self._nodes.names, self.node_pods, strict=True)
        yield from self._away.items()

    def length(self, name: str) -> int:
        """Return how many pods a node has."""
        return len(self.members(name))

    def has(self, name: str, pod: int) -> bool:
        """Return whether the pod is in a node's list."""
        return bool(name) and pod in self.members(name)

    def leaving(self, name: str, pod: int) -> Leave:
        """Return the change by which a pod leaves a list; the last one takes its place."""
        members = self.members(name)
        place, end = members.index(pod), len(members) - 1
        return Leave(self, name, pod, place, None if place == end else (members[end], end))

    def id_of(self, key: Any) -> str:
        uid: str = self._pods.infos[key].uid
        return uid

    def begin(self, placed: Iterable[tuple[str, int]]) -> None:
        """Put pods on the nodes of these names, as a cluster begins: nothing is noted of it."""
        for name, pod in placed:
            self.members(name).append(pod)
        self._place_all()

    def join(self, of: str, key: int, order: int) -> None:
        members = self.members(of)
        if order == len(members):
            members.append(key)
        else:
            members[order] = key
        row = self._nodes.index.get(of)
        if row is not None:
            self.pod_node[key] = row
            self._count(key, row, 1)

    def leave(self, of: str, key: int, order: int) -> None:
        members = self.members(of)
        if order == len(members) - 1:
            members.pop()
        # Otherwise the place is free until `reorder` fills it.
        row = self._nodes.index.get(of)
        if row is not None:
            self.pod_node[key] = NO_NODE
            self._count(key, row, -1)

    def reorder(self, of: str, key: int, old: int, new: int) -> None:
        members = self.members(of)
        if new == len(members):
            members.append(key)
        else:
            members[new] = key
            members.pop()

    def _count(self, pod: int, node: int, sign: int) -> None:
        pods, requested = self._pods, self.requested
        for column, amount in enumerate(pods.requests[pod].tolist()):
            if amount:
                requested[node, column] = _held(requested.item(node, column) + sign * amount)
        cpu, memory = self.non_zero_cpu, self.non_zero_memory
        cpu[node] = _held(cpu.item(node) + sign * pods.non_zero_cpu.item(pod))
        memory[node] = _held(memory.item(node) + sign * pods.non_zero_memory.item(pod))
        self.pod_count[node] += sign

    # -- nodes ---------------------------------------------------------------------------------------

    def node_came(self, name: str, row: int) -> None:
        """Make room for a node that was put at a row; the pods bound to it take room."""
        self.node_pods.insert(row, self._away.pop(name, []))
        self._place_all()

    def node_went(self, name: str, row: int) -> None:
        """Forget the row of a node that was taken out; its pods take room nowhere."""
        self._away[name] = self.node_pods.pop(row)
        self._place_all()

    def nodes_replaced(self, before: list[str]) -> None:
        """Follow nodes that were put in the place of all, which had these names."""
        if before == self._nodes.names:
            return
        lists = {**self._away, **dict(zip(before, self.node_pods, strict=True))}
        self.node_pods = [lists.pop(name, []) for name in self._nodes.names]
        self._away = lists
        self._place_all()

    def _place_all(self) -> None:
        """Make all columns anew from the lists."""
        self._clear()
        owner = np.repeat(np.arange(len(self.node_pods)), [len(pods) for pods in self.node_pods])
        # Also behind the last pod: who comes next there is on no node yet.
        self._pod_node[:] = NO_NODE
        placed = np.fromiter(chain.from_iterable(self.node_pods), dtype=np.int64, count=len(owner))
        self.pod_node[placed] = owner
        add_requests(self.requested, owner, self._pods.requests, placed, 1)
        for column, amounts in (
            (self.non_zero_cpu, self._pods.non_zero_cpu[placed]),
            (self.non_zero_memory, self._pods.non_zero_memory[placed]),
            (self.pod_count, np.ones(len(placed), dtype=np.int64)),
        ):
            np.add.at(column, owner, amounts)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return all lists as plain data."""
        return {
            "lists": self.node_pods,
            "away": {name: pods for name, pods in sorted(self._away.items()) if pods},
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned; nodes and pods must be those of then."""
        self.node_pods = [list(pods) for pods in data["lists"]]
        self._away = {name: list(pods) for name, pods in data["away"].items()}
        self._place_all()


def _held(amount: int) -> int:
    return amount if _MIN <= amount <= _MAX else wrap_int64(amount)
