"""The world whose clock moves: what happens next, one thing at a time.

At one instant, things happen in this order: schedulers' own controllers work until they are quiet; the
timeline's entries, in its order; pods whose grace is over, in the order of their deletions; the queue's
flushes; attempts that end; then every scheduler that is idle, in their order. Schedulers are at work at the
same time, each at one attempt. A session takes no time: from its opening to its close nobody else acts.

Source: the family `timed` of the recorded cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from scheduler_core.events.exchanges import Exchange
from scheduler_core.kube.look import Looked
from scheduler_core.kube.queueing.backoff import SECOND
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.timed_scheduler import Begun
from scheduler_core.objects.kinds import POD
from scheduler_core.schedulers.clocked import AttemptingScheduler, ClockedScheduler, SessionScheduler
from scheduler_core.schedulers.run_parts import RunControllers
from scheduler_core.state.checkpoint import ByName, Checkpointed
from scheduler_core.state.register import Register
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.clocked.run_pods import TimedPods
from scheduler_core.world.clocked.timeline import carry_out
from scheduler_core.world.timeline_entry import Entry


class Stay(NamedTuple):
    """Why a pod isn't evicted: it is `skipped` and not even asked for, or the eviction is `refused`."""

    outcome: Literal["skipped", "refused"]
    message: str


@dataclass
class Happening:
    """One thing that happened: what it did to the queues, and what it was about.

    An entry's `report` is None if what it is about wasn't there. `begun` is the attempt that began or ended;
    of one that began, `looked` has all that was found out. `why` is why a pod left. `holder` has taken a step
    of a session, or has held the sessions `idle` (the first and the last of them), in which nothing happened.
    `plan` is a piece of work of a scheduler's own controllers. `exchanges` are those with an extender that
    was to bind.
    """

    kind: Literal["entry", "left", "eviction", "flush", "begin", "end", "session", "idle", "reconcile"]
    report: Report | None
    entry: Entry | None = None
    stay: Stay | None = None
    pod: int | None = None
    why: str = ""
    scheduler: AttemptingScheduler | None = None
    begun: Begun | None = None
    looked: Looked | None = None
    holder: SessionScheduler | None = None
    idle: tuple[int, int] | None = None
    plan: Any | None = None
    exchanges: list[Exchange] = field(default_factory=list)


class TimedWorld(Checkpointed):
    """A cluster, its schedulers and a timeline. `attempt` is how long an attempt takes, in nanoseconds."""

    remembered = {
        "state": "state",
        "cluster": "cluster",
        "progress": "_progress",
        "ends": "_ends",
        "schedulers": "_by_name",
    }

    def __init__(
        self,
        cluster: Cluster,
        schedulers: Sequence[ClockedScheduler],
        timeline: Sequence[Entry],
        attempt: int,
        until: int,
    ) -> None:
        self.cluster = cluster
        self.state = cluster.state
        self.schedulers = list(schedulers)
        self._by_name = ByName(lambda: ((one.name, one) for one in self.schedulers))
        self.attempting = [one for one in schedulers if isinstance(one, AttemptingScheduler)]
        self.holders = [one for one in schedulers if isinstance(one, SessionScheduler)]
        """Schedulers that work in sessions."""
        cluster.schedulers = self.attempting
        self.timeline = list(timeline)
        self.until = until
        self._attempt = attempt
        self._progress: Register[str, int] = Register(
            self.state.journal, {"entries": 0, "flushed": 0}.items()
        )
        self._ends: Register[str, int] = Register(self.state.journal)
        self.reason_to_stay: Callable[[int], Stay | None] = lambda pod: None
        """Says why a pod isn't evicted that an edit asks for, None if it goes."""
        self.surplus: Callable[[Entry], list[int]] = lambda entry: []
        """Says which pods a controller deletes that is to have fewer."""
        self.watch: Callable[[Looked, AttemptingScheduler], None] = unwatched
        """Is told of each attempt when it has decided and nothing has followed from it yet."""
        self.controllers: RunControllers | None = None
        """A scheduler's own, where they act."""
        self.pods: TimedPods | None = None
        """What these do with pods."""
        self.next_decision: Callable[[], int] = lambda: 0
        """Says the number of the decision that comes next."""
        self.before_session: Callable[[], None] = lambda: None
        """Is told when a session is going to open, and nothing of it has happened yet."""

    def step(self) -> Happening | None:
        """Let the next thing happen and return it; None at the end. What was done so far becomes final."""
        self.state.forget_journal()
        self.cluster.asked_to_go.clear()
        self.cluster.gone_now.clear()
        happening = self._next()
        if happening is not None:
            self._tell_holders(happening)
        return happening

    def _next(self) -> Happening | None:
        for holder in self.holders:
            if holder.in_session:
                return Happening("session", holder.step(), holder=holder)
        if (reconciled := self._reconcile()) is not None:
            return reconciled
        if self.cluster.asked.values:
            return self._evict()
        due, end = self._due(), min(self._ends.values.values(), default=None)
        while True:
            now = self.cluster.now
            if due is not None and due <= now:
                return self._happen(due)
            if now <= self.until and (end is None or end > now) and (begun := self._begin()) is not None:
                return begun
            session, work = self._next_session(), self._next_work()
            if work is not None and not _any_before(work + 1, due, end, session):
                self.cluster.move_to(work)
                if (reconciled := self._reconcile()) is not None:
                    return reconciled
                continue
            if session is None or _any_before(session + 1, due, end):
                break
            self.cluster.move_to(session)
        if end is not None:
            return self._happen(due) if due is not None and due <= end else self._end(end)
        return self._close() if due is None or due > self.until else self._happen(due)

    def _next_work(self) -> int | None:
        """Return when controllers do the next thing that waits for its time, None if there is none."""
        due = None if self.controllers is None else self.controllers.due()
        return None if due is None or due - self.cluster.epoch > self.until else due - self.cluster.epoch

    def _reconcile(self) -> Happening | None:
        """Let controllers do the next piece of work; None if there is none."""
        if self.controllers is None or self.pods is None:
            return None
        self.expect()
        plan = self.controllers.look()
        if plan is None:
            return None
        self.controllers.apply(plan)
        return Happening("reconcile", self.pods.take_report(), plan=plan)

    def expect(self) -> None:
        """Tell the controllers the time, and which decision comes next."""
        if self.controllers is not None:
            self.controllers.expect(self.next_decision(), self.cluster.epoch + self.cluster.now)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is due any more and nobody can be tried: time alone would change nothing."""
        waits = any(scheduler.has_next() for scheduler in self.attempting)
        due = self._due() is not None or (self.controllers is not None and self.controllers.due() is not None)
        return not due and not waits and all(one.is_settled for one in self.holders)

    # -- what is due ---------------------------------------------------------------------------------

    def _due(self) -> int | None:
        leaving = self.cluster.next_to_leave()
        instants = [self._next_entry(), leaving[0] if leaving is not None else None, self._next_flush()]
        return min((instant for instant in instants if instant is not None), default=None)

    def _next_entry(self) -> int | None:
        place = self._progress.values["entries"]
        return self.timeline[place].at if place < len(self.timeline) else None

    def _next_flush(self) -> int | None:
        """Return the first whole second at which a flush can move somebody."""
        flushes = (scheduler.next_flush() for scheduler in self.attempting)
        instants = [instant for instant in flushes if instant is not None]
        if not instants:
            return None
        return max(min(instants), self._progress.values["flushed"] + SECOND)

    def _happen(self, instant: int) -> Happening:
        self.cluster.move_to(instant)
        self.expect()
        if (at := self._next_entry()) is not None and at <= instant:
            place = self._progress.values["entries"]
            self._progress.put("entries", place + 1)
            entry = self.timeline[place]
            before = self.cluster.pod_of(entry.key) if entry.kind == POD else None
            report = self._shrink(entry) if entry.verb == "shrink" else carry_out(entry, self.cluster)
            pod = self.cluster.pod_of(entry.key) if entry.verb == "put" else before
            return Happening("entry", report, entry=entry, pod=pod)
        leaving = self.cluster.next_to_leave()
        if leaving is not None and leaving[0] <= instant:
            why = self.cluster.leaving.values[leaving[1]][2]
            return Happening("left", self.cluster.vanish(leaving[1], why), pod=leaving[1], why=why)
        return self._flush(instant)

    def _shrink(self, entry: Entry) -> Report:
        report = Report()
        for pod in self.surplus(entry):
            report.extend(self.cluster.terminate(pod, "deleted"))
        return report

    def _evict(self) -> Happening:
        turn = min(self.cluster.asked.values)
        pod = self.cluster.asked.values[turn]
        self.cluster.asked.drop(turn)
        stay = self.reason_to_stay(pod)
        report = Report() if stay is not None else self.cluster.terminate(pod, "evicted")
        return Happening("eviction", report, pod=pod, stay=stay)

    def _flush(self, instant: int) -> Happening:
        second = instant - instant % SECOND
        self._progress.put("flushed", second)
        report = Report()
        for scheduler in self.attempting:
            report.extend(scheduler.flush(second, self.cluster.now))
        return Happening("flush", report)

    # -- attempts ------------------------------------------------------------------------------------

    def _begin(self) -> Happening | None:
        for scheduler in self.schedulers:
            if isinstance(scheduler, SessionScheduler):
                if scheduler.opens(self.cluster.now):
                    return self._open(scheduler)
                continue
            assert isinstance(scheduler, AttemptingScheduler)
            looked = None if scheduler.name in self._ends.values else scheduler.look()
            if looked is not None:
                if self.watch is not unwatched:
                    looked = scheduler.in_full(looked)
                    self.watch(looked, scheduler)
                begun, report = scheduler.begin(looked)
                self._ends.put(scheduler.name, self.cluster.now + self._attempt)
                return Happening("begin", report, scheduler=scheduler, begun=begun, looked=looked)
        return None

    def _end(self, instant: int) -> Happening:
        self.cluster.move_to(instant)
        scheduler = next(item for item in self.attempting if self._ends.get(item.name) == instant)
        self._ends.drop(scheduler.name)
        begun, report, exchanges = scheduler.end(self.cluster, self.cluster.now)
        return Happening("end", report, scheduler=scheduler, begun=begun, exchanges=exchanges)

    # -- sessions ------------------------------------------------------------------------------------

    def _next_session(self) -> int | None:
        """Return when the next session opens that has to be held, None if there is none in time."""
        instants = (holder.next_at for holder in self.holders)
        return min((at for at in instants if at is not None and at <= self.until), default=None)

    def _open(self, holder: SessionScheduler) -> Happening:
        """Open a session; what came to nothing before it is told first."""
        if (idle := holder.take_untold()) is not None:
            return Happening("idle", None, holder=holder, idle=idle)
        self.before_session()
        return Happening("session", holder.step(), holder=holder)

    def _close(self) -> Happening | None:
        """At the end, tell of the sessions that came to nothing since the last one."""
        for holder in self.holders:
            if not self.is_quiet and holder.is_settled:
                self.cluster.move_to(self.until)
                holder.count_until(self.until, passed=True)
            if (idle := holder.take_untold()) is not None:
                return Happening("idle", None, holder=holder, idle=idle)
        return None

    def _tell_holders(self, happening: Happening) -> None:
        """Let sessions count who has run out, and be held again if the cluster has changed."""
        for holder in self.holders:
            for pod, why in self.cluster.gone_now:
                if why in ("finished", "failed"):
                    holder.pod_ended(pod, failed=why == "failed")
            if holder is not happening.holder and _touches_cluster(happening):
                holder.heed(self.cluster.now, passed=self._comes_before(holder, happening))

    def _comes_before(self, holder: SessionScheduler, happening: Happening) -> bool:
        """Return whether it was the scheduler's turn earlier in this instant."""
        if happening.kind != "begin" or happening.scheduler is None:
            return False
        return self.schedulers.index(holder) < self.schedulers.index(happening.scheduler)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return as plain data all from which `load` goes on."""
        own = {} if self.controllers is None else {self.controllers.kind: self.controllers.dump()}
        return super().dump() | own

    def load(self, data: Mapping[str, Any]) -> None:
        """Bring a world of the same input, wherever it stands, to what `dump` returned."""
        super().load(data)
        if self.controllers is not None:
            self.controllers.load(data[self.controllers.kind])


def unwatched(looked: Looked, scheduler: AttemptingScheduler) -> None:
    """Look at no attempt."""


def _any_before(instant: int, *others: int | None) -> bool:
    return any(other is not None and other < instant for other in others)


def _touches_cluster(happening: Happening) -> bool:
    """Return whether something happened that a session sees: an attempt that came to nothing is none."""
    begun = happening.begun
    if begun is not None:
        return begun.outcome == "scheduled" or (happening.kind == "end" and bool(begun.victims))
    return happening.kind in ("left", "eviction", "reconcile") or (
        happening.kind == "entry" and happening.report is not None
    )
