"""A run in virtual time, told as decisions.

Source: docs/semantics.md "Time".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.events.decisions import Decision
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.look import Looked
from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.actor import EndedBy, Stamp
from scheduler_core.schedulers.clocked import AttemptingScheduler, ClockedScheduler
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.schedulers.run_parts import Parts
from scheduler_core.state.register import Register
from scheduler_core.world.clocked import timed_events
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.hooks import unwatched
from scheduler_core.world.clocked.timed_world import TimedWorld
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.run import Run

_MILLISECOND = 10**6
_REPLACED = ("preempted", "evicted", "removed")
"""Why pods go whose controllers make copies of them."""
EVENT_LIMIT = 1_000_000
"""After so many decisions a run ends, whatever is left to do."""


class TimedRun(Run):
    """One play. What moves nobody in a queue and changes nothing else is no decision: an idle flush."""

    def __init__(
        self,
        world: TimedWorld,
        controllers: Controllers,
        exchanges: Exchanges,
        parts: Parts | None = None,
    ) -> None:
        super().__init__(world.state, controllers, world.own, exchanges, parts)
        self.world = world
        self._copying = controllers
        self._woken_by: Register[str, int] = Register(self.state.journal)
        """By which decision each pod came to where it is tried from."""
        self._asked_by: Register[int, int] = Register(self.state.journal)
        """By which decision each pod was asked to go."""
        self._eviction_by: Register[int, int] = Register(self.state.journal)
        """Which decision, told of an edit, last asked for each pod's eviction."""
        self._begun_at: Register[str, int] = Register(self.state.journal)
        world.hooks.next_decision = lambda: self.seq + 1
        world.hooks.before_session = self._begin_session

    @property
    def time(self) -> int:
        """The clock, in milliseconds since the run's start."""
        return self.world.cluster.now // _MILLISECOND

    @property
    def schedulers(self) -> Sequence[ClockedScheduler]:
        """Who schedules."""
        return self.world.schedulers

    @property
    def limit_reached(self) -> bool:
        """Whether the run ended because it had as many decisions as the limit allows."""
        return self.seq >= EVENT_LIMIT

    @property
    def until(self) -> int:
        """The clock after which nothing begins any more, in milliseconds since the run's start."""
        return self.world.until // _MILLISECOND

    @property
    def ended_by(self) -> EndedBy:
        """What ended the run, once it is at its end."""
        if self.limit_reached:
            return "limit"
        return "quiet" if self.world.is_quiet else "until"

    # -- decisions -----------------------------------------------------------------------------------

    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""
        while not self.limit_reached:
            self.exchanges.expect(self.seq + 1)
            happening = self.world.step()
            if happening is None:
                return None
            if happening.kind != "flush" or (happening.report is not None and happening.report.moves):
                return self._decide(happening)
        return None

    def explained(self, watch: Watch) -> Decision | None:
        """Take the next decision; `watch` sees what a scheduler noted of it."""
        for holder in self.world.holders:
            if holder.in_session:
                return holder.explained_step(self._take_step, watch)

        def watch_attempt(looked: Looked, scheduler: AttemptingScheduler) -> None:
            watch(scheduler.noted(looked))

        self.world.hooks.watch = watch_attempt
        decision = self.step()
        self.world.hooks.watch = unwatched
        for holder in self.world.holders:
            if holder.in_session:
                watch(holder.noted_opening())
        return decision

    def _take_step(self) -> Decision:
        decision = self.step()
        assert decision is not None
        return decision

    def _repeat(self) -> None:
        self.step()

    def _decide(self, happening: Happening) -> Decision:
        self.seq += 1
        if happening.kind in ("session", "begin") and self._session is not None:
            self._session.steps += 1
        copies = self._replace()
        if happening.report is None:
            happening.report = copies if copies.moves else None
        else:
            happening.report.extend(copies)
        self._note_causes(happening)
        for one in self.own:
            one.expect(self.seq, self.world.cluster.epoch + self.world.cluster.now)
        self._let_hear()
        self.world.hear(self.seq)
        changes = self.state.journal.told()
        stamp = Stamp(self.seq, self.time, self._cause(happening))
        return timed_events.tell(happening, self.state, stamp, changes)

    def _replace(self) -> Report:
        """Let controllers replace who was preempted, evicted, or deleted by itself."""
        report = Report()
        for pod, why in self.world.cluster.asked_to_go:
            self._asked_by.put(pod, self.seq)
            if why in _REPLACED and not self._copying.waits_for_name(pod):
                report.extend(self._copy(pod))
        for pod, why in self.world.cluster.gone_now:
            if why in _REPLACED and self._copying.waits_for_name(pod):
                report.extend(self._copy(pod))
        return report

    def _copy(self, pod: int) -> Report:
        copy = self._copying.copy_of(pod)
        return Report() if copy is None else self.world.cluster.add_pod(copy, self.state.pods.infos[pod].uid)

    def _note_causes(self, happening: Happening) -> None:
        for move in happening.report.moves if happening.report is not None else ():
            if move.target in ("active", "backoff"):
                self._woken_by.put(move.uid, self.seq)
        if happening.kind == "begin" and happening.begun is not None:
            self._begun_at.put(happening.begun.uid, self.seq)
        if happening.kind == "entry":
            for pod, _ in self.world.cluster.asked.values.values():
                self._eviction_by.put(pod, self.seq)

    def _cause(self, happening: Happening) -> int | None:
        match happening.kind:
            case "begin" if happening.begun is not None:
                return self._woken_by.get(happening.begun.uid)
            case "end" if happening.begun is not None:
                return self._begun_at.get(happening.begun.uid)
            case "left" if happening.pod is not None:
                return self._asked_by.get(happening.pod)
            case "eviction" if happening.pod is not None:
                return self._eviction_by.get(happening.pod)
            case "controller" if happening.acted is not None:
                return happening.acted.cause
        return None

    # -- checkpoints ---------------------------------------------------------------------------------

    def _dump_world(self) -> dict[str, Any]:
        return {
            "world": self.world.dump(),
            "woken_by": self._woken_by.dump(),
            "asked_by": self._asked_by.dump(),
            "begun_at": self._begun_at.dump(),
            "eviction_by": self._eviction_by.dump(),
        }

    def _load_world(self, data: Mapping[str, Any]) -> None:
        self.world.load(data["world"])
        self._woken_by.load(data["woken_by"])
        self._asked_by.load(data["asked_by"])
        self._begun_at.load(data["begun_at"])
        self._eviction_by.load(data["eviction_by"])
