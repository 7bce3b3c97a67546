"""Nodes that could be emptied: every pod but DaemonSets' fits elsewhere, one node after the other.

What a drain would do to a node is played and taken back: budgets are asked, and the pod's own scheduler says
on which other nodes each pod fits, with nobody evicted for it. So does an extender in process. A node is left
as it was if a pod has no other place; else it stays empty and closed while the next one is tried.

Source: docs/semantics.md "Nodes that could be emptied". What a drain leaves alone: kubernetes v1.36
staging/src/k8s.io/kubectl/pkg/drain/filters.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec
import numpy as np

from scheduler_core.kube.equivalence.signature import read_of
from scheduler_core.kube.extenders.extender import KeepsBooks
from scheduler_core.kube.extenders.settings import ignored_resources
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.objects import types
from scheduler_core.objects.identity import is_daemon, is_mirror
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.workloads.workload_pods import recreated_copy
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.world.controllers.covering import covers
from scheduler_core.world.controllers.evictions import is_ready, lets_go
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.run import Run

MOST_ASKED = 6_000_000
"""Pairs of pod and node that are asked about before the search ends: some seconds, on 5,000 nodes too."""
_PARTS = 10**6
_COPIES_FROM = 1_000_000
"""The numbers of copies begin here, far from those of a run's own."""

Document = dict[str, Any]
Labels = tuple[tuple[str, str], ...]


class Emptied(NamedTuple):
    """How many `nodes` could be emptied of the first `tried` ones, of so many `of` in the cluster."""

    nodes: int
    tried: int
    of: int


def emptied_nodes(world: Run, controllers: Controllers, most: int = MOST_ASKED) -> Emptied | None:
    """Empty nodes one after the other, those first whose pods ask for the least cpu; change nothing.

    None where others decide than kube-schedulers, or where outside extenders are asked.
    """
    schedulers = [one for one in world.schedulers if isinstance(one, Attempts)]
    if len(schedulers) < len(world.schedulers) or any(map(_asks_outside, schedulers)):
        return None
    with _taken_back(world.state):
        return _Emptying(world.state, controllers, schedulers, most).all()


def _asks_outside(scheduler: Attempts) -> bool:
    extenders = (extender for one in scheduler.profiles.values() for extender in one.panel.extenders)
    return any(not isinstance(extender, KeepsBooks) for extender in extenders)


def _ignored_by(scheduler: Attempts) -> list[str]:
    settings = (one.settings for each in scheduler.profiles.values() for one in each.panel.extenders)
    return ignored_resources(settings)


@contextmanager
def _taken_back(state: ClusterState) -> Iterator[None]:
    """Take back all changes of the block, of which nobody is told."""
    mark, tells = state.mark(), state.journal.tells
    state.journal.tells = False
    try:
        yield
    finally:
        state.undo_to(mark)
        state.journal.tells = tells


class _Emptying:
    """A pod that moves is the same one on another node; a copy of its likes, which waits, is asked about.

    Pods that come or are taken back make schedulers forget what they know of their likes. So all copies, and
    the pods that fill what was emptied, come first and stay to the end.
    """

    def __init__(
        self, state: ClusterState, controllers: Controllers, schedulers: Sequence[Attempts], most: int
    ) -> None:
        self._state, self._controllers = state, controllers
        self._serving = {name: one for one in schedulers for name in one.profiles}
        self._left = most // max(1, len(state.nodes))
        self._closed: BoolArray = np.zeros(len(state.nodes), dtype=np.bool_)
        self._known: dict[tuple[str, Labels], list[Budget]] = {}
        self._budgets: dict[str, list[Budget]] = {}
        for budget in state.budgets:
            self._budgets.setdefault(budget.namespace, []).append(budget)
        self._copies: dict[bytes, int] = {}
        self._rank: IntArray = np.argsort(np.argsort(np.array(state.nodes.names, dtype=np.str_)))
        """Each node's place by name, shape (nodes,)."""
        ignored = {name for one in schedulers for name in _ignored_by(one)}
        self._counted: BoolArray = np.array([name not in ignored for name in state.nodes.resources.names])
        """The resources that schedulers look at, not extenders alone, shape (resources,)."""

    def all(self) -> Emptied:
        """Try one node after the other for as long as pods may be tried."""
        nodes = self._in_order()
        left, emptied = self._left, 0
        within = list(takewhile(self._is_within, nodes))
        self._left = left
        candidates = {node: pods for node, pods in within if all(map(self._is_let_go, pods))}
        copy_of = {
            pod: self._copy_of(self._controllers.document(pod))
            for pods in candidates.values()
            for pod in pods
        }
        fillers = [self._filler(number) for number in range(len(candidates))]
        for tried, (node, _) in enumerate(within):
            if node not in candidates:
                continue
            pods = [pod for pod in self._state.node_pods[node] if self._would_go(pod)]
            if not self._is_within((node, pods)):
                return Emptied(emptied, tried, len(nodes))
            mark = self._state.mark()
            if self._is_room(node, pods) and self._empty(node, fillers[emptied], pods, copy_of):
                emptied += 1
            else:
                self._closed[node] = False
                self._state.undo_to(mark)
        return Emptied(emptied, len(within), len(nodes))

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
        return not is_daemon(self._controllers.document(pod))

    def _is_within(self, one: tuple[int, list[int]]) -> bool:
        """Tell whether a node's pods may be tried too."""
        self._left -= len(one[1])
        return self._left >= 0

    # -- may they go ---------------------------------------------------------------------------------

    def _is_let_go(self, pod: int) -> bool:
        """Tell whether a pod can be moved at all, and whether its budget lets it go."""
        info = self._state.pods.infos[pod]
        if is_mirror(self._controllers.document(pod)) or info.scheduler_name not in self._serving:
            return False
        key = info.namespace, tuple(sorted(info.labels.items()))
        if key not in self._known:
            of_namespace = self._budgets.get(info.namespace, ())
            self._known[key] = [budget for budget in of_namespace if covers(budget, info)]
        budgets = self._known[key]
        return not budgets or (len(budgets) == 1 and lets_go(budgets[0], ready=is_ready(info.pod)))

    def _is_room(self, node: int, pods: Sequence[int]) -> bool:
        """Tell whether the open nodes together have as much free as the pods ask for."""
        nodes = self._state.nodes
        free = np.maximum(nodes.allocatable - self._state.requested, 0)
        free[self._closed] = 0
        free[node] = 0
        asked = self._state.pods.requests[list(pods)].sum(axis=0)
        return bool((asked <= free.sum(axis=0))[self._counted].all())

    # -- moving them ---------------------------------------------------------------------------------

    def _empty(self, node: int, filler: int, pods: Sequence[int], copy_of: Mapping[int, int]) -> bool:
        """Move all pods of a node, the most important first, and tell whether each has another place."""
        infos = self._state.pods.infos
        for pod in pods:
            self._state.unbind(pod)
            for books in self._books(pod):
                books.leave(infos[pod])
        self._state.bind(filler, node)
        self._closed[node] = True
        return all(
            self._move(pod, copy_of[pod]) for pod in sorted(pods, key=lambda pod: -infos[pod].priority)
        )

    def _move(self, pod: int, copy: int) -> bool:
        """Put a pod on the fullest of the open nodes on which it fits, by cpu; False where there is none."""
        scheduler = self._serving[self._state.pods.infos[copy].scheduler_name]
        rows = np.flatnonzero(scheduler.fits(copy) & ~self._closed)
        info, nodes = self._state.pods.infos[pod], self._state.nodes
        for books in self._books(pod):
            if not len(rows):
                break
            names = books.fitting(info, [nodes.names[row] for row in rows.tolist()])
            rows = np.array([nodes.index[name] for name in names], dtype=np.int64)
        if not len(rows):
            return False
        cpu, taken = nodes.allocatable[rows, 0], self._state.requested[rows, 0]
        fullness = taken * _PARTS // np.maximum(cpu, 1)
        row = int(rows[np.lexsort((self._rank[rows], -fullness))[0]])
        self._state.bind(pod, row)
        return all(books.enter(info, nodes.names[row]) for books in self._books(pod))

    def _books(self, pod: int) -> list[KeepsBooks]:
        """Return the extenders that keep books of a pod beside its scheduler."""
        info = self._state.pods.infos[pod]
        panel = self._serving[info.scheduler_name].profiles[info.scheduler_name].panel
        return [one for one in panel.asked_about(info) if isinstance(one, KeepsBooks)]

    # -- pods that come first ------------------------------------------------------------------------

    def _copy_of(self, document: Document) -> int:
        """Return the copy that is asked about, one for all pods alike."""
        document = recreated_copy(document, _COPIES_FROM + len(self._copies))
        copy = types.convert(document, types.Pod)
        metadata, spec = copy.metadata, read_of(copy.spec)
        key = msgspec.json.encode((metadata.namespace, metadata.labels, metadata.owner_references, spec))
        if key not in self._copies:
            for claim in ephemeral_claims(document):
                self._controllers.put_claim(claim)
            self._copies[key] = self._state.create(copy).row
        return self._copies[key]

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
