"""What kubelets do where a clock moves: pods go when their grace is over, or when their run has ended."""

from __future__ import annotations

from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.live_cluster import Cluster


class LeavingPods(ClockedActor):
    """Pods whose time is up leave, in the order in which they were asked to go or started."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def due(self) -> int | None:
        leaving = self._cluster.next_to_leave()
        return None if leaving is None else leaving[0]

    def act(self) -> Happening:
        leaving = self._cluster.next_to_leave()
        assert leaving is not None
        why = self._cluster.leaving.values[leaving[1]][2]
        return Happening("left", self._cluster.vanish(leaving[1], why), pod=leaving[1], why=why)
