"""A kube-scheduler in virtual time: its attempts begin, take their time, and end.

An attempt sees the cluster of the instant at which it begins and decides then; a chosen node counts as taken
from then on. What it decided is carried out at its end.

Source: the family `timed` of the recorded cases; kubernetes v1.36 pkg/scheduler/schedule_one.go ScheduleOne,
handleSchedulingFailure; plugins/defaultpreemption, framework/preemption/executor.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import msgspec

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Attempt
from scheduler_core.events.exchanges import Exchange
from scheduler_core.events.state import QUEUE
from scheduler_core.kube import attempt_event
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.dynamic_resources.binding import carry_out_later, plain_writes, unreserve_later
from scheduler_core.kube.dynamic_resources.claims_state import claims_in
from scheduler_core.kube.extenders.extender import EXTENDER, ExtenderError
from scheduler_core.kube.extenders.panel import Hearing
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.look import Looked
from scheduler_core.kube.message import as_event
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.backoff import Backoff
from scheduler_core.kube.queueing.cluster_event import ASSIGNED_POD_DELETE
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.scheduling_queue import LONGEST_WAIT, Failure, SchedulingQueue
from scheduler_core.kube.release import Release
from scheduler_core.kube.schedule_one import Attempts, Settings
from scheduler_core.kube.shown_queue import FLUSH_PERIOD, ShownQueue
from scheduler_core.objects.types import KubernetesObject, Pod, PodCondition
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.clocked import AttemptingScheduler
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.ordered_lists import OrderedLists
from scheduler_core.state.register import Register

PREEMPTED = PodCondition("DisruptionTarget", "True", "PreemptionByScheduler")


class Cluster(Protocol):
    """What the scheduler asks the API server to do; every change comes back to it as an event."""

    def update(self, pod: int, version: Pod) -> Report:
        """Give a pod a new version."""

    def bind(self, pod: int) -> Report:
        """Bind a pod to the node on which it was assumed, from now on."""

    def terminate(self, pod: int, why: str, condition: PodCondition | None) -> Report:
        """Ask a pod to go: with a grace period if it is bound, else at once."""

    def claims_changed(self) -> Report:
        """Let all hear of what has been written into claims for devices since they heard last."""


class Begun(NamedTuple):
    """An attempt that is under way: all of its decision that its end carries out. Pods are named by row.

    `claim_writes` are verb, key and claim of what it writes into claims, `claim_fault` why it can't.
    """

    uid: str
    pod: int
    attempt: int
    source: str
    outcome: str
    node: str
    nominate: str | None
    victims: list[int]
    cleared: list[int]
    message: str
    plugins: list[str]
    claim_writes: list[list[Any]] = []
    claim_fault: str = ""


class Ended(NamedTuple):
    """An attempt that ended: as what, what that did to the queues, and what extenders were asked last."""

    begun: Begun
    report: Report
    exchanges: list[Exchange]


class TimedScheduler(Attempts, AttemptingScheduler):
    """One kube-scheduler with its queue,. Instants are nanoseconds since the run's start."""

    binds_at_once = False
    queue: SchedulingQueue
    shown: ShownQueue

    def __init__(
        self,
        name: str,
        state: ClusterState,
        profiles: Mapping[str, Profile],
        settings: Settings,
        backoff: Backoff,
        release: Release = V1_36,
    ) -> None:
        super().__init__(name, state, profiles, settings)
        self.queue = release.queue(
            profiles, state, backoff, state.journal, f"{QUEUE}{name}", release.queueing
        )
        state.join(name, profiles)
        self.handlers = release.handlers(self.queue, self._as_assumed)
        self.shown = ShownQueue(state, name, self.queue.tables)
        self._under_way: Register[int, Begun] = Register(state.journal, read=lambda begun: Begun(*begun))
        self._progress: Register[str, int] = Register(state.journal, {"cycles": 0}.items())
        self._said: Register[str, str] = Register(state.journal)
        """What the PodScheduled condition of each pod says by now."""

    def lists(self) -> list[OrderedLists[Any]]:
        """Return the lists that the log shows of this scheduler."""
        return [self.queue.tables.parts]

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows of this scheduler."""
        return {self.shown.waiting.name: self.shown.waiting.rows}

    @property
    def under_way(self) -> Begun | None:
        """The attempt that is under way; the first of those of a pod group's members."""
        return self._under_way.values[min(self._under_way.values)] if self._under_way.values else None

    @property
    def tries(self) -> int:
        """How many attempts are under way, which are made one after the other."""
        return len(self._under_way.values)

    # -- an attempt ----------------------------------------------------------------------------------

    @property
    def _turn(self) -> int:
        return self._progress.values["cycles"]

    def look(self) -> Looked | None:
        """Decide about the next pod and change nothing; None if there is nobody to try."""
        queued = self.queue.next()
        if queued is None:
            return None
        pod = self.state.pods.by_uid[queued.uid]
        result = self.decide(pod, self._turn)
        return Looked(pod, queued.attempts + 1, self.state.nominated[pod], result)

    def has_next(self) -> bool:
        return self.queue.next() is not None

    def tell(self, look: Looked, stamp: Stamp, changes: list[Change]) -> Attempt:
        return attempt_event.attempt(self.name, look, stamp, changes, begun_only=True)

    def begin(self, looked: Looked, now: int) -> tuple[Begun, Report]:
        """Take the pod into flight. One that found its node takes room there and leaves the queue."""
        result, waiting = looked.result, self.queue.next()
        assert waiting is not None
        self.carry_out_noted(result)
        flying, report = self.queue.pop()
        assert flying is not None
        preemption, claims = result.preemption, claims_in(result.cycle)
        if claims is not None and result.chosen is not None:
            self.profile_of(result).run_pre_bind(result.cycle, result.chosen)
        fault = None if claims is None else claims.fault
        begun = Begun(
            flying.uid,
            looked.pod,
            looked.attempt,
            waiting.part,
            result.outcome,
            "" if result.chosen is None else self.state.nodes.names[result.chosen],
            result.nominate,
            list(preemption.victims) if preemption is not None else [],
            list(preemption.cleared) if preemption is not None else [],
            result.message or "",
            [] if result.outcome == "error" else sorted(rejecting_plugins(self.profile_of(result), result)),
            plain_writes(claims),
            "" if fault is None else ", ".join(fault.reasons),
        )
        self.search_on(result)
        self._progress.put("cycles", self._progress.values["cycles"] + 1)
        self.state.look(self.name)
        self._under_way.put(0, begun)
        if result.outcome == "scheduled":
            self.state.bind(begun.pod, self.reserve(result))
            if not self._hearing(begun).binds:
                self.queue.done(begun.uid)
            self.queue.nominator.remove(begun.uid)
        return begun, report

    def end(self, cluster: Cluster, now: int) -> Ended:
        """Carry out what the attempt that is under way decided."""
        begun = self.under_way
        assert begun is not None
        if begun.outcome == "scheduled":
            return self._end_with_binding(begun, cluster, now)
        report = self._write_claims(begun, cluster)[1]
        self._under_way.drop(min(self._under_way.values))
        report.extend(self._put_back(begun, cluster, now))
        return Ended(begun, report, [])

    def _write_claims(self, begun: Begun, cluster: Cluster) -> tuple[str, Report]:
        """Write into claims what an attempt decided; return why that failed, and who was moved by it."""
        claims = self.state.device_claims
        if claims is None or not begun.claim_writes or begun.pod in self.state.gone.values:
            return "", Report()
        pod = self.state.pods.infos[begun.pod].pod
        fault = carry_out_later(pod, begun.claim_writes, claims)
        return begun.claim_fault or fault or "", cluster.claims_changed()

    def _hearing(self, begun: Begun) -> Hearing:
        info = self.state.pods.infos[begun.pod]
        return self.profiles[info.scheduler_name].panel.hearing(self.state, info)

    def _end_with_binding(self, begun: Begun, cluster: Cluster, now: int) -> Ended:
        """Bind the pod, or let an extender do it. If that fails, the pod gives its room back and waits."""
        hearing, is_gone = self._hearing(begun), begun.pod in self.state.gone.values
        fault, claimed = self._write_claims(begun, cluster)
        if fault:
            failed, report = self._unbind(begun, fault, cluster, now)
            claimed.extend(report)
            return Ended(failed, claimed, [])
        if hearing.binds:
            try:
                if not is_gone:
                    hearing.bind(begun.node)
            except ExtenderError as error:
                return Ended(*self._unbind(begun, str(error), cluster, now), hearing.exchanges)
            self.queue.done(begun.uid)
        self._under_way.drop(min(self._under_way.values))
        claimed.extend(self._bound_too_late(begun, now) if is_gone else cluster.bind(begun.pod))
        return Ended(begun, claimed, hearing.exchanges)

    def _bound_too_late(self, begun: Begun, now: int) -> Report:
        pod = self.state.pods.infos[begun.pod].pod
        return self.handlers.bound_too_late(on_node(pod, begun.node), now)

    def _unbind(self, begun: Begun, error: str, cluster: Cluster, now: int) -> tuple[Begun, Report]:
        """Forget that the pod was assumed on its node, and put it back as after any error."""
        failed = begun._replace(outcome="error", nominate="", message=as_event(error))
        if self.state.device_claims is not None and not begun.claim_fault:
            pod = self.state.pods.infos[begun.pod].pod
            unreserve_later(pod, begun.claim_writes, self.state.device_claims)
        self.state.unbind(begun.pod)
        pod = self.state.pods.infos[begun.pod].pod
        report = self.queue.move_all(ASSIGNED_POD_DELETE, on_node(pod, begun.node), None, now)
        self._under_way.drop(min(self._under_way.values))
        report.extend(cluster.claims_changed())
        report.extend(self._put_back(failed, cluster, now))
        return failed, report

    def _put_back(self, begun: Begun, cluster: Cluster, now: int) -> Report:
        is_gone = begun.pod in self.state.gone.values
        newest = None if is_gone else self.state.pods.infos[begun.pod].pod
        failure = Failure(plugins=frozenset(begun.plugins), nominate=begun.nominate)
        report = self.queue.put_back(begun.uid, newest, failure, now)
        if self._preempts(begun):
            report.extend(self._preempt(begun, cluster))
        if begun.pod not in self.state.gone.values:
            report.extend(self._tell_pod(begun, cluster))
        return report

    def _as_assumed(self, pod: Pod) -> Pod | None:
        for begun in self._under_way.values.values():
            if begun.outcome == "scheduled" and pod.metadata.uid == begun.uid:
                return on_node(pod, begun.node)
        return None

    # -- what moves pods in the queue besides attempts -----------------------------------------------

    def hear(self, old: KubernetesObject | None, new: KubernetesObject | None, now: int) -> Report:
        if new is None:
            assert old is not None
            return self.handlers.deleted(old, now)
        return self.handlers.added(new, now) if old is None else self.handlers.updated(old, new, now)

    def next_flush(self) -> int | None:
        instants = [at for at in (self._end_of_backoff(), self._end_of_patience()) if at is not None]
        return min(instants, default=None)

    def flush(self, second: int, now: int) -> Report:
        report = self.queue.flush_backoff(now)
        if second % FLUSH_PERIOD == 0:
            report.extend(self.queue.flush_unschedulable(now))
        return report

    def _end_of_backoff(self) -> int | None:
        """Return the first whole second after the first back-off that ends."""
        backing_off = self.queue.tables.backoff()
        if not backing_off:
            return None
        ends = min((queued.expires or 0) for queued in backing_off)
        return self.queue.backoff.over_at(ends)

    def _end_of_patience(self) -> int | None:
        """Return the first flush at which a pod has waited for too long."""
        since = self.queue.tables.waiting_since("unschedulable", "gated")
        if since is None:
            return None
        return ((since + LONGEST_WAIT) // FLUSH_PERIOD + 1) * FLUSH_PERIOD

    # -- what a failed attempt asks of the API server ------------------------------------------------

    def _preempts(self, begun: Begun) -> bool:
        """Return whether the victims of an attempt are to go."""
        return begun.outcome == "nominated"

    def _preempt(self, begun: Begun, cluster: Cluster) -> Report:
        report = Report()
        for victim in begun.victims:
            if self.state.pods.infos[victim].pod.metadata.deletion_timestamp is None:
                report.extend(cluster.terminate(victim, "preempted", PREEMPTED))
        for pod in begun.cleared:
            info = self.state.pods.infos[pod]
            if pod not in self.state.gone.values and not info.pod.spec.node_name:
                report.extend(cluster.update(pod, nominated_to(info.pod, None)))
        return report

    def _tell_pod(self, begun: Begun, cluster: Cluster) -> Report:
        """Write the pod's condition and its nomination, if either changes."""
        version = self.state.pods.infos[begun.pod].pod
        nominate = begun.nominate
        renominated = nominate is not None and (version.status.nominated_node_name or "") != nominate
        if not renominated and self._said.get(begun.uid) == begun.message:
            return Report()
        self._said.put(begun.uid, begun.message)
        if renominated:
            version = nominated_to(version, nominate or None)
        return cluster.update(begun.pod, version)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        return super().dump() | {
            "queue": self.queue.dump(),
            "progress": self._progress.dump(),
            "said": self._said.dump(),
            "under_way": self._under_way.dump(),
        }

    def load(self, data: Mapping[str, Any]) -> None:
        super().load(data)
        self._under_way.load(data["under_way"])
        self.queue.load(data["queue"], {info.uid: info.pod for info in self.state.pods.infos})
        self.shown.reload()
        self._progress.load(data["progress"])
        self._said.load(data["said"])


def nominated_to(pod: Pod, node: str | None) -> Pod:
    """Return a version of the pod with another nomination in its status."""
    status = msgspec.structs.replace(pod.status, nominated_node_name=node)
    return msgspec.structs.replace(pod, status=status)


def on_node(pod: Pod, node: str) -> Pod:
    """Return a version of the pod that is bound to a node."""
    spec = msgspec.structs.replace(pod.spec, node_name=node)
    return msgspec.structs.replace(pod, spec=spec)


def rejecting_plugins(profile: Profile, result: AttemptResult) -> frozenset[str]:
    """Return the plugins whose events may help a pod that fits nowhere.

    Source: kubernetes v1.36 pkg/scheduler/schedule_one.go findNodesThatFitPod, UnschedulablePlugins.
    """
    filtered, plugins = result.pre_filtered, set()
    if result.left_out:
        plugins.add(EXTENDER)
    if filtered is not None:
        if profile.blames_pre_filters:
            plugins |= filtered.blamed | set(filtered.narrowed_by)
        if filtered.rejected is not None and filtered.rejected.plugin:
            plugins.add(filtered.rejected.plugin)
    for status, nodes in result.verdicts.groups() if result.verdicts is not None else ():
        if profile.blames_search_apart or nodes.tolist() != [result.tried_apart]:
            plugins.add(status.plugin)
    return frozenset(plugins)
