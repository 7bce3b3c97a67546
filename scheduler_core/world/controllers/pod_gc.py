"""Pods of nodes that are gone are collected: looked for every 20 s, deleted once the node is missed for 40 s.

They are deleted without grace, and only then replaced. The rounds are counted from the run's start.

Source: kubernetes v1.36 pkg/controller/podgc gcOrphaned, discoverDeletedNodes.
"""

from __future__ import annotations

from scheduler_core.objects.types import PodCondition
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Acted, Around, ClusterController
from scheduler_core.world.controllers.telling import Changed

_SECOND = 10**9
ROUND, QUARANTINE = 20 * _SECOND, 40 * _SECOND
_CONDITION = PodCondition("DisruptionTarget", "True", "DeletionByPodGC")


class PodGC(ClusterController):
    """Knows which nodes are missed. What else the real one collects, no run has: pods that have ended."""

    remembered = {"missed": "_missed"}

    name = "pod-garbage-collector-controller"

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._missed: Register[str, tuple[int, int]] = Register(self.state.journal, read=tuple)
        """When a missed node's pods are deleted, and which decision took it away."""

    def begin(self) -> None:
        for name, members in list(self.state.placement.all_members()):
            if members:
                self._look(name, 0)

    def hear(self, decision: int) -> None:
        journal = self.state.journal
        for name in journal.touched(self.state.node_changes):
            self._look(name, decision)
        for pod in journal.touched(self.state.pod_changes):
            if pod not in self.state.gone.values and (name := self._node_of(pod)):
                self._look(name, decision)

    def due(self) -> int | None:
        return min((at for at, _ in self._missed.values.values()), default=None)

    def act(self) -> Acted | None:
        name = min(self._missed.values, key=lambda name: (self._missed.values[name][0], name))
        _, cause = self._missed.values[name]
        pods = [] if name in self.state.nodes.index else self._pods_of(name)
        if not pods:
            self._missed.drop(name)
            return None
        pod = pods[0]
        told = Changed(
            self.name,
            self.state,
            "deleted",
            f"Pod {self.state.pods.infos[pod].key}",
            f"its node {name} is gone",
            pod,
        )
        if self.state.pods.infos[pod].pod.metadata.deletion_timestamp is None:
            report = self.cluster.terminate(pod, "removed", _CONDITION, grace=0)
        else:
            report = self.cluster.vanish(pod, "removed")
        return Acted(report, told.tell, cause or None)

    def _look(self, name: str, decision: int) -> None:
        """Miss a node that is gone and has pods; not one that is back before a round has seen that."""
        now, is_there, missed = self.cluster.now, name in self.state.nodes.index, self._missed.get(name)
        if missed is None and not is_there and self._pods_of(name):
            self._missed.put(name, (-(-now // ROUND) * ROUND + QUARANTINE, decision))
        elif missed is not None and is_there and now < missed[0] - QUARANTINE:
            self._missed.drop(name)

    def _pods_of(self, name: str) -> list[int]:
        infos = self.state.pods.infos
        bound = (pod for pod in self.state.placement.members(name) if self._node_of(pod) == name)
        return sorted(bound, key=lambda pod: infos[pod].key)

    def _node_of(self, pod: int) -> str:
        return self.state.pods.infos[pod].pod.spec.node_name or ""
