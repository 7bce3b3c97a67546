"""A kube-scheduler: its queue, its profiles, and what follows from each attempt.

Each pod enters the queue once; who is unschedulable waits until some pod is nominated, then everybody
waiting enters again.

Source: the driver of the recorded cases, docs/semantics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Attempt, Decision, Status
from scheduler_core.events.state import QUEUE
from scheduler_core.kube import attempt_event
from scheduler_core.kube.dynamic_resources.binding import carry_out
from scheduler_core.kube.dynamic_resources.claims_state import claims_in
from scheduler_core.kube.look import Gated, Look, Looked
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.queue_parts import (
    ACTIVE,
    GATED,
    UNSCHEDULABLE,
    QueueParts,
    Rank,
    by_entry,
    by_priority,
)
from scheduler_core.kube.schedule_one import Attempts, Settings
from scheduler_core.schedulers.actor import ApiServer, Stamp
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.schedulers.unclocked import PodsHeard, Scheduler
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.ordered_lists import OrderedLists
from scheduler_core.state.register import Register

ERRORS_OF_OTHERS = 3
"""Of errors of extenders and of devices' drivers, a pod's attempt of this number is the last one."""


class KubeScheduler(Attempts, Scheduler):
    """One kube-scheduler. `profiles` are its profiles by the scheduler name that pods ask for."""

    remembered = {"queue": "queue", "attempts": "attempts", "progress": "_progress"}

    def __init__(
        self,
        name: str,
        state: ClusterState,
        profiles: Mapping[str, Profile],
        api: ApiServer,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(name, state, profiles, settings or Settings())
        self._api = api
        infos = state.pods.infos
        prioritized: Rank[int] = by_priority(lambda pod: infos[pod].priority)
        self.queue: QueueParts[int] = QueueParts(
            state.journal,
            {ACTIVE: prioritized if self.settings.by_priority else by_entry},
            f"{QUEUE}{name}",
            name_of=lambda pod: infos[pod].uid,
        )
        self.attempts: Register[int, int] = Register(state.journal)
        self._progress: Register[str, int] = Register(state.journal, {"gated": 0, "limit_reached": 0}.items())
        self._gated: list[Gated] = []

    def admit(self, nominated: Sequence[int], schedule: Sequence[int]) -> None:
        """Let the pods of `schedule` enter, in order; take over the nominations of those that have one.

        Only this scheduler's own pods count. Nothing of this can be undone.
        """
        for pod in nominated:
            node = self.settings.nomination_of(self.state.pods.infos[pod].pod)
            if (node or self.state.nominated[pod]) and self.is_ours(pod):
                self._take_over_nomination(pod, node)
        for pod in filter(self.is_ours, schedule):
            status = self._pre_enqueue(pod)
            if status is None:
                self.queue.enter(pod, ACTIVE)
            else:
                self._gated.append(Gated(pod, status))
        self.state.forget_journal()

    def _take_over_nomination(self, pod: int, nominated: str) -> None:
        if self._pre_enqueue(pod) is None:
            self.state.nominate(pod, nominated)
        else:
            self.state.note_nomination(pod, nominated)

    def _pre_enqueue(self, pod: int) -> Status | None:
        info = self.state.pods.infos[pod]
        for plugin in self.profiles[info.scheduler_name].pre_enqueue:
            status: Status | None = plugin.pre_enqueue(info, self.state.device_claims)
            if status is not None:
                return status
        return None

    @property
    def limit_reached(self) -> bool:
        """Whether some pod has had as many attempts as the limit allows: then nobody is tried any more."""
        return bool(self._progress.values["limit_reached"])

    def lists(self) -> list[OrderedLists[Any]]:
        """Return the lists that the log shows of this scheduler."""
        return [self.queue]

    # -- one decision --------------------------------------------------------------------------------

    @property
    def _turn(self) -> int:
        return self._api.cycles

    @property
    def _has_gated(self) -> bool:
        """Whether a pod is still to be told that PreEnqueue holds back."""
        return self._progress.values["gated"] < len(self._gated)

    def has_work(self) -> bool:
        """Return whether somebody is to be tried."""
        if self._has_gated:
            return True
        return self.queue.first(ACTIVE) is not None and not self.limit_reached

    def look(self) -> Look | None:
        told = self._progress.values["gated"]
        if told < len(self._gated):
            return self._gated[told]
        pod = self.queue.first(ACTIVE)
        if pod is None or self.limit_reached:
            return None
        result = self.decide(pod, self._turn)
        return Looked(pod, (self.attempts.get(pod) or 0) + 1, self.state.nominated[pod], result)

    def apply(self, look: Look) -> None:
        if isinstance(look, Gated):
            self._progress.put("gated", self._progress.values["gated"] + 1)
            self.queue.enter(look.pod, GATED)
            return
        self.carry_out_noted(look.result)
        changes_claims = self._write_claims(look)
        self._count(look)
        match look.result.outcome:
            case "scheduled":
                self._bind(look)
            case "nominated":
                self._preempt(look)
            case "error" if look.result.pre_filtered is None:
                self.queue.exit(look.pod)
            case "error" if self._tries_again(look):
                self._nominate(look.pod, look.result.nominate or "")
                self.queue.enter(look.pod, ACTIVE)
            case _:
                if look.result.nominate is not None:
                    self._nominate(look.pod, look.result.nominate)
                self.queue.enter(look.pod, ACTIVE if changes_claims else UNSCHEDULABLE)
                if changes_claims:
                    self.queue.move_members(UNSCHEDULABLE, ACTIVE)

    def _write_claims(self, look: Looked) -> bool:
        """Write into the pod's claims what was decided; return whether one lost its devices."""
        claims, found = self.state.device_claims, claims_in(look.result.cycle)
        if claims is None or found is None:
            return False
        carry_out(found, claims)
        return found.fault is None and any(write.verb in ("deallocate", "delete") for write in found.writes)

    def tell(self, look: Look, stamp: Stamp, changes: list[Change]) -> Attempt:
        if isinstance(look, Gated):
            return attempt_event.gated(self.name, self.state, look, stamp, changes)
        return attempt_event.attempt(self.name, look, stamp, changes)

    def explained(self, look: Look, act: Callable[[Look], Decision], watch: Watch) -> Decision:
        full = self.in_full(look)
        watch(self.noted(full))
        return act(full)

    def _tries_again(self, look: Looked) -> bool:
        """Return whether a pod enters the queue again after an error of an extender or of a driver."""
        hearing, claims = look.result.hearing, claims_in(look.result.cycle)
        may_go = (hearing is not None and not hearing.is_empty) or (
            claims is not None and claims.fault is not None
        )
        return may_go and look.attempt < ERRORS_OF_OTHERS

    def _count(self, look: Looked) -> None:
        self.attempts.put(look.pod, look.attempt)
        self.search_on(look.result)
        if look.attempt >= self.settings.attempt_limit and look.result.outcome != "scheduled":
            self._progress.put("limit_reached", 1)

    def _bind(self, look: Looked) -> None:
        chosen = self.reserve(look.result)
        self.queue.exit(look.pod)
        self._nominate(look.pod, "")
        self._api.bind(look.pod, chosen)

    def _preempt(self, look: Looked) -> None:
        preemption = look.result.preemption
        assert preemption is not None and preemption.winner is not None
        for pod in dict.fromkeys(preemption.victims):
            if not self._api.is_leaving(pod):
                self._api.evict(pod)
        for pod in preemption.cleared:
            self._nominate(pod, "")
        self._nominate(look.pod, look.result.nominate or "")
        self.queue.enter(look.pod, ACTIVE)
        if self._api.victims_vanish:
            self.queue.move_members(UNSCHEDULABLE, ACTIVE)

    def _nominate(self, pod: int, node: str) -> None:
        if self.state.nominated[pod] != node:
            self.state.nominate(pod, node)

    # -- what happens in the cluster -----------------------------------------------------------------

    def notice_pod(self, pod: int) -> None:
        """Take note of a pod that came into being."""
        if self.is_ours(pod):
            self.queue.enter(pod, ACTIVE)

    def hear_of_pods(self, pods: PodsHeard) -> None:
        for pod in pods.made:
            self.notice_pod(pod)
        for pod in pods.deleted:
            self.queue.exit(pod)
        if pods.freed and self.has_waiting():
            self.retry_waiting()

    def has_waiting(self) -> bool:
        return bool(self.queue.get(UNSCHEDULABLE))

    def retry_waiting(self) -> None:
        self.queue.move_members(UNSCHEDULABLE, ACTIVE)
