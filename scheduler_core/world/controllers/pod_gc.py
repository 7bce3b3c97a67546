"""Pods of nodes that are gone are collected: looked for every 20 s, deleted once the node is missed for 40 s.

They are deleted without grace, whoever else was to end them, and only then replaced. So are terminating pods
of a node that isn't ready and of which a taint says that it is out of service, in the next round. The rounds
are counted from the run's start. A node that the snapshot lacks is no deleted node: its pods stay.

Source: kubernetes v1.36 pkg/controller/podgc gcOrphaned, discoverDeletedNodes, gcTerminating.
"""

from __future__ import annotations

from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Acted, Around, ClusterController
from scheduler_core.world.controllers.node_health import OUT_OF_SERVICE, has_taint, ready_of
from scheduler_core.world.controllers.telling import Changed

_SECOND = 10**9
ROUND, QUARANTINE = 20 * _SECOND, 40 * _SECOND


class PodGC(ClusterController):
    """Knows which nodes are missed. What else the real one collects, no run has: pods that have ended."""

    remembered = {"gone": "_gone", "missed": "_missed", "forced": "_forced"}

    name = "pod-garbage-collector-controller"

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        journal = self.state.journal
        self._gone: Register[str, bool] = Register(journal, ((name, True) for name in around.deleted_nodes))
        """The nodes that were deleted and are not back."""
        self._missed: Register[str, tuple[int, int]] = Register(journal, read=tuple)
        """When a missed node's pods are deleted, and which decision took it away."""
        self._forced: Register[str, tuple[int, int]] = Register(journal, read=tuple)
        """When the terminating pods of a node out of service are deleted, and for which decision."""

    def begin(self) -> None:
        for name, members in list(self.state.placement.all_members()):
            if members:
                self._look(name, 0)

    def hear(self, decision: int) -> None:
        journal = self.state.journal
        nodes = journal.touched(self.state.node_changes)
        for name in nodes:
            if name not in self.state.nodes.index:
                self._gone.put(name, True)
            elif name in self._gone.values:
                self._gone.drop(name)
        pods = (pod for pod in journal.touched(self.state.pod_changes) if pod not in self.state.gone.values)
        for name in dict.fromkeys([*nodes, *map(self._node_of, pods)]):
            self._look(name, decision)

    def due(self) -> int | None:
        return min(
            (at for at, _ in [*self._missed.values.values(), *self._forced.values.values()]), default=None
        )

    def act(self) -> Acted | None:
        for register, pods_of, why in (
            (self._missed, self._orphans, "its node {} is gone"),
            (self._forced, self._stuck, "its node {} is out of service, and nobody else ends it"),
        ):
            first = min(register.values, key=lambda name: (register.values[name][0], name), default=None)
            if first is None or register.values[first][0] > self.cluster.now:
                continue
            if pods := pods_of(first):
                return self._collect(pods[0], why.format(first), register.values[first][1])
            register.drop(first)
        return None

    def _collect(self, pod: int, why: str, cause: int) -> Acted:
        key = self.state.pods.infos[pod].key
        told = Changed(self.name, self.state, "deleted", f"Pod {key}", why, pod)
        return Acted(self.cluster.delete_by_force(pod, "removed"), told.tell, cause or None)

    def _look(self, name: str, decision: int) -> None:
        """Miss a node that is gone and has pods; not one that is back before a round has seen that."""
        now, is_there, missed = self.cluster.now, name in self.state.nodes.index, self._missed.get(name)
        next_round = -(-now // ROUND) * ROUND
        if missed is None and self._orphans(name):
            self._missed.put(name, (next_round + QUARANTINE, decision))
        elif missed is not None and is_there and now < missed[0] - QUARANTINE:
            self._missed.drop(name)
        if name not in self._forced.values and self._stuck(name):
            self._forced.put(name, (next_round, decision))

    def _orphans(self, name: str) -> list[int]:
        return self._pods_of(name) if name in self._gone.values else []

    def _stuck(self, name: str) -> list[int]:
        """Return the terminating pods of a node that is out of service."""
        row = self.state.nodes.index.get(name)
        node = None if row is None else self.state.nodes.objects[row]
        if node is None or not has_taint(node, OUT_OF_SERVICE) or ready_of(node) not in ("False", "Unknown"):
            return []
        infos = self.state.pods.infos
        return [pod for pod in self._pods_of(name) if infos[pod].pod.metadata.deletion_timestamp is not None]

    def _pods_of(self, name: str) -> list[int]:
        infos = self.state.pods.infos
        bound = (pod for pod in self.state.placement.members(name) if self._node_of(pod) == name)
        return sorted(bound, key=lambda pod: infos[pod].key)

    def _node_of(self, pod: int) -> str:
        return self.state.pods.infos[pod].pod.spec.node_name or ""
