"""The scheduling queue without queueing hints: any event that a plugin registered moves whom it rejected.

It does not remember what happens while a pod is in flight, but only that something did.

Source: kubernetes v1.31 pkg/scheduler/internal/queue/scheduling_queue.go, with the gate
SchedulerQueueingHints off: addUnschedulableWithoutQueueingHint, Update, movePodsToActiveOrBackoffQueue,
AddUnschedulableIfNotPresent.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from scheduler_core.kube.queueing import cluster_event as event_names
from scheduler_core.kube.queueing.behaviour import Queueing
from scheduler_core.kube.queueing.cluster_event import ClusterEvent
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.kube.queueing.listening import with_taints
from scheduler_core.kube.queueing.pod_facts import is_changed, uid_of
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import EventHeard, Report
from scheduler_core.kube.queueing.scheduling_queue import Failure, SchedulingQueue, note_move
from scheduler_core.kube.queueing.worth_requeuing import Worth
from scheduler_core.objects.types import KubernetesObject, Pod

_GATES = "SchedulingGates"
_POPS, _LAST_MOVE = "pops", "last_move"
Chosen = Callable[[QueuedPod], bool]
"""Whether an event is put to a pod at all."""


class QueueWithoutHints(SchedulingQueue):
    """The queue of releases in which hints are off.

    `counters` has the pops, and how many there were at the last event that moved pods, plus one.
    """

    parks_errors = False
    """A pod whose attempt ended with an error waits for an event, and not for its back-off alone."""
    heeds_all_events = False
    """An event that nobody listens to has pods in flight tried again as well."""
    adds_taints = True
    """A plugin that listens to new nodes hears of taints too."""

    @classmethod
    def registered(cls, queueing: Queueing, plugin: str, interests: Sequence[Interest]) -> list[Interest]:
        registered = queueing.registered.get(plugin)
        events = (
            [item.event for item in interests]
            if registered is None
            else [ClusterEvent(resource, action) for resource, action in registered.items()]
        )
        heard = [Interest(event) for event in events]
        return with_taints(heard) if cls.adds_taints else heard

    # -- pods that wait ------------------------------------------------------------------------------

    def update(self, old: Pod, new: Pod, now: int) -> Report:
        queued = self.tables.pods.get(uid_of(new))
        if queued is None:
            return self._enter(new, event_names.UNSCHEDULED_POD_UPDATE, now)
        if queued.part == "in_flight":
            return self._update_in_flight(queued, old, new, now)
        queued = self._put(replace(queued, pod=new))
        self.nominator.update(old, new)
        report = Report()
        if queued.part in ("unschedulable", "gated") and is_changed(old, new):
            label = event_names.UNSCHEDULED_POD_UPDATE.label
            waits = not queued.gate and not self.backoff.is_over(queued.expires, now)
            moved = self._to_backoff(queued) if waits else self._to_active(queued, label, now)
            note_move(report, moved, queued.part, label)
        return report

    def _update_in_flight(self, queued: QueuedPod, old: Pod, new: Pod, now: int) -> Report:
        """Take note of a new version of a pod in flight, which the queue takes for a new pod."""
        if queued.again is None:
            self._put(replace(queued, pod=new, again=now))
            self.nominator.add(new)
        else:
            self._put(replace(queued, pod=new))
            self.nominator.update(old, new)
        return Report()

    def delete(self, pod: Pod) -> Report:
        queued = self.tables.pods.get(uid_of(pod))
        if queued is not None and queued.again is not None:
            self._put(replace(queued, again=None))
        return super().delete(pod)

    def _enter(self, pod: Pod, event: ClusterEvent, now: int) -> Report:
        report = super()._enter(pod, event, now)
        if self.tables.pods[uid_of(pod)].part == "active":
            self.nominator.add(pod)
        return report

    def _nominate(self, queued: QueuedPod, label: str) -> None:
        """Do nothing: new pods are nominated as they enter."""

    # -- attempts ------------------------------------------------------------------------------------

    def pop(self) -> tuple[QueuedPod | None, Report]:
        popped, report = super().pop()
        if popped is not None:
            self.tables.next(_POPS)
        return popped, report

    def put_back(self, uid: str, newest: Pod | None, failure: Failure, now: int) -> Report:
        again = self._flying(uid).again
        report = super().put_back(uid, newest, failure, now)
        queued = self.tables.pods.get(uid)
        if again is None or queued is None:
            return report
        self.tables.put("pods", uid, None)
        anew = QueuedPod(queued.pod, "in_flight", again, self.tables.next("entries"))
        report, moved = Report(), self._to_active(anew, event_names.ATTEMPT_FAILURE, now)
        note_move(report, moved, "in_flight", event_names.ATTEMPT_FAILURE)
        return report

    def _after_attempt(self, queued: QueuedPod, now: int) -> tuple[QueuedPod, tuple[()]]:
        counters = self.tables.counters
        is_moved = counters.get(_LAST_MOVE, 0) > counters.get(_POPS, 0)
        if is_moved or (not queued.rejecters and not self.parks_errors):
            return self._to_backoff(queued), ()
        return self._park(queued), ()

    # -- what happens elsewhere ----------------------------------------------------------------------

    def move_all(
        self,
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
        now: int,
        *,
        at_most: int | None = None,
        chosen: Chosen = lambda queued: True,
    ) -> Report:
        if not self.listeners.plugins(event) and not self.heeds_all_events:
            self._heard(event, {})
            return Report([EventHeard(event.label, ignored=True)])
        report, asked = Report(), {}
        for queued in self.tables.members("unschedulable", "gated"):
            if self._is_gated_against(queued, event) or not chosen(queued):
                continue
            verdict = self._ask(queued, event, old, new)
            asked[queued.key] = verdict.hints
            if verdict.worth != Worth.NOTHING:
                moved = self._requeue(queued, verdict.worth, event.label, now)
                note_move(report, moved, queued.part, event.label, verdict.hints)
        self._note(event, old, new)
        report.events.append(self._heard(event, asked))
        return report

    def _note(self, event: ClusterEvent, old: KubernetesObject | None, new: KubernetesObject | None) -> None:
        self.tables.put("counters", _LAST_MOVE, self.tables.counters.get(_POPS, 0) + 1)

    def _is_gated_against(self, queued: QueuedPod, event: ClusterEvent) -> bool:
        return bool(queued.gate) and _GATES in queued.plugins
