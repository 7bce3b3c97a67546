"""The scheduling queue where pods of a group are tried together, and what it makes of the cluster's news.

Source: kubernetes v1.36 pkg/scheduler/backend/queue/scheduling_queue.go PopSpecificPod,
determineSchedulingHintForInFlightPod; eventhandlers.go addPodToSchedulingQueue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scheduler_core.kube.queueing import cluster_event as event_names
from scheduler_core.kube.queueing.event_handlers import EventHandlers
from scheduler_core.kube.queueing.pod_facts import is_assigned
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import Report, Wake
from scheduler_core.kube.queueing.scheduling_queue import SchedulingQueue, note_move
from scheduler_core.kube.queueing.worth_requeuing import Worth
from scheduler_core.objects.pod_groups import group_named_by
from scheduler_core.objects.types import KubernetesObject, Pod


class GroupQueue(SchedulingQueue):
    """Members are taken along from wherever they wait; after a failure they only back off.

    `rests` says of a pod that backs off whether it isn't to be popped before the end of it.
    """

    rests: Callable[[QueuedPod], bool] = staticmethod(lambda queued: False)

    def next(self) -> QueuedPod | None:
        first = super().next()
        if first is None or first.part != "backoff":
            return first
        early = (queued for queued in self.tables.backoff() if queued.rejecters)
        return next((queued for queued in early if not self.rests(queued)), None)

    def companions(self, uids: Iterable[str]) -> list[QueuedPod]:
        """Return who of these pods would be taken along now, in this order; change nothing."""
        waiting = (self.tables.pods.get(uid) for uid in uids)
        return [queued for queued in waiting if queued is not None and self._comes_along(queued)]

    def _comes_along(self, queued: QueuedPod) -> bool:
        if queued.part == "in_flight":
            return False
        if queued.part == "active" or (queued.part == "backoff" and self.pops_early):
            return True
        return not self._pre_enqueue(queued).gate

    def take(self, uids: Iterable[str], now: int) -> Report:
        """Take pods into flight, as if each was activated and popped. Who still is gated stays."""
        report = Report()
        for uid in uids:
            queued = self.tables.pods[uid]
            source = queued.part
            if source != "active":
                queued = self._to_active(queued, event_names.FORCE_ACTIVATE.label, now)
            if queued.part == "active":
                queued = self._in_flight.start(queued)
            label = event_names.POP if queued.part == "in_flight" else event_names.FORCE_ACTIVATE.label
            note_move(report, queued, source, label)
        return report

    def _missed(self, queued: QueuedPod) -> tuple[Worth, tuple[Wake, ...]]:
        if group_named_by(queued.pod) is not None:
            return Worth.AFTER_BACKOFF, ()
        return super()._missed(queued)


class GangHandlers(EventHandlers):
    """Where gangs are played, pods hear of those that come without a node, too."""

    def added(self, item: KubernetesObject, now: int) -> Report:
        report = super().added(item, now)
        if isinstance(item, Pod) and not is_assigned(item) and self.is_ours(item):
            report.extend(self.queue.move_all(event_names.UNSCHEDULED_POD_ADD, None, item, now))
        return report
