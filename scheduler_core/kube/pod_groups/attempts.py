"""What a kube-scheduler that knows pod groups does with and without a clock: a cycle is decided as a whole.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go podGroupInfoForPod.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from scheduler_core.events.decisions import Attempt
from scheduler_core.events.explanation import AttemptInFull
from scheduler_core.kube.attempt import attempt_pod
from scheduler_core.kube.attempt_by_node import attempt_in_full
from scheduler_core.kube.framework import NotModelled
from scheduler_core.kube.look import Look
from scheduler_core.kube.plugins.gang_scheduling import GangScheduling
from scheduler_core.kube.pod_groups.cycle import GroupCycle, run_cycle
from scheduler_core.kube.pod_groups.groups import PLUGIN, Groups, group_of
from scheduler_core.kube.pod_groups.members import (
    GroupTurn,
    MemberLook,
    SeenMember,
    placed_until,
    result_of,
    told_group,
    turn_of,
)
from scheduler_core.kube.pod_groups.tries import PlacementTry
from scheduler_core.kube.pod_groups.why import held_back, why_of_group
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.schedulers.cause import Answered
from scheduler_core.schedulers.decision_explanation import Noted
from scheduler_core.state.register import Register


def with_gangs(profiles: Mapping[str, Profile], groups: Groups) -> Mapping[str, Profile]:
    """Return profiles with the plugin GangScheduling, where its gate is on."""
    if not groups.gates.gangs:
        return profiles
    plugin = GangScheduling(groups.pre_enqueue)
    return {
        name: replace(profile, pre_enqueue=[*profile.pre_enqueue, plugin], in_use=[*profile.in_use, plugin])
        for name, profile in profiles.items()
    }


class GroupAttempts(Attempts):
    """`groups` are the pod groups that there are; `gates` what of them is on.

    A cycle is as many decisions as it has members; nobody else acts in between. It is decided before the
    first: `place` is that of the next member while it is told.
    """

    plays_groups = True
    remembered = {"cycle": "_cycle", "conditions": "_conditions", "groups": "_known"}
    groups: Groups

    def _start(self, groups: Groups) -> None:
        self.groups = groups
        groups.attempt = self._attempt
        self._conditions, self._known = groups.conditions, groups.known
        self._cycle: Register[str, int] = Register(self.state.journal, {"place": 0}.items())
        self._turn_open: GroupTurn | None = None

    def _attempt(self, profile: Profile, state: Any, pod: Any, within: Any, start: int) -> Any:
        return attempt_pod(profile, state, pod, self._lots(self._turn), start, within)

    @property
    def in_session(self) -> bool:
        return self._cycle.values["place"] > 0

    # -- a cycle -------------------------------------------------------------------------------------

    @abstractmethod
    def _companions(self, key: GroupKey, popped: int) -> list[int]:
        """Return the members that a cycle has, in their order; `popped` is one of them."""

    @abstractmethod
    def _attempt_number(self, pod: int) -> int:
        """Return the number of the attempt that a member has in the cycle."""

    def _look_in_cycle(self) -> MemberLook:
        """Return the look at the next member of the open cycle."""
        assert self._turn_open is not None
        return self._look_at(self._turn_open, self._cycle.values["place"])

    def _look_at_group(self, popped: int | None) -> MemberLook | None:
        """Decide the cycle of a pod's group and look at its first member; None for a pod of no group."""
        key = None if popped is None else group_of(self.state.pods.infos[popped])
        if popped is None or key is None:
            return None
        return self._look_at(turn_of(self.groups, key, popped, self._decide_group(key, popped)), 0)

    def _look_at(self, turn: GroupTurn, place: int) -> MemberLook:
        outcome = turn.outcomes[place]
        pod = outcome.pod
        result = result_of(self.state, outcome)
        return MemberLook(
            pod, self._attempt_number(pod), self.state.nominated[pod], result, turn=turn, place=place
        )

    def _decide_group(self, key: GroupKey, popped: int) -> GroupCycle:
        members = self._companions(key, popped)
        profile = self.profiles[self.state.pods.infos[popped].scheduler_name]
        try:
            self._require_modelled(profile, members)
            return run_cycle(profile, self.groups, key, members, self._search.values["from"])
        except NotModelled as error:
            return GroupCycle(key, members, [], PlacementTry(error=f"not modelled: {error.what}"))

    def _require_modelled(self, profile: Profile, members: Sequence[int]) -> None:
        """Raise NotModelled for what was not recorded of groups."""
        if profile.extenders:
            raise NotModelled("a pod group where extenders are asked")
        for pod in members:
            spec = self.state.pods.infos[pod].pod.spec
            if spec.resource_claims:
                raise NotModelled("a pod group whose pods have resource claims")
            if any(one.persistent_volume_claim or one.ephemeral for one in spec.volumes or ()):
                raise NotModelled("a pod group whose pods have volume claims")

    # -- why a pod waits -----------------------------------------------------------------------------

    def why(self, pod: int) -> Answered:
        return next(self.whys([pod]))

    def whys(self, pods: Iterable[int]) -> Iterator[Answered]:
        """Return why each pod waits, in this order; members of a group share a cycle."""
        cycles: dict[GroupKey, GroupCycle] = {}
        for pod in pods:
            key = group_of(self.state.pods.infos[pod])
            if key is None or self._gate_besides(pod):
                yield super().why(pod)
            elif (held := held_back(self.groups, key, pod)) is not None:
                yield held
            else:
                cycle = cycles.get(key)
                if cycle is None or pod not in cycle.pods:
                    cycle = cycles[key] = self._decide_group(key, pod)
                yield why_of_group(self.groups, key, pod, cycle, super().why)

    def _gate_besides(self, pod: int) -> bool:
        """Return whether something else than its group keeps a pod out of the queue."""
        info = self.state.pods.infos[pod]
        plugins = (one for one in self.profiles[info.scheduler_name].pre_enqueue if one.name != PLUGIN)
        return any(one.pre_enqueue(info, self.state.device_claims) is not None for one in plugins)

    # -- what is told --------------------------------------------------------------------------------

    def _with_group(self, told: Attempt, look: Look) -> Attempt:
        if isinstance(look, MemberLook):
            return msgspec.structs.replace(told, group=told_group(self.groups, look))
        return told

    def in_full(self, look: Look) -> Look:
        return look if isinstance(look, MemberLook) else super().in_full(look)

    def _member_noted(self, look: MemberLook) -> Noted:
        """Return what there is to explain a member's part of a cycle by, before it is carried out."""
        return SeenMember(self.groups, look, self._member_in_full(look), self.profiles)

    def _member_in_full(self, look: MemberLook) -> AttemptInFull:
        tried = look.outcome.tried
        if tried is not None and tried.seen is not None:
            full = tried.seen
        else:
            with placed_until(self.groups, look.turn.cycle, look.pod):
                full = attempt_in_full(look.result, look.attempt, look.nominated_before)
        return msgspec.structs.replace(
            full,
            attempt=look.attempt,
            nominated_before=look.nominated_before,
            outcome=look.result.outcome,
            chosen=look.outcome.chosen,
            message=look.outcome.message,
        )
