"""Pods that leave their nodes for others, as a trial: their schedulers say where each fits.

A pod that moves is the same one on another node. A kube-scheduler is asked about a copy of its likes, which
waits; extenders in process are asked about the pod itself. A scheduler of sessions is asked about all pods
that have no node at the moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from scheduler_core.kube.equivalence.signature import read_of
from scheduler_core.kube.extenders.extender import KeepsBooks
from scheduler_core.kube.extenders.settings import ignored_resources
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.objects import types
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.workloads.workload_pods import recreated_copy
from scheduler_core.schedulers.unclocked import Described, Moving
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.world.controllers.recreated_pods import Controllers

_COPIES_FROM = 1_000_000
"""The numbers of copies begin here, far from those of a run's own."""
_SESSION_COSTS = 40
"""Opening a session takes as long as so many questions about a pod and a node, for each pod and each node."""

Document = dict[str, Any]


def can_tell(scheduler: Described) -> bool:
    """Return whether a scheduler can say of one pod whether it fits, and asks nobody outside."""
    if not isinstance(scheduler, Attempts):
        return scheduler.moves_together
    extenders = (one for profile in scheduler.profiles.values() for one in profile.panel.extenders)
    return all(isinstance(one, KeepsBooks) for one in extenders)


class PodMoves:
    """Who says where pods may go. A pod with devices, or of a pod group, has no other place than its own.

    Pods that come or are taken back make schedulers forget what they know of their likes. So all copies come
    first and stay to the end.
    """

    def __init__(
        self, state: ClusterState, controllers: Controllers, schedulers: Sequence[Described]
    ) -> None:
        self._state, self._controllers = state, controllers
        self.serving = {name: one for one in schedulers for name in one.row().profiles}
        self._copies: dict[bytes, int] = {}
        self._copy_of: dict[int, int] = {}
        self._homeless: set[int] = set()
        self._open: dict[str, Moving] = {}
        ignored = {name for one in schedulers if isinstance(one, Attempts) for name in _ignored_by(one)}
        self.counted: BoolArray = np.array([name not in ignored for name in state.nodes.resources.names])
        """The resources that schedulers look at, not extenders alone, shape (resources,)."""

    def prepare(self, pods: Iterable[int]) -> None:
        """Make the copies that are asked about."""
        for pod in pods:
            if isinstance(self._scheduler(pod), Attempts):
                self._copy_of[pod] = self._copy(self._controllers.document(pod))

    def cost(self, pods: Sequence[int]) -> int:
        """Return about how many questions, of a pod and a node each, it takes to move pods of a node."""
        nodes = len(self._state.nodes)
        of_sessions = {id(one) for one in map(self._scheduler, pods) if not isinstance(one, Attempts)}
        sessions = len(of_sessions) * _SESSION_COSTS * (nodes + len(self._state.pods))
        return len(pods) * nodes + sessions

    def leave(self, pods: Sequence[int]) -> None:
        """Take pods off their node."""
        self._homeless, self._open = set(pods), {}
        for pod in pods:
            self._state.unbind(pod)
            for books in self._books(pod):
                books.leave(self._state.pods.infos[pod])

    def fitting(self, pod: int, closed: BoolArray) -> IntArray:
        """Return the rows of the nodes that are not closed and on which a pod fits."""
        scheduler, info = self._scheduler(pod), self._state.pods.infos[pod]
        if not isinstance(scheduler, Attempts):
            return np.flatnonzero(self._session(scheduler, pod).fits(pod) & ~closed)
        if self.is_held(pod):
            return np.zeros(0, dtype=np.int64)
        rows: IntArray = np.flatnonzero(scheduler.fits(self._copy_of[pod]) & ~closed)
        nodes = self._state.nodes
        for books in self._books(pod):
            names = books.fitting(info, [nodes.names[row] for row in rows.tolist()]) if len(rows) else ()
            rows = np.array([nodes.index[name] for name in names], dtype=np.int64)
        return rows

    def enter(self, pod: int, node: int) -> bool:
        """Put a pod on a node, and tell whether it has all there that it asks for."""
        self._state.bind(pod, node)
        self._homeless.discard(pod)
        name, info = self._state.pods.infos[pod].scheduler_name, self._state.pods.infos[pod]
        told = self._open.get(name)
        self._open = {} if told is None else {name: told}  # other sessions know nothing of this pod
        entered = told is None or told.put(pod, node)
        return entered and all(books.enter(info, self._state.nodes.names[node]) for books in self._books(pod))

    def is_held(self, pod: int) -> bool:
        """Return whether a pod stays: it may hold devices, or its place is its pod group's.

        What is free elsewhere for devices is not counted over several moves, nor where a group may go.
        """
        claims, info = self._state.device_claims, self._state.pods.infos[pod]
        if info.pod.spec.scheduling_group is not None and self._scheduler(pod).plays_groups:
            return True
        return claims is not None and claims.may_hold(info.pod, info.requests)

    def _scheduler(self, pod: int) -> Described:
        return self.serving[self._state.pods.infos[pod].scheduler_name]

    def _session(self, scheduler: Described, pod: int) -> Moving:
        name = self._state.pods.infos[pod].scheduler_name
        if name not in self._open:
            infos = self._state.pods.infos
            moving = scheduler.moving([one for one in self._homeless if infos[one].scheduler_name == name])
            assert moving is not None, "only those who move pods together are asked"
            self._open[name] = moving
        return self._open[name]

    def _books(self, pod: int) -> list[KeepsBooks]:
        """Return the extenders that keep books of a pod beside its scheduler."""
        scheduler, info = self._scheduler(pod), self._state.pods.infos[pod]
        if not isinstance(scheduler, Attempts):
            return []
        asked = scheduler.profiles[info.scheduler_name].panel.asked_about(info)
        return [one for one in asked if isinstance(one, KeepsBooks)]

    def _copy(self, document: Document) -> int:
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


def _ignored_by(scheduler: Attempts) -> list[str]:
    settings = (one.settings for each in scheduler.profiles.values() for one in each.panel.extenders)
    return ignored_resources(settings)
