"""A kube-scheduler in virtual time that knows pod groups.

A cycle takes the time of an attempt for each of its members. It is decided where it begins; who found a node
counts as there from then on. At its end the members are bound or put back, one after the other, each with
what it asks of the API server.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go scheduleOnePodGroup,
submitPodGroupAlgorithmResult.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Attempt
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.look import Look, Looked
from scheduler_core.kube.pod_groups.attempts import GroupAttempts, with_gangs
from scheduler_core.kube.pod_groups.groups import Groups
from scheduler_core.kube.pod_groups.members import GroupTurn, MemberLook
from scheduler_core.kube.pod_groups.outcomes import note_condition
from scheduler_core.kube.pod_groups.queue import GangHandlers, GroupQueue
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.backoff import Backoff
from scheduler_core.kube.queueing.pod_facts import is_assigned, is_changed, nominated_node, scheduler_of
from scheduler_core.kube.queueing.queue_parts import IN_FLIGHT
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.timed_scheduler import Begun, Cluster, Ended, TimedScheduler, rejecting_plugins
from scheduler_core.objects.pod_groups import GroupKey, PodGroup, group_named_by
from scheduler_core.objects.types import KubernetesObject, Pod
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.decision_explanation import Noted
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register

_NEVER = float("inf")


class TimedGroupScheduler(GroupAttempts, TimedScheduler):
    """`groups` are the pod groups that there are.

    Where it `rests`, a group that does not fit is not tried before the end of its back-off as long as nothing
    has changed: it would come to the same. The real scheduler tries it again and again while it has nothing
    else to do.
    """

    queue: GroupQueue
    remembered = {"changes": "_changes", "seen": "_seen"}

    def __init__(
        self,
        name: str,
        state: ClusterState,
        profiles: Mapping[str, Profile],
        settings: Settings,
        backoff: Backoff,
        groups: Groups,
        *,
        rests: bool = True,
    ) -> None:
        handlers = GangHandlers if groups.gates.gangs else V1_36.handlers
        release = V1_36.but(V1_36.minor, queue=GroupQueue, handlers=handlers)
        super().__init__(name, state, with_gangs(profiles, groups), settings, backoff, release)
        self._start(groups)
        groups.loses_nominations = True
        self._changes: Register[str, int] = Register(state.journal, {"heard": 0}.items())
        self._seen: Register[GroupKey, int] = Register(state.journal)
        """How many changes there had been when a group was last tried."""
        if rests:
            self.queue.rests = self._rests
        self._sources: dict[int, str] = {}
        """From where each member of the open cycle was taken, by row."""

    @property
    def is_opening(self) -> bool:  # type: ignore[override]
        return self.in_session

    @property
    def is_closing(self) -> bool:  # type: ignore[override]
        return self._cycle.values.get("closing", 0) > 0

    def opens(self, looked: Looked) -> bool:
        return isinstance(looked, MemberLook) and looked.place == 0

    def hear(self, old: KubernetesObject | None, new: KubernetesObject | None, now: int) -> Report:
        if isinstance(new, PodGroup):
            old = self.groups.come(new)
        elif isinstance(old, PodGroup):
            self.groups.go(old)
        if not _is_of_status(old, new):
            self._changes.put("heard", self._changes.values["heard"] + 1)
        return super().hear(old, new, now)

    def _rests(self, queued: QueuedPod) -> bool:
        key = group_named_by(queued.pod)
        samples = self.profiles[scheduler_of(queued.pod)].samples(len(self.state.nodes))
        return key is not None and self._seen.get(key) == self._changes.values["heard"] and not samples

    # -- a cycle begins ------------------------------------------------------------------------------

    def has_next(self) -> bool:
        return self.in_session or super().has_next()

    def look(self) -> Looked | None:
        if self.in_session:
            return self._look_in_cycle()
        queued = self.queue.next()
        pod = None if queued is None else self.state.pods.by_uid[queued.uid]
        return self._look_at_group(pod) or super().look()

    def _attempt_number(self, pod: int) -> int:
        queued = self.queue.tables.pods[self.state.pods.infos[pod].uid]
        return queued.attempts + (queued.part != IN_FLIGHT)

    def _companions(self, key: GroupKey, popped: int) -> list[int]:
        infos, by_uid = self.state.pods.infos, self.state.pods.by_uid
        found = self.queue.companions(infos[pod].uid for pod in self.groups.members(key))
        first = {by_uid[one.uid]: _NEVER if one.first is None else one.first for one in found}
        return sorted(first, key=lambda pod: (-infos[pod].priority, first[pod], pod))

    def begin(self, looked: Looked, now: int) -> tuple[Begun, Report]:
        """Begin a member's part of a cycle; with the first all are taken into flight."""
        if not isinstance(looked, MemberLook):
            return super().begin(looked, now)
        report = self._open(looked.turn, now) if looked.place == 0 else Report()
        self._cycle.put("place", 0 if looked.is_last else looked.place + 1)
        begun = self._begun(looked)
        self._search.put("from", looked.turn.cycle.search_from)
        self._progress.put("cycles", self._progress.values["cycles"] + 1)
        self.state.look(self.name)
        self._under_way.put(looked.place, begun)
        if begun.outcome == "scheduled":
            self.state.bind(begun.pod, self.reserve(looked.result))
            self.queue.done(begun.uid)
            self.queue.nominator.remove(begun.uid)
        return begun, report

    def _open(self, turn: GroupTurn, now: int) -> Report:
        infos, parts = self.state.pods.infos, self.queue.tables.pods
        uids = {pod: infos[pod].uid for pod in turn.cycle.pods}
        self._turn_open = turn
        self._seen.put(turn.key, self._changes.values["heard"])
        self._sources = {pod: parts[uid].part for pod, uid in uids.items()}
        note_condition(self.groups, turn.key, turn.cycle)
        return self.queue.take(uids.values(), now)

    def _begun(self, looked: MemberLook) -> Begun:
        outcome, turn, pod = looked.outcome, looked.turn, looked.pod
        plugins = rejecting_plugins(self.profile_of(looked.result), looked.result) if outcome.own else ()
        return Begun(
            self.state.pods.infos[pod].uid,
            pod,
            looked.attempt,
            self._sources[pod],
            outcome.result,
            outcome.chosen or "",
            outcome.nominated,
            list(turn.victims.get(pod, ())),
            list(turn.cleared) if looked.is_last else [],
            outcome.message or "",
            sorted(plugins),
        )

    # -- a cycle ends --------------------------------------------------------------------------------

    def end(self, cluster: Cluster, now: int) -> Ended:
        """Carry out what was decided about the next member."""
        ended = super().end(cluster, now)
        if ended.begun.outcome == "scheduled":
            ended.report.extend(self._preempt(ended.begun, cluster))
        self._cycle.put("closing", self.tries)
        return ended

    def _preempts(self, begun: Begun) -> bool:
        return True

    # -- what is told --------------------------------------------------------------------------------

    def tell(self, look: Looked, stamp: Stamp, changes: list[Change]) -> Attempt:
        return self._with_group(super().tell(look, stamp, changes), look)

    def noted(self, look: Look) -> Any:
        found: Noted = self._member_noted(look) if isinstance(look, MemberLook) else super().noted(look)
        return found


def _is_of_status(old: KubernetesObject | None, new: KubernetesObject | None) -> bool:
    """Return whether nothing has changed but what is said of a waiting pod."""
    if not isinstance(old, Pod) or not isinstance(new, Pod) or is_assigned(new):
        return False
    return nominated_node(old) == nominated_node(new) and not is_changed(old, new)
