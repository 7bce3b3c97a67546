"""A run in virtual time, told as decisions.

Source: docs/semantics.md "Time".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from scheduler_core.events.decisions import Decision
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.look import Looked
from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.actor import EndedBy, Stamp
from scheduler_core.schedulers.clocked import AttemptingScheduler, ClockedScheduler
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.schedulers.run_parts import Parts, RunControllers
from scheduler_core.state.register import Register
from scheduler_core.world.clocked import timed_events
from scheduler_core.world.clocked.timed_world import Happening, Stay, TimedWorld, unwatched
from scheduler_core.world.controllers.evictions import refusal
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.controllers.scale_down import surplus
from scheduler_core.world.edits.changes import reason_to_skip
from scheduler_core.world.session_checkpoints import WithinSessions

_MILLISECOND = 10**6
_REPLACED = ("preempted", "evicted", "removed")
"""Why pods go whose controllers make copies of them."""
EVENT_LIMIT = 1_000_000
"""After so many decisions a run ends, whatever is left to do."""


class TimedRun(WithinSessions):
    """One play. `seq` is the last decision's number.

    What moves nobody in a queue and changes nothing else is no decision: a flush that finds nobody.
    """

    def __init__(
        self,
        world: TimedWorld,
        controllers: Controllers,
        exchanges: Exchanges,
        parts: Parts | None = None,
    ) -> None:
        self.world = world
        self.parts = parts or Parts({})
        self.exchanges = exchanges
        """Those with extenders."""
        self.state = world.state
        self.seq = 0
        self._controllers = controllers
        self._woken_by: Register[str, int] = Register(self.state.journal)
        """By which decision each pod came to where it is tried from."""
        self._asked_by: Register[int, int] = Register(self.state.journal)
        """By which decision each pod was asked to go."""
        self._eviction_by: Register[int, int] = Register(self.state.journal)
        """Which decision, told of an edit, last asked for each pod's eviction."""
        self._begun_at: Register[str, int] = Register(self.state.journal)
        world.next_decision = lambda: self.seq + 1
        world.before_session = self._begin_session
        world.reason_to_stay = self._reason_to_stay
        world.surplus = lambda entry: surplus(entry, self.state, controllers, world.cluster.epoch)

    @property
    def time(self) -> int:
        """The clock, in milliseconds since the run's start."""
        return self.world.cluster.now // _MILLISECOND

    @property
    def schedulers(self) -> Sequence[ClockedScheduler]:
        """Who schedules."""
        return self.world.schedulers

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows beside those of pods and nodes."""
        acting = [] if self.acting is None else [self.acting]
        told = (*self.schedulers, *acting, *self.parts)
        return {name: rows for one in told for name, rows in one.tables().items()}

    @property
    def acting(self) -> RunControllers | None:
        """A scheduler's own controllers."""
        return self.world.controllers

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

        self.world.watch = watch_attempt
        decision = self.step()
        self.world.watch = unwatched
        for holder in self.world.holders:
            if holder.in_session:
                watch(holder.noted_opening())
        return decision

    def _take_step(self) -> Decision:
        decision = self.step()
        assert decision is not None
        return decision

    @contextmanager
    def before(self) -> Iterator[None]:
        """Go back to the moment before the last decision for as long as the block runs."""
        self.state.undo_to(0)
        self.seq -= 1
        try:
            yield
        finally:
            self.step()

    def _decide(self, happening: Happening) -> Decision:
        self.seq += 1
        if happening.kind == "session" and self._session is not None:
            self._session.steps += 1
        copies = self._replace()
        if happening.report is None:
            happening.report = copies if copies.moves else None
        else:
            happening.report.extend(copies)
        self._note_causes(happening)
        acting = self.world.controllers
        if acting is not None:
            acting.expect(self.seq, self.world.cluster.epoch + self.world.cluster.now)
            acting.note_changes()
        self.parts.hear()
        changes = self.state.journal.told()
        stamp = Stamp(self.seq, self.time, self._cause(happening))
        if acting is not None and happening.plan is not None:
            return acting.tell(happening.plan, stamp, changes)
        return timed_events.tell(happening, self.state, stamp, changes)

    def _replace(self) -> Report:
        """Let controllers replace who was preempted, evicted, or deleted by itself."""
        report = Report()
        for pod, why in self.world.cluster.asked_to_go:
            self._asked_by.put(pod, self.seq)
            if why in _REPLACED and not self._controllers.waits_for_name(pod):
                report.extend(self._copy(pod))
        for pod, why in self.world.cluster.gone_now:
            if why in _REPLACED and self._controllers.waits_for_name(pod):
                report.extend(self._copy(pod))
        return report

    def _copy(self, pod: int) -> Report:
        copy = self._controllers.copy_of(pod)
        return Report() if copy is None else self.world.cluster.add_pod(copy, self.state.pods.infos[pod].uid)

    def _note_causes(self, happening: Happening) -> None:
        for move in happening.report.moves if happening.report is not None else ():
            if move.target in ("active", "backoff"):
                self._woken_by.put(move.uid, self.seq)
        if happening.kind == "begin" and happening.begun is not None:
            self._begun_at.put(happening.begun.uid, self.seq)
        if happening.kind == "entry":
            for pod in self.world.cluster.asked.values.values():
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
        return None

    def _reason_to_stay(self, pod: int) -> Stay | None:
        if pod in self.state.gone.values or not self.state.node_of(pod):
            return Stay("refused", "the pod is on no node")
        skipped = reason_to_skip(self._controllers.document(pod))
        if skipped is not None:
            return Stay("skipped", skipped)
        if self.state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            return Stay("refused", "the pod is terminating already")
        refused = refusal(self.state, pod)
        return None if refused is None else Stay("refused", refused.message)

    # -- checkpoints ---------------------------------------------------------------------------------

    @property
    def _in_session(self) -> bool:
        return any(holder.in_session for holder in self.world.holders)

    def _dump(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "world": self.world.dump(),
            "controllers": self._controllers.dump(),
            "woken_by": self._woken_by.dump(),
            "asked_by": self._asked_by.dump(),
            "begun_at": self._begun_at.dump(),
            "eviction_by": self._eviction_by.dump(),
            **self.parts.dump(),
        }

    def _load(self, data: Mapping[str, Any]) -> None:
        self.seq = data["seq"]
        self._controllers.load(data["controllers"])
        self.world.load(data["world"])
        self._woken_by.load(data["woken_by"])
        self._asked_by.load(data["asked_by"])
        self._begun_at.load(data["begun_at"])
        self._eviction_by.load(data["eviction_by"])
        self.parts.load(data)
