"""The instant driver: victims vanish at once, nothing waits, no clock moves.

Each pod enters the queue once; who is unschedulable waits until some pod is nominated, then everybody
waiting enters again. `look` decides about the next pod without changing anything, `apply` carries out what
was decided and says so as an event.

Source: the driver of the recorded cases, docs/semantics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.events import decisions as events
from scheduler_core.events.decisions import Change, PodRef, Status
from scheduler_core.kube import attempt_event
from scheduler_core.kube.attempt import AttemptResult, attempt_pod
from scheduler_core.kube.framework import Cycle, NotModelled
from scheduler_core.kube.lots import Lots, drawn, first
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queue import SchedulingQueue
from scheduler_core.kube.sampling import nodes_to_find
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo

RECORDED_EPOCH = parse_timestamp("2026-06-01T00:00:00Z", 0)
"""Start times of placed pods count seconds from here: one for each decision."""
_SECOND = 10**9


@dataclass
class Gated:
    """A pod that PreEnqueue keeps out of the queue."""

    pod: int
    status: Status


@dataclass
class Looked:
    """What is decided about the next pod; nothing has been changed yet."""

    pod: int
    attempt: int
    nominated_before: str
    result: AttemptResult


Look = Gated | Looked
AttemptFunction = Callable[[Profile, ClusterState, PodInfo, Lots, int], AttemptResult]


def nominated_in_status(pod: Pod) -> str:
    """Return the node that the pod's status nominates, or the empty string."""
    return pod.status.nominated_node_name or ""


@dataclass
class InstantDriver:
    """The play of one scenario.

    `attempts` counts by pod; `cycles` counts attempts and gated pods; `all_gated` are the pods that
    PreEnqueue keeps out, `gated` those of them still to be said; `search_from` is where the next search for
    feasible nodes begins. `attempt` decides about one pod, `nomination_of` reads where a snapshot nominates
    it, `by_priority` orders the queue: all as in 1.36 unless an older release says otherwise.
    """

    state: ClusterState
    profiles: Mapping[str, Profile]
    epoch: int = RECORDED_EPOCH
    attempt_limit: int = 10
    seed: int | None = None
    attempt: AttemptFunction = field(default=attempt_pod)
    nomination_of: Callable[[Pod], str] = field(default=nominated_in_status)
    by_priority: bool = True
    queue: SchedulingQueue = field(init=False)
    attempts: dict[int, int] = field(default_factory=dict)
    cycles: int = 0
    all_gated: list[Gated] = field(default_factory=list)
    gated: list[Gated] = field(default_factory=list)
    limit_reached: bool = False
    search_from: int = 0

    def __post_init__(self) -> None:
        self.queue = SchedulingQueue(self.state, by_priority=self.by_priority)

    def admit(self, pending: Sequence[int], schedule: Sequence[int]) -> None:
        """Let the pods of `schedule` enter, in order; take over the nominations of all `pending` pods."""
        for pod in pending:
            self._take_over_nomination(pod)
        for pod in schedule:
            status = self._pre_enqueue(pod)
            if status is None:
                self.queue.enter(pod, "active")
            else:
                self.all_gated.append(Gated(pod, status))
        self.gated = list(self.all_gated)
        self.state.forget_journal()

    def _take_over_nomination(self, pod: int) -> None:
        info = self.state.pods.infos[pod]
        nominated = self.nomination_of(info.pod)
        if info.scheduler_name in self.profiles and self._pre_enqueue(pod) is None:
            self.state.nominate(pod, nominated)
        else:
            self.state.nominated[pod] = nominated

    def _pre_enqueue(self, pod: int) -> Status | None:
        info = self.state.pods.infos[pod]
        for plugin in self.profiles[info.scheduler_name].pre_enqueue if self.is_ours(pod) else ():
            status: Status | None = plugin.pre_enqueue(info)
            if status is not None:
                return status
        return None

    def is_ours(self, pod: int) -> bool:
        """Return whether one of the profiles schedules the pod."""
        return self.state.pods.infos[pod].scheduler_name in self.profiles

    def samples(self) -> bool:
        """Return whether attempts may end their search before all nodes were visited."""
        nodes = len(self.state.nodes)
        return any(
            nodes_to_find(profile.percentage_of_nodes_to_score, nodes) < nodes
            for profile in self.profiles.values()
        )

    # -- one step ------------------------------------------------------------------------------------

    def look(self) -> Look | None:
        """Decide about the next pod; None at the end of the play."""
        if self.gated:
            return self.gated[0]
        pod = self.queue.first()
        if pod is None or self.limit_reached:
            return None
        info = self.state.pods.infos[pod]
        nominated = self.state.nominated[pod]
        try:
            result = self.attempt(
                self.profiles[info.scheduler_name], self.state, info, self._lots(), self.search_from
            )
        except NotModelled as error:
            result = AttemptResult(Cycle(self.state, info), "error", message=f"not modelled: {error.what}")
        return Looked(pod, self.attempts.get(pod, 0) + 1, nominated, result)

    def _lots(self) -> Lots:
        return first if self.seed is None else drawn(self.seed, self.cycles)

    def apply(self, look: Look, seq: int) -> events.Attempt:
        """Carry out what was decided; the changes are in the journal too."""
        if isinstance(look, Gated):
            return self._apply_gated(look, seq)
        self._count(look)
        changes = self._consequences(look)
        return attempt_event.attempt(look, seq, changes, self.state.nominated[look.pod])

    def _apply_gated(self, look: Gated, seq: int) -> events.Attempt:
        before = list(self.gated)
        self.gated = self.gated[1:]
        self.cycles += 1

        def undo() -> None:
            self.gated = before
            self.cycles -= 1

        self.state.record(undo)
        nominated = self.state.nominated[look.pod]
        return attempt_event.gated(self.state, look, seq, [self._enter(look.pod, "gated")], nominated)

    def _count(self, look: Looked) -> None:
        before = self.attempts.pop(look.pod, None)
        self.attempts[look.pod] = look.attempt
        self.cycles += 1
        start = self.search_from
        self.search_from = (start + look.result.searched) % max(1, len(self.state.nodes))
        self.limit_reached = look.attempt >= self.attempt_limit and look.result.outcome != "scheduled"

        def undo() -> None:
            del self.attempts[look.pod]
            if before is not None:
                self.attempts[look.pod] = before
            self.cycles -= 1
            self.limit_reached = False
            self.search_from = start

        self.state.record(undo)

    def _consequences(self, look: Looked) -> list[Change]:
        match look.result.outcome:
            case "scheduled":
                return self._bind(look)
            case "nominated":
                return self._preempt(look)
            case "error" if look.result.pre_filtered is None:
                return [self._leave(look.pod)]
            case _:
                changes: list[Change] = []
                if look.result.nominate is not None:
                    changes += self._nominate(look.pod, look.result.nominate)
                return [*changes, self._enter(look.pod, "unschedulable")]

    def _bind(self, look: Looked) -> list[Change]:
        assert look.result.chosen is not None
        start = self.epoch + self.cycles * _SECOND
        for plugin in self.profiles[look.result.cycle.pod.scheduler_name].reserving:
            plugin.reserve(look.result.cycle, look.result.chosen)
        changes = [self._leave(look.pod), *self._nominate(look.pod, "")]
        self.state.bind(look.pod, look.result.chosen, start)
        node = self.state.nodes.names[look.result.chosen]
        return [*changes, events.Bind(self._uid(look.pod), node, format_timestamp(start))]

    def _preempt(self, look: Looked) -> list[Change]:
        preemption = look.result.preemption
        assert preemption is not None and preemption.winner is not None
        leaving = [pod for pod in preemption.victims if not self.is_leaving(pod)]
        changes: list[Change] = [self.evict(pod) for pod in leaving]
        for pod in preemption.cleared:
            changes += self._nominate(pod, "")
        changes += self._nominate(look.pod, look.result.nominate or "")
        changes += [self._enter(pod, "active") for pod in (look.pod, *self._woken())]
        for pod in leaving:
            changes += self.recreate(pod)
        return changes

    def _woken(self) -> list[int]:
        """Return the waiting pods that enter again after a preemption, in order."""
        return self.queue.unschedulable()

    # -- changes -------------------------------------------------------------------------------------

    def is_leaving(self, pod: int) -> bool:
        """Return whether the pod was evicted earlier and has not gone yet: here victims go at once."""
        return False

    def evict(self, pod: int) -> Change:
        """Take the pod off its node."""
        node, start = self._node_name(pod), attempt_event.start_time(self.state, pod)
        return events.Evict(self._uid(pod), node, self.state.evict(pod), start)

    def _node_name(self, pod: int) -> str:
        return self.state.nodes.names[int(self.state.pod_node[pod])]

    def recreate(self, pod: int) -> list[Change]:
        """Let the pod's controller make a copy of it: none does in the recorded driver."""
        return []

    def settle(self) -> list[Change]:
        """Carry out what is due when nothing else can be tried: nothing, where victims go at once."""
        return []

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump_plugins(self) -> dict[str, dict[str, Any]]:
        """Return what the profiles' plugins have reserved, as plain data."""
        return {
            name: {plugin.name: plugin.dump() for plugin in profile.reserving}
            for name, profile in self.profiles.items()
        }

    def load_plugins(self, saved: Mapping[str, Mapping[str, Any]]) -> None:
        """Restore what `dump_plugins` returned."""
        for name, profile in self.profiles.items():
            for plugin in profile.reserving:
                plugin.load(saved[name][plugin.name])

    def _nominate(self, pod: int, node: str) -> list[Change]:
        before = self.state.nominated[pod]
        if before == node:
            return []
        self.state.nominate(pod, node)
        return [events.Nominate(self._uid(pod), before, node)]

    def _enter(self, pod: int, part: events.QueuePart) -> events.Move:
        return events.Move(self._uid(pod), *self.queue.enter(pod, part))

    def _leave(self, pod: int) -> events.Move:
        return events.Move(self._uid(pod), *self.queue.leave(pod))

    def _uid(self, pod: int) -> str:
        return self.state.pods.infos[pod].uid

    def reference(self, pod: int) -> PodRef:
        """Return how events name the pod."""
        return attempt_event.pod_ref(self.state, pod)
