"""The scheduling queue of 1.36: who is tried next, where everybody else waits, and what brings them back.

Source: kubernetes v1.36 pkg/scheduler/backend/queue/scheduling_queue.go PriorityQueue,
pkg/scheduler/schedule_one.go handleSchedulingFailure.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing import cluster_event as event_names
from scheduler_core.kube.queueing.backoff import SECOND, Backoff
from scheduler_core.kube.queueing.behaviour import DEFAULT_QUEUEING, Queueing
from scheduler_core.kube.queueing.cluster_event import ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.in_flight import InFlight
from scheduler_core.kube.queueing.listening import Listeners, listeners_of, with_taints
from scheduler_core.kube.queueing.nominator import Nominator
from scheduler_core.kube.queueing.pod_facts import (
    info_of,
    is_assigned,
    key_of,
    priority_of,
    scheduler_of,
    uid_of,
)
from scheduler_core.kube.queueing.property_changes import pod_events
from scheduler_core.kube.queueing.queue_tables import QueueTables
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import NOWHERE, EventHeard, Move, Place, Report, Wake
from scheduler_core.kube.queueing.worth_requeuing import HintAnswer, Verdict, Worth, ask
from scheduler_core.objects.types import KubernetesObject, Pod
from scheduler_core.state.journal import Journal

LONGEST_WAIT = 300 * SECOND
"""Who is unschedulable for longer is tried again whatever happened."""


OnHeard = Callable[[ClusterEvent, Mapping[str, Mapping[str, HintAnswer]], str | None], None]
"""Takes note of an event: the answers by pod, and the pod if it alone is asked."""


@dataclass(frozen=True)
class Failure:
    """Why an attempt failed: rejected by plugins, by plugins that ask to wait, or else by an error.

    `nominate` is the node that the attempt nominates, empty to clear, None to leave it to the pod's status.
    """

    plugins: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()
    nominate: str | None = None


class SchedulingQueue:
    """Instants are whole numbers of nanoseconds that are handed in; `now` never goes back.

    `name` is what the log calls it; without one its parts are not told. `queueing` is how its release
    behaves.
    """

    def __init__(
        self,
        profiles: Mapping[str, Profile],
        view: ClusterView,
        backoff: Backoff,
        journal: Journal | None = None,
        name: str = "",
        queueing: Queueing = DEFAULT_QUEUEING,
    ) -> None:
        self.tables = QueueTables(journal or Journal(), name)
        self.queueing = queueing
        self.listeners = self.listeners_in(profiles, queueing)
        self.nominator = Nominator(self.tables)
        self.pops_early = backoff.pops_early
        self._profiles = profiles
        self.view = view
        self.backoff = backoff
        self._in_flight = InFlight(self.tables)
        self.on_heard: OnHeard | None = None
        """Is told of every cluster event as it is put to those that wait, or to one after its attempt."""

    @classmethod
    def listeners_in(cls, profiles: Mapping[str, Profile], queueing: Queueing) -> Listeners:
        """Return who listens in these profiles, given by scheduler name."""
        return listeners_of(profiles, partial(cls.registered, queueing))

    @classmethod
    def registered(cls, queueing: Queueing, plugin: str, interests: Sequence[Interest]) -> list[Interest]:
        """Return what the queue makes of what a plugin listens to."""
        return with_taints(interests)

    # -- pods that wait ------------------------------------------------------------------------------

    def add(self, pod: Pod, now: int) -> Report:
        """Take in a new pod. Raises ValueError if its uid is known: those never come again."""
        if uid_of(pod) in self.tables.pods:
            raise ValueError(f"{key_of(pod)} is in the queue already")
        return self._enter(pod, event_names.UNSCHEDULED_POD_ADD, now)

    def update(self, old: Pod, new: Pod, now: int) -> Report:
        """Take note of a new version of a pod without a node."""
        queued, events = self.tables.pods.get(uid_of(new)), pod_events(old, new, self.queueing)
        if queued is None:
            return self._enter(new, event_names.UNSCHEDULED_POD_UPDATE, now)
        if queued.part == "in_flight":
            for event in events:
                self._in_flight.note(event, old, new)
            return Report([EventHeard(event.label) for event in events])
        queued = self._put(replace(queued, pod=new))
        self.nominator.update(old, new)
        report = Report()
        if queued.part in ("unschedulable", "gated"):
            self._ask_about_itself(queued, events, old, now, report)
        return report

    def _ask_about_itself(
        self, queued: QueuedPod, events: Iterable[ClusterEvent], old: Pod, now: int, report: Report
    ) -> None:
        """Put a waiting pod's own change to its rejecting plugins, event by event, until it moves on."""
        for event in events:
            verdict = self._ask(queued, event, old, queued.pod)
            report.events.append(self._heard(event, {queued.key: verdict.hints}, queued.key))
            source = queued.part
            queued = self._requeue(queued, verdict.worth, event.label, now)
            note_move(report, queued, source, event.label, verdict.hints)
            if queued.part in ("active", "backoff"):
                return

    def delete(self, pod: Pod) -> Report:
        """Forget a pod; one that is in flight is forgotten when its attempt ends."""
        self.nominator.remove(uid_of(pod))
        queued = self.tables.pods.get(uid_of(pod))
        if queued is None or queued.part == "in_flight":
            return Report()
        return self._leave(queued, event_names.UNSCHEDULED_POD_DELETE.label)

    def activate(self, pods: Iterable[Pod], now: int) -> Report:
        """Have pods tried without waiting on; one in flight is tried again after its back-off."""
        report = Report()
        for pod in pods:
            queued = self.tables.pods.get(uid_of(pod))
            if queued is not None and queued.part == "in_flight":
                self._in_flight.note(event_names.FORCE_ACTIVATE, None, pod)
            elif queued is not None and queued.part != "active":
                label = event_names.FORCE_ACTIVATE.label
                note_move(report, self._to_active(queued, label, now), queued.part, label)
        return _by_name(report)

    # -- attempts ------------------------------------------------------------------------------------

    def next(self) -> QueuedPod | None:
        """Return the pod that would be popped."""
        first = self.tables.first("active")
        if first is None and self.pops_early:
            first = self.tables.first("backoff")
            if first is not None and not first.rejecters:
                return None
        return first

    def pop(self) -> tuple[QueuedPod | None, Report]:
        """Take the next pod into flight; None if there is nobody to try."""
        queued, report = self.next(), Report()
        if queued is None:
            return None, report
        flying = self._in_flight.start(queued)
        note_move(report, flying, queued.part, event_names.POP)
        return flying, report

    def put_back(self, uid: str, newest: Pod | None, failure: Failure, now: int) -> Report:
        """End a pod's attempt that failed. `newest` is what the cluster has under the pod's name now.

        A pod that is gone, has a node or was replaced by another is forgotten, without a move.
        Raises KeyError if the pod is not in flight.
        """
        flying = self._flying(uid)
        if newest is None or is_assigned(newest) or uid_of(newest) != uid:
            self._leave(flying, event_names.ATTEMPT_FAILURE)
            self.nominator.remove(uid)
            self._in_flight.forget_events()
            return Report()
        queued, during = self._after_attempt(self._failed(flying, newest, failure, now), now)
        self._in_flight.forget_events()
        self.nominator.add(newest, failure.nominate)
        report = Report()
        note_move(report, queued, "in_flight", event_names.ATTEMPT_FAILURE, during=during)
        return report

    def done(self, uid: str) -> Report:
        """End a pod's attempt that succeeded. Raises KeyError if the pod is not in flight."""
        report = self._leave(self._flying(uid), event_names.DONE)
        self._in_flight.forget_events()
        return report

    def _flying(self, uid: str) -> QueuedPod:
        queued = self.tables.pods[uid]
        if queued.part != "in_flight":
            raise KeyError(uid)
        return queued

    def _failed(self, flying: QueuedPod, pod: Pod, failure: Failure, now: int) -> QueuedPod:
        rejected = bool(failure.plugins | failure.pending)
        rejections = flying.rejections + rejected
        errors = 0 if rejected else flying.errors + 1
        return replace(
            flying,
            pod=pod,
            since=now,
            order=self.tables.next("entries"),
            rejections=rejections,
            errors=errors,
            plugins=failure.plugins,
            pending=failure.pending,
            expires=self.backoff.expiry(now, rejections, errors, flying.attempts),
        )

    def _after_attempt(self, queued: QueuedPod, now: int) -> tuple[QueuedPod, tuple[Wake, ...]]:
        """Put a pod where it waits after a failed attempt; return also the events that call for another."""
        worth, during = self._missed(queued)
        return self._requeue(queued, worth, event_names.ATTEMPT_FAILURE, now), during

    def _missed(self, queued: QueuedPod) -> tuple[Worth, tuple[Wake, ...]]:
        """Return what the events of the attempt's own time are worth, and which of them count."""
        if not queued.rejecters:
            return Worth.AFTER_BACKOFF, ()
        worth, during = Worth.NOTHING, []
        for missed in self._in_flight.since(queued):
            verdict = self._ask(queued, missed.event, missed.old, missed.new)
            self._heard(missed.event, {queued.key: verdict.hints}, queued.key)
            if verdict.worth != Worth.NOTHING:
                during.append(Wake(missed.event.label, verdict.hints))
            worth = max(worth, verdict.worth)
            if worth == Worth.AT_ONCE or (worth == Worth.AFTER_BACKOFF and not queued.pending):
                break
        return worth, tuple(during)

    # -- what happens elsewhere ----------------------------------------------------------------------

    def move_all(
        self,
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
        now: int,
        *,
        at_most: int | None = None,
    ) -> Report:
        """Put a cluster event to all that wait, with `at_most` only to pods of at most this priority."""
        plugins = self.listeners.plugins(event)
        if not plugins:
            self._heard(event, {})
            return Report([EventHeard(event.label, ignored=True)])
        report, asked = Report(), {}
        for queued in self.tables.rejected_by(plugins):
            if at_most is not None and priority_of(queued.pod) > at_most:
                continue
            if self._is_gated_against(queued, event):
                continue
            verdict = self._ask(queued, event, old, new)
            asked[queued.key] = verdict.hints
            if verdict.worth != Worth.NOTHING:
                moved = self._requeue(queued, verdict.worth, event.label, now)
                note_move(report, moved, queued.part, event.label, verdict.hints)
        self._note(event, old, new)
        report.events.append(self._heard(event, asked))
        return report

    def flush_backoff(self, now: int) -> Report:
        """Have those tried whose back-off is over: what the queue does every second."""
        report = Report()
        for queued in self.tables.backoff():
            if self.backoff.is_over(queued.expires, now):
                active = self._to_active(queued, event_names.BACKOFF_COMPLETE, now)
                note_move(report, active, queued.part, event_names.BACKOFF_COMPLETE)
        return _by_name(report)

    def flush_unschedulable(self, now: int) -> Report:
        """Have those tried that wait for too long: what the queue does every 30 seconds."""
        event = event_names.UNSCHEDULABLE_TIMEOUT
        late = [
            queued
            for queued in self.tables.members("unschedulable", "gated")
            if now - queued.since > LONGEST_WAIT
        ]
        report = Report()
        for queued in late:
            if not self._is_gated_against(queued, event):
                moved = self._requeue(queued, self._ask(queued, event, None, None).worth, event.label, now)
                note_move(report, moved, queued.part, event.label)
        if late:
            self._note(event, None, None)
        return report

    def _note(self, event: ClusterEvent, old: KubernetesObject | None, new: KubernetesObject | None) -> None:
        """Remember an event for the pods in flight."""
        self._in_flight.note(event, old, new)

    def _is_gated_against(self, queued: QueuedPod, event: ClusterEvent) -> bool:
        return bool(queued.gate) and queued.gate not in self.listeners.plugins(event)

    def _ask(
        self,
        queued: QueuedPod,
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
    ) -> Verdict:
        return ask(self.listeners, self.view, queued, event, old, new)

    def _heard(
        self, event: ClusterEvent, asked: Mapping[str, Mapping[str, HintAnswer]], alone: str | None = None
    ) -> EventHeard:
        hints = {key: hints for key, hints in asked.items() if hints}
        if self.on_heard is not None:
            self.on_heard(event, hints, alone)
        return EventHeard(event.label, hints=hints)

    # -- from part to part ---------------------------------------------------------------------------

    def _enter(self, pod: Pod, event: ClusterEvent, now: int) -> Report:
        report = Report()
        queued = QueuedPod(pod, "unschedulable", now, self.tables.next("entries"))
        note_move(report, self._to_active(queued, event.label, now), NOWHERE, event.label)
        return report

    def _requeue(self, queued: QueuedPod, worth: Worth, label: str, now: int) -> QueuedPod:
        if worth == Worth.NOTHING:
            return self._park(queued)
        if worth == Worth.AFTER_BACKOFF and not self.backoff.is_over(queued.expires, now):
            return self._to_backoff(queued)
        return self._to_active(queued, label, now)

    def _to_active(self, queued: QueuedPod, label: str, now: int) -> QueuedPod:
        if queued.part != "backoff" or not self.pops_early:
            queued = self._pre_enqueue(queued)
        if queued.gate:
            return self._park(queued)
        first = now if queued.first is None and queued.pod.spec.scheduling_group is not None else queued.first
        queued = self._put(replace(queued, part="active", first=first))
        self._nominate(queued, label)
        return queued

    def _nominate(self, queued: QueuedPod, label: str) -> None:
        """Nominate a pod that became active to the node of its status, where the event is its own."""
        if label in (event_names.UNSCHEDULED_POD_ADD.label, event_names.UNSCHEDULED_POD_UPDATE.label):
            self.nominator.add(queued.pod)

    def _to_backoff(self, queued: QueuedPod) -> QueuedPod:
        if self.pops_early:
            queued = self._pre_enqueue(queued)
            if queued.gate:
                return self._park(queued)
        return self._put(replace(queued, part="backoff"))

    def _pre_enqueue(self, queued: QueuedPod) -> QueuedPod:
        """Ask the PreEnqueue plugins, the one that gates the pod first; who rejects it stays its gate."""
        profile = self._profiles.get(scheduler_of(queued.pod))
        plugins = list(profile.pre_enqueue) if profile is not None else []
        for plugin in sorted(plugins, key=lambda plugin: plugin.name != queued.gate):
            if plugin.pre_enqueue(info_of(queued.pod), self.view.device_claims) is not None:
                return replace(queued, gate=plugin.name, plugins=queued.plugins | {plugin.name})
        return replace(queued, gate="")

    def _park(self, queued: QueuedPod) -> QueuedPod:
        return self._put(replace(queued, part="gated" if queued.gate else "unschedulable"))

    def _put(self, queued: QueuedPod) -> QueuedPod:
        self.tables.put("pods", queued.uid, queued)
        return queued

    def _leave(self, queued: QueuedPod, label: str) -> Report:
        self.tables.put("pods", queued.uid, None)
        return Report(moves=[Move(queued.uid, queued.key, queued.part, NOWHERE, label)])

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return the queue as plain data."""
        return self.tables.dump()

    def load(self, data: Mapping[str, Any], pods: Mapping[str, Pod]) -> None:
        """Restore what `dump` returned; `pods` are the cluster's pods by uid."""
        self.tables.load(data, pods)


def note_move(
    report: Report,
    queued: QueuedPod,
    source: Place,
    label: str,
    hints: Mapping[str, HintAnswer] | None = None,
    during: tuple[Wake, ...] = (),
) -> None:
    """Tell of a move, if the pod is not where it was."""
    if queued.part != source:
        report.moves.append(Move(queued.uid, queued.key, source, queued.part, label, hints or {}, during))


def _by_name(report: Report) -> Report:
    report.moves.sort(key=lambda move: move.key)
    return report
