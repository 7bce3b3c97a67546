"""Nodes that could be emptied: every pod but DaemonSets' and static ones fits elsewhere, one after the other.

What a drain would do to a node is played and taken back: budgets are asked, and the pod's own scheduler says
on which other nodes each pod fits, with nobody evicted for it. So does an extender in process. A node is left
as it was if a pod has no other place; else it stays empty and closed while the next one is tried. Nodes whose
pods hold devices by claims are not tried.

Source: docs/semantics.md "Nodes that could be emptied". What a drain leaves alone: kubernetes v1.36
staging/src/k8s.io/kubectl/pkg/drain/filters.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from scheduler_core.objects import types
from scheduler_core.objects.identity import comes_back
from scheduler_core.objects.node_groups import is_control_plane
from scheduler_core.schedulers.unclocked import Described
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.evictions import is_ready, lets_go
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.reporting.moving_pods import PodMoves, can_tell
from scheduler_core.world.reporting.room import free_room, may_have_room
from scheduler_core.world.run import Run

MOST_ASKED = 6_000_000
"""Pairs of pod and node that are asked about before the search ends: some seconds, on 5,000 nodes too."""
_PARTS = 10**6


class Emptied(NamedTuple):
    """How many `nodes` could be emptied of the first `tried` ones, of so many `of` in the cluster."""

    nodes: int
    tried: int
    of: int


def emptied_nodes(world: Run, controllers: Controllers, most: int = MOST_ASKED) -> Emptied | None:
    """Empty nodes one after the other, those first whose pods ask for the least cpu; change nothing.

    None where outside extenders are asked, or a scheduler can't say of one pod whether it fits.
    """
    if not all(map(can_tell, world.schedulers)):
        return None
    with taken_back(world.state):
        return _Emptying(world.state, controllers, world.schedulers, most).all()


@contextmanager
def taken_back(state: ClusterState) -> Iterator[None]:
    """Take back all changes of the block, of which nobody is told."""
    mark, tells = state.mark(), state.journal.tells
    state.journal.tells = False
    try:
        yield
    finally:
        state.undo_to(mark)
        state.journal.tells = tells


class _Emptying:
    """The pods that fill what was emptied come first, and stay to the end: see PodMoves."""

    def __init__(
        self, state: ClusterState, controllers: Controllers, schedulers: Sequence[Described], most: int
    ) -> None:
        self._state, self._controllers, self._most = state, controllers, most
        self._moves = PodMoves(state, controllers, schedulers)
        self._closed: BoolArray = np.zeros(len(state.nodes), dtype=np.bool_)
        self._rank: IntArray = np.argsort(np.argsort(np.array(state.nodes.names, dtype=np.str_)))
        """Each node's place by name, shape (nodes,)."""

    def all(self) -> Emptied:
        """Try one node after the other for as long as questions may be asked."""
        nodes = self._in_order()
        within = list(self._within(nodes))
        held = {node for node, pods in within if any(map(self._moves.is_held, pods))}
        candidates = {
            node: pods
            for node, pods in within
            if node not in held and self._may_go(node) and all(map(self._is_let_go, pods))
        }
        for pods in candidates.values():
            self._moves.prepare(pods)
        fillers = [self._filler(number) for number in range(len(candidates))]
        emptied, left = 0, self._most
        for tried, (node, _) in enumerate(within):
            if node not in candidates:
                continue
            pods = [pod for pod in self._state.node_pods[node] if self._would_go(pod)]
            if not self._is_room(node, pods):
                continue
            left -= self._moves.cost(pods)
            if left < 0:
                return Emptied(emptied, tried, len(nodes))
            mark = self._state.mark()
            if self._empty(node, fillers[emptied], pods):
                emptied += 1
            else:
                self._closed[node] = False
                self._state.undo_to(mark)
        return Emptied(emptied, len(within) - len(held), len(nodes))

    def _within(self, nodes: Iterable[tuple[int, list[int]]]) -> Iterator[tuple[int, list[int]]]:
        """Yield the first nodes, as many as have pods that may be asked about."""
        left = self._most // max(1, len(self._state.nodes))
        for node, pods in nodes:
            left -= len(pods)
            if left < 0:
                return
            yield node, pods

    def _in_order(self) -> list[tuple[int, list[int]]]:
        """Return the nodes with the pods that would have to go, those first that ask for the least."""
        state = self._state
        pods = [[pod for pod in on_node if self._would_go(pod)] for on_node in state.node_pods]
        asked = [state.pods.requests[some][:, :2].sum(axis=0).tolist() for some in pods]
        order = sorted(range(len(pods)), key=lambda node: (asked[node], state.nodes.names[node]))
        return [(node, pods[node]) for node in order]

    def _would_go(self, pod: int) -> bool:
        if self._state.pods.is_terminating(pod):
            return False
        return not comes_back(self._controllers.document(pod))

    # -- may they go ---------------------------------------------------------------------------------

    def _may_go(self, node: int) -> bool:
        return not is_control_plane(self._state.nodes.objects[node].metadata.labels or {})

    def _is_let_go(self, pod: int) -> bool:
        """Tell whether a pod can be moved at all, and whether its budget lets it go."""
        info = self._state.pods.infos[pod]
        if info.scheduler_name not in self._moves.serving:
            return False
        budgets = covering(self._state, info)
        return not budgets or (len(budgets) == 1 and lets_go(budgets[0], ready=is_ready(info.pod)))

    def _is_room(self, node: int, pods: Sequence[int]) -> bool:
        """Tell whether the open nodes may have room for the pods, for a first, quick look."""
        free = free_room(self._state)
        free[self._closed] = 0
        free[node] = 0
        counted = self._moves.counted
        return may_have_room(self._state.pods.requests[list(pods)][:, counted], free[:, counted])

    # -- moving them ---------------------------------------------------------------------------------

    def _empty(self, node: int, filler: int, pods: Sequence[int]) -> bool:
        """Move all pods of a node, the most important first, and tell whether each has another place."""
        infos = self._state.pods.infos
        self._moves.leave(pods)
        self._state.bind(filler, node)
        self._closed[node] = True
        return all(map(self._move, sorted(pods, key=lambda pod: -infos[pod].priority)))

    def _move(self, pod: int) -> bool:
        """Put a pod on the fullest of the open nodes on which it fits, by cpu; False where there is none."""
        rows = self._moves.fitting(pod, self._closed)
        if not len(rows):
            return False
        cpu, taken = self._state.nodes.allocatable[rows, 0], self._state.requested[rows, 0]
        fullness = taken * _PARTS // np.maximum(cpu, 1)
        return self._moves.enter(pod, int(rows[np.lexsort((self._rank[rows], -fullness))[0]]))

    def _filler(self, number: int) -> int:
        """Return a pod that asks for more of everything than any node has: nothing fits beside it."""
        nodes = self._state.nodes
        most = nodes.allocatable.max(axis=0, initial=0).tolist()
        requests = {
            resource: f"{amount}m" if resource == "cpu" else str(amount)
            for resource, amount in zip(nodes.resources.names, most, strict=True)
            if amount > 0
        }
        document = {
            "metadata": {"name": f"filler-{number}", "uid": f"filler {number}"},
            "spec": {"containers": [{"name": "filler", "resources": {"requests": requests}}]},
        }
        return self._state.create(types.convert(document, types.Pod)).row
