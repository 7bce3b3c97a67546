"""A kube-scheduler that knows pod groups, without a clock: who is popped takes all waiting members along.

It is decided before the first, so that it can't be written down in its middle: a checkpoint there is the one
of its beginning.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go; the driver of the recorded cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Attempt, Decision
from scheduler_core.kube.look import Look
from scheduler_core.kube.pod_groups.attempts import GroupAttempts, with_gangs
from scheduler_core.kube.pod_groups.groups import Groups, group_of
from scheduler_core.kube.pod_groups.members import MemberLook
from scheduler_core.kube.pod_groups.outcomes import note_condition
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.queue_parts import ACTIVE, GATED, UNSCHEDULABLE
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.schedulers.actor import ApiServer, Stamp
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register


class GroupScheduler(GroupAttempts, KubeScheduler):
    """`groups` are the pod groups that there are."""

    has_sessions = True
    remembered = {"first": "_first"}

    def __init__(
        self,
        name: str,
        state: ClusterState,
        profiles: Mapping[str, Profile],
        api: ApiServer,
        settings: Settings,
        groups: Groups,
    ) -> None:
        super().__init__(name, state, with_gangs(profiles, groups), api, settings)
        self._start(groups)
        self._first: Register[int, int] = Register(state.journal)

    def opens(self, look: Look) -> bool:
        return isinstance(look, MemberLook)

    # -- who waits -----------------------------------------------------------------------------------

    def admit(self, nominated: Sequence[int], schedule: Sequence[int]) -> None:
        super().admit(nominated, schedule)
        for pod in filter(self.is_ours, schedule):
            self._note_entry(pod)
        self.state.forget_journal()

    def _note_entry(self, pod: int) -> None:
        if self._first.get(pod) is None and self.queue.part_of(pod) is not None:
            self._first.put(pod, len(self._first.values))

    def notice_pod(self, pod: int) -> None:
        if not self.is_ours(pod):
            return
        self.queue.enter(pod, ACTIVE if self._pre_enqueue(pod) is None else GATED)
        self._note_entry(pod)
        key = group_of(self.state.pods.infos[pod])
        for other in () if key is None else self.groups.members(key):
            if self.queue.part_of(other) == GATED and self._pre_enqueue(other) is None:
                self.queue.enter(other, ACTIVE)
                self._note_entry(other)

    # -- a cycle -------------------------------------------------------------------------------------

    def has_work(self) -> bool:
        return self.in_session or super().has_work()

    def look(self) -> Look | None:
        if self.in_session:
            return self._look_in_cycle()
        pod = None if self._has_gated or self.limit_reached else self.queue.first(ACTIVE)
        return self._look_at_group(pod) or super().look()

    def _attempt_number(self, pod: int) -> int:
        return (self.attempts.get(pod) or 0) + 1

    def _companions(self, key: GroupKey, popped: int) -> list[int]:
        infos = self.state.pods.infos
        waiting = [
            pod
            for pod in self.groups.members(key)
            if pod == popped or (self.is_ours(pod) and self.queue.part_of(pod) in (ACTIVE, UNSCHEDULABLE))
        ]
        return sorted(
            waiting, key=lambda pod: (-infos[pod].priority, self._first.values.get(pod, len(infos)))
        )

    def apply(self, look: Look) -> None:
        if not isinstance(look, MemberLook):
            super().apply(look)
            return
        turn, outcome, pod = look.turn, look.outcome, look.pod
        self._turn_open = turn
        self._cycle.put("place", 0 if look.is_last else look.place + 1)
        if look.place == 0:
            note_condition(self.groups, turn.key, turn.cycle)
        self._count(look)
        self._search.put("from", turn.cycle.search_from)
        if outcome.chosen is not None:
            self.queue.exit(pod)
            self._nominate(pod, "")
            self._api.bind(pod, self.state.nodes.index[outcome.chosen])
        else:
            if outcome.nominated is not None:
                self._nominate(pod, outcome.nominated)
            self.queue.enter(pod, ACTIVE if turn.evicts else UNSCHEDULABLE)
        for victim in turn.victims.get(pod, ()):
            self._api.evict(victim)
        if look.is_last:
            for other in turn.cleared:
                self._nominate(other, "")
            if turn.evicts:
                self.queue.move_members(UNSCHEDULABLE, ACTIVE)

    # -- what is told --------------------------------------------------------------------------------

    def tell(self, look: Look, stamp: Stamp, changes: list[Change]) -> Attempt:
        return self._with_group(super().tell(look, stamp, changes), look)

    def explained(self, look: Look, act: Callable[[Look], Decision], watch: Watch) -> Decision:
        if not isinstance(look, MemberLook):
            return super().explained(look, act, watch)
        watch(self._member_noted(look))
        return act(look)
