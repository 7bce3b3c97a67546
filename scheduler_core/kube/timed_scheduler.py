"""A kube-scheduler in virtual time: its attempts begin, take their time, and end.

An attempt sees the cluster of the instant at which it begins and decides then; a chosen node counts as taken
from then on. What it decided is carried out at its end.

Source: the family `timed` of the recorded cases; kubernetes v1.36 pkg/scheduler/schedule_one.go ScheduleOne,
handleSchedulingFailure; plugins/defaultpreemption, framework/preemption/executor.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from scheduler_core.events.state import ActorRow
from scheduler_core.kube.attempt import AttemptResult
from scheduler_core.kube.framework import Cycle, NotModelled
from scheduler_core.kube.look import Looked
from scheduler_core.kube.lots import Lots, drawn, first
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queue_journal import QueueJournal
from scheduler_core.kube.queueing.backoff import Backoff
from scheduler_core.kube.queueing.event_handlers import EventHandlers
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.scheduling_queue import Failure, SchedulingQueue
from scheduler_core.kube.scheduler import Settings
from scheduler_core.objects.types import Pod, PodCondition
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


@dataclass
class UnderWay:
    """An attempt that has begun: what it decided, and the part of the queue that the pod came from."""

    looked: Looked
    uid: str
    source: str


class TimedScheduler:
    """One kube-scheduler with the queue of 1.36. Instants are nanoseconds since the run's start."""

    def __init__(
        self,
        name: str,
        state: ClusterState,
        profiles: Mapping[str, Profile],
        settings: Settings,
        backoff: Backoff,
        *,
        pops_early: bool = True,
    ) -> None:
        self.name = name
        self.state = state
        self.profiles = profiles
        self.settings = settings
        self.queue = SchedulingQueue(profiles, state, backoff, pops_early=pops_early)
        self.handlers = EventHandlers(self.queue, self._as_assumed)
        self.shown = QueueJournal(state, name, self.queue.tables)
        self.under_way: Register[str, UnderWay] = Register(state.journal)
        self._progress: Register[str, int] = Register(state.journal, {"search_from": 0, "cycles": 0}.items())
        self._said: Register[str, str] = Register(state.journal)
        """What the PodScheduled condition of each pod says by now."""

    def row(self) -> ActorRow:
        """Return what the log says of this scheduler."""
        return ActorRow(self.name, self.settings.engine, sorted(self.profiles))

    def lists(self) -> list[OrderedLists[Any]]:
        """Return the lists that the log shows of this scheduler."""
        return [self.shown.parts]

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows of this scheduler."""
        return {self.shown.waiting.name: self.shown.waiting.rows}

    def is_ours(self, pod: int) -> bool:
        """Return whether one of the profiles schedules the pod."""
        return self.state.pods.infos[pod].scheduler_name in self.profiles

    @property
    def attempt(self) -> UnderWay | None:
        """The attempt that is under way."""
        return self.under_way.get("attempt")

    # -- an attempt ----------------------------------------------------------------------------------

    def begin(self) -> tuple[UnderWay, Report] | None:
        """Pop the next pod and decide about it; None if there is nobody to try."""
        source = self.queue.next()
        if source is None:
            return None
        flying, report = self.queue.pop()
        assert flying is not None
        pod = self.state.pods.by_uid[flying.uid]
        result = self._decide(pod)
        looked = Looked(pod, flying.attempts, self.state.nominated[pod], result)
        begun = UnderWay(looked, flying.uid, source.part)
        self._count(result)
        self.under_way.put("attempt", begun)
        return begun, report

    def assume(self, begun: UnderWay) -> None:
        """Let a pod that found its node take room there, and leave the queue."""
        result = begun.looked.result
        if result.outcome != "scheduled":
            return
        assert result.chosen is not None
        for plugin in self.profiles[result.cycle.pod.scheduler_name].reserving:
            plugin.reserve(result.cycle, result.chosen)
        self.state.bind(begun.looked.pod, result.chosen)
        self.queue.done(begun.uid)
        self.queue.nominator.remove(begun.uid)

    def end(self, cluster: Cluster, now: int) -> Report:
        """Carry out what the attempt that is under way decided."""
        begun = self.under_way.values["attempt"]
        self.under_way.drop("attempt")
        if begun.looked.result.outcome == "scheduled":
            return Report() if self._is_gone(begun) else cluster.bind(begun.looked.pod)
        newest = None if self._is_gone(begun) else self.state.pods.infos[begun.looked.pod].pod
        result = begun.looked.result
        report = self.queue.put_back(begun.uid, newest, _failure(result), now)
        report.extend(self._preempt(result, cluster))
        if not self._is_gone(begun):
            report.extend(self._tell_pod(begun, cluster))
        return report

    def _decide(self, pod: int) -> AttemptResult:
        info = self.state.pods.infos[pod]
        start = self._progress.values["search_from"]
        profile = self.profiles[info.scheduler_name]
        try:
            return self.settings.attempt(profile, self.state, info, self._lots(), start)
        except NotModelled as error:
            return AttemptResult(Cycle(self.state, info), "error", message=f"not modelled: {error.what}")

    def _lots(self) -> Lots:
        seed = self.settings.seed
        return first if seed is None else drawn(seed, self._progress.values["cycles"])

    def _count(self, result: AttemptResult) -> None:
        start = self._progress.values["search_from"] + result.searched
        self._progress.put("search_from", start % max(1, len(self.state.nodes)))
        self._progress.put("cycles", self._progress.values["cycles"] + 1)

    def _is_gone(self, begun: UnderWay) -> bool:
        return begun.looked.pod in self.state.gone.values

    def _as_assumed(self, pod: Pod) -> Pod | None:
        begun = self.attempt
        if begun is None or begun.looked.result.outcome != "scheduled" or pod.metadata.uid != begun.uid:
            return None
        chosen = begun.looked.result.chosen
        assert chosen is not None
        return on_node(pod, self.state.node_of(begun.looked.pod))

    # -- what a failed attempt asks of the API server ------------------------------------------------

    def _preempt(self, result: AttemptResult, cluster: Cluster) -> Report:
        report, preemption = Report(), result.preemption
        if result.outcome != "nominated" or preemption is None:
            return report
        for victim in preemption.victims:
            if self.state.pods.infos[victim].pod.metadata.deletion_timestamp is None:
                report.extend(cluster.terminate(victim, "preempted", PREEMPTED))
        for pod in preemption.cleared:
            info = self.state.pods.infos[pod]
            if pod not in self.state.gone.values and not info.pod.spec.node_name:
                report.extend(cluster.update(pod, nominated_to(info.pod, None)))
        return report

    def _tell_pod(self, begun: UnderWay, cluster: Cluster) -> Report:
        """Write the pod's condition and its nomination, if either changes."""
        result, pod = begun.looked.result, begun.looked.pod
        version, message = self.state.pods.infos[pod].pod, result.message or ""
        nominate = result.nominate
        renominated = nominate is not None and (version.status.nominated_node_name or "") != nominate
        if not renominated and self._said.get(begun.uid) == message:
            return Report()
        self._said.put(begun.uid, message)
        if renominated:
            version = nominated_to(version, nominate or None)
        return cluster.update(pod, version)

    # -- checkpoints ---------------------------------------------------------------------------------

    def _reserving(self) -> Iterator[tuple[str, Any]]:
        for name, profile in self.profiles.items():
            yield from ((f"{name}/{plugin.name}", plugin) for plugin in profile.reserving)

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the scheduler remembers. Not while an attempt is under way."""
        return {
            "queue": self.queue.dump(),
            "progress": self._progress.dump(),
            "said": self._said.dump(),
            "plugins": {name: plugin.dump() for name, plugin in self._reserving()},
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned; the cluster's pods must be those of then."""
        self.under_way.load([])
        on_write, self.queue.tables.on_write = self.queue.tables.on_write, None
        self.queue.load(data["queue"], {info.uid: info.pod for info in self.state.pods.infos})
        self.queue.tables.on_write = on_write
        self.shown.reload()
        self._progress.load(data["progress"])
        self._said.load(data["said"])
        for name, plugin in self._reserving():
            plugin.load(data["plugins"][name])


def nominated_to(pod: Pod, node: str | None) -> Pod:
    """Return a version of the pod with another nomination in its status."""
    status = msgspec.structs.replace(pod.status, nominated_node_name=node)
    return msgspec.structs.replace(pod, status=status)


def on_node(pod: Pod, node: str) -> Pod:
    """Return a version of the pod that is bound to a node."""
    spec = msgspec.structs.replace(pod.spec, node_name=node)
    return msgspec.structs.replace(pod, spec=spec)


def rejecting_plugins(result: AttemptResult) -> frozenset[str]:
    """Return the plugins whose events may help a pod that fits nowhere.

    Source: kubernetes v1.36 pkg/scheduler/schedule_one.go findNodesThatFitPod, UnschedulablePlugins.
    """
    filtered, plugins = result.pre_filtered, set()
    if filtered is not None:
        plugins |= filtered.blamed | set(filtered.narrowed_by)
        if filtered.rejected is not None and filtered.rejected.plugin:
            plugins.add(filtered.rejected.plugin)
    for status, _ in result.verdicts.groups() if result.verdicts is not None else ():
        plugins.add(status.plugin)
    return frozenset(plugins)


def _failure(result: AttemptResult) -> Failure:
    if result.outcome == "error":
        return Failure(nominate=result.nominate)
    return Failure(plugins=rejecting_plugins(result), nominate=result.nominate)
