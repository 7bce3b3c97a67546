"""A kube-scheduler that knows pod groups: who is popped takes all waiting members of its group along.

A cycle is as many decisions as it has members; nobody else acts in between. It is decided before the first,
so that it can't be written down in its middle: a checkpoint there is the one of its beginning.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go; the driver of the recorded cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Attempt, Decision, Status
from scheduler_core.kube.attempt import attempt_pod
from scheduler_core.kube.attempt_by_node import attempt_in_full
from scheduler_core.kube.framework import NotModelled
from scheduler_core.kube.gates import GroupGates
from scheduler_core.kube.look import Look
from scheduler_core.kube.pod_groups.cycle import GroupCycle, run_cycle
from scheduler_core.kube.pod_groups.groups import GroupKey, Groups, group_of
from scheduler_core.kube.pod_groups.members import (
    GroupTurn,
    MemberLook,
    SeenMember,
    placed_until,
    result_of,
    told_group,
    turn_of,
)
from scheduler_core.kube.pod_groups.outcomes import note_condition
from scheduler_core.kube.pod_groups.tries import PlacementTry
from scheduler_core.kube.pod_groups.why import held_back, why_of_group
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.queue_parts import ACTIVE, GATED, UNSCHEDULABLE
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.objects.pod_groups import PodGroup
from scheduler_core.schedulers.actor import ApiServer, Stamp
from scheduler_core.schedulers.cause import Answered
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register


class GroupScheduler(KubeScheduler):
    """`groups` are the pod groups that there are; `gates` what of them is on."""

    has_sessions = plays_groups = True
    remembered = {"first": "_first", "cycle": "_cycle", "conditions": "_conditions"}

    def __init__(
        self,
        name: str,
        state: ClusterState,
        profiles: Mapping[str, Profile],
        api: ApiServer,
        settings: Settings,
        groups: Iterable[PodGroup],
        gates: GroupGates,
    ) -> None:
        super().__init__(name, state, profiles, api, settings)
        self.groups = Groups(state, groups, gates)
        self.groups.attempt = self._attempt
        if gates.placements:
            # What is kept is by rows of nodes, and a placement has others.
            self.kept = None
        self._conditions = self.groups.conditions
        self._first: Register[int, int] = Register(state.journal)
        self._cycle: Register[str, int] = Register(state.journal, {"place": 0}.items())
        self._turn_open: GroupTurn | None = None

    def _attempt(self, profile: Profile, state: ClusterState, pod: Any) -> Any:
        return attempt_pod(profile, state, pod, self._lots(self._turn))

    @property
    def in_session(self) -> bool:
        return self._cycle.values["place"] > 0

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

    def _pre_enqueue(self, pod: int) -> Status | None:
        status = super()._pre_enqueue(pod)
        return self.groups.pre_enqueue(self.state.pods.infos[pod]) if status is None else status

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
            assert self._turn_open is not None
            return self._look_at(self._turn_open, self._cycle.values["place"])
        pod = None if self._has_gated or self.limit_reached else self.queue.first(ACTIVE)
        key = None if pod is None else group_of(self.state.pods.infos[pod])
        if pod is None or key is None:
            return super().look()
        cycle = self._decide_group(key, pod)
        return self._look_at(turn_of(self.groups, key, pod, cycle), 0)

    def _look_at(self, turn: GroupTurn, place: int) -> MemberLook:
        outcome = turn.outcomes[place]
        pod = outcome.pod
        attempt, nominated = (self.attempts.get(pod) or 0) + 1, self.state.nominated[pod]
        result = result_of(self.state, outcome)
        return MemberLook(pod, attempt, nominated, result, turn=turn, place=place)

    def _decide_group(self, key: GroupKey, popped: int) -> GroupCycle:
        infos = self.state.pods.infos
        waiting = [
            pod
            for pod in self.groups.members(key)
            if pod == popped or (self.is_ours(pod) and self.queue.part_of(pod) in (ACTIVE, UNSCHEDULABLE))
        ]
        members = sorted(
            waiting, key=lambda pod: (-infos[pod].priority, self._first.values.get(pod, len(infos)))
        )
        profile = self.profiles[infos[popped].scheduler_name]
        try:
            self._require_modelled(profile, members)
            return run_cycle(profile, self.groups, key, members)
        except NotModelled as error:
            return GroupCycle(key, members, [], PlacementTry(error=f"not modelled: {error.what}"))

    def _require_modelled(self, profile: Profile, members: Sequence[int]) -> None:
        """Raise NotModelled for what was not recorded of groups."""
        if profile.extenders:
            raise NotModelled("a pod group where extenders are asked")
        if profile.samples(len(self.state.nodes)):
            raise NotModelled("a pod group where a part of the nodes is looked at")
        for pod in members:
            spec = self.state.pods.infos[pod].pod.spec
            if spec.resource_claims:
                raise NotModelled("a pod group whose pods have resource claims")
            if any(one.persistent_volume_claim or one.ephemeral for one in spec.volumes or ()):
                raise NotModelled("a pod group whose pods have volume claims")

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

    # -- why a pod waits -----------------------------------------------------------------------------

    def why(self, pod: int) -> Answered:
        return next(self.whys([pod]))

    def whys(self, pods: Iterable[int]) -> Iterator[Answered]:
        cycles: dict[GroupKey, GroupCycle] = {}
        for pod in pods:
            key = group_of(self.state.pods.infos[pod])
            if key is None or super()._pre_enqueue(pod) is not None:
                yield super().why(pod)
            elif (held := held_back(self.groups, key, pod)) is not None:
                yield held
            else:
                cycle = cycles.get(key)
                if cycle is None or pod not in cycle.pods:
                    cycle = cycles[key] = self._decide_group(key, pod)
                yield why_of_group(self.groups, key, pod, cycle, super().why)

    # -- what is told --------------------------------------------------------------------------------

    def tell(self, look: Look, stamp: Stamp, changes: list[Change]) -> Attempt:
        told = super().tell(look, stamp, changes)
        if isinstance(look, MemberLook):
            told = msgspec.structs.replace(told, group=told_group(self.groups, look))
        return told

    def in_full(self, look: Look) -> Look:
        return look if isinstance(look, MemberLook) else super().in_full(look)

    def explained(self, look: Look, act: Callable[[Look], Decision], watch: Watch) -> Decision:
        if not isinstance(look, MemberLook):
            return super().explained(look, act, watch)
        tried = look.outcome.tried
        if tried is not None and tried.seen is not None:
            full = tried.seen
        else:
            with placed_until(self.groups, look.turn.cycle, look.pod):
                full = attempt_in_full(look.result, look.attempt, look.nominated_before)
        full = msgspec.structs.replace(
            full,
            attempt=look.attempt,
            nominated_before=look.nominated_before,
            outcome=look.result.outcome,
            chosen=look.outcome.chosen,
            message=look.outcome.message,
        )
        watch(SeenMember(self.groups, look, full, self.profiles))
        return act(look)
