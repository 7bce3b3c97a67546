"""What a session asks of the API server where a clock moves: pods start at once and leave after their grace.

Source: volcano v1.16 pkg/scheduler/cache/cache.go defaultBinder, defaultEvictor.
"""

from __future__ import annotations

from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.timed_scheduler import PREEMPTED, nominated_to
from scheduler_core.world.clocked.live_cluster import Cluster


class SessionApi:
    """Keeps what kube-schedulers' queues made of the news until it is asked for."""

    victims_vanish = False
    cycles = 0
    """Sessions are no attempts."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._report = Report()

    def bind(self, pod: int, node: int) -> None:
        """Put the pod on the node, where it starts."""
        self._cluster.state.bind(pod, node)
        self._report.extend(self._cluster.bind(pod))

    def evict(self, pod: int) -> None:
        """Ask the pod to go. Volcano marks it as kube-scheduler marks those that it preempts."""
        self._report.extend(self._cluster.terminate(pod, "preempted", PREEMPTED))

    def nominate(self, pod: int, node: str) -> None:
        """Write the node into the pod's status that room is made on for it."""
        old = self._cluster.state.pods.infos[pod].pod
        self._report.extend(self._cluster.update(pod, nominated_to(old, node)))

    def is_leaving(self, pod: int) -> bool:
        """Return whether the pod was asked to go and hasn't gone yet, or is gone."""
        state = self._cluster.state
        leaving = state.pods.infos[pod].pod.metadata.deletion_timestamp is not None
        return leaving or pod in state.gone.values

    def take_report(self) -> Report:
        """Return what the news did to the queues since it was asked last."""
        report, self._report = self._report, Report()
        return report
