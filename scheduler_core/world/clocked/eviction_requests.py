"""The eviction API where a clock moves: what drains and evictions ask for is granted or refused at once.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go.
"""

from __future__ import annotations

from collections.abc import Callable

from scheduler_core.kube.queueing.report import Report
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening, Stay
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.controllers.evictions import refusal
from scheduler_core.world.controllers.recreated_pods import Document
from scheduler_core.world.edits.changes import reason_to_skip


class EvictionRequests(ClockedActor):
    """Grants or refuses what is asked for, one pod after another. `document` returns a pod as an object."""

    urgent = True

    def __init__(self, cluster: Cluster, document: Callable[[int], Document]) -> None:
        self._cluster = cluster
        self._document = document

    def due(self) -> int | None:
        return self._cluster.now if self._cluster.asked.values else None

    def act(self) -> Happening:
        turn = min(self._cluster.asked.values)
        pod = self._cluster.asked.values[turn]
        self._cluster.asked.drop(turn)
        stay = self._reason_to_stay(pod)
        report = Report() if stay is not None else self._cluster.terminate(pod, "evicted")
        return Happening("eviction", report, pod=pod, stay=stay)

    def _reason_to_stay(self, pod: int) -> Stay | None:
        state = self._cluster.state
        if pod in state.gone.values or not state.node_of(pod):
            return Stay("refused", "the pod is on no node")
        skipped = reason_to_skip(self._document(pod))
        if skipped is not None:
            return Stay("skipped", skipped)
        if state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            return Stay("refused", "the pod is terminating already")
        refused = refusal(state, pod)
        return None if refused is None else Stay("refused", refused.message)
