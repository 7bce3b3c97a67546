"""Schedulers where a clock moves: attempts that begin and end, sessions that open and go on."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.kube.queueing.backoff import SECOND
from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.clocked import AttemptingScheduler, ClockedScheduler, SessionScheduler
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.register import Register
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.hooks import Hooks, unwatched
from scheduler_core.world.clocked.live_cluster import Cluster


class AttemptEnds(ClockedActor, Checkpointed):
    """Attempts that are under way end when they have taken their time."""

    remembered = {"instants": "instants"}

    def __init__(self, cluster: Cluster, schedulers: Sequence[AttemptingScheduler]) -> None:
        self._cluster = cluster
        self._schedulers = schedulers
        self.instants: Register[str, int] = Register(cluster.state.journal)
        """When the attempt of a scheduler ends, by its name."""

    def due(self) -> int | None:
        return min(self.instants.values.values(), default=None)

    @property
    def urgent(self) -> bool:  # type: ignore[override]
        """Whether a cycle is ending: nobody else acts before it has."""
        return any(scheduler.is_closing for scheduler in self._schedulers)

    @property
    def last(self) -> int:
        """When the last of them ends, -1 if none is under way."""
        return max(self.instants.values.values(), default=-1)

    def act(self) -> Happening:
        due = self.due()
        scheduler = next(item for item in self._schedulers if self.instants.get(item.name) == due)
        begun, report, exchanges = scheduler.end(self._cluster, self._cluster.now)
        if not scheduler.is_closing:
            self.instants.drop(scheduler.name)
        return Happening("end", report, scheduler=scheduler, begun=begun, exchanges=exchanges)


class Attempting(ClockedActor):
    """A scheduler that is idle begins an attempt if somebody is to be tried."""

    begins = True

    def __init__(
        self, cluster: Cluster, scheduler: AttemptingScheduler, ends: AttemptEnds, takes: int, hooks: Hooks
    ) -> None:
        self._cluster = cluster
        self._scheduler = scheduler
        self._ends = ends
        self._takes = takes
        self._hooks = hooks

    @property
    def urgent(self) -> bool:  # type: ignore[override]
        """Whether a cycle is beginning: nobody else acts before it has."""
        return self._scheduler.is_opening

    def due(self) -> int | None:
        busy = self._scheduler.name in self._ends.instants.values
        return self._cluster.now if not busy and self._scheduler.has_next() else None

    @property
    def is_settled(self) -> bool:
        return not self._scheduler.has_next()

    def act(self) -> Happening | None:
        scheduler = self._scheduler
        looked = scheduler.look()
        if looked is None:
            return None
        if self._hooks.watch is not unwatched:
            looked = scheduler.in_full(looked)
            self._hooks.watch(looked, scheduler)
        if scheduler.opens(looked):
            self._hooks.before_session()
        begun, report = scheduler.begin(looked, self._cluster.now)
        if not scheduler.is_opening:
            self._ends.instants.put(scheduler.name, self._cluster.now + self._takes * scheduler.tries)
        return Happening("begin", report, scheduler=scheduler, begun=begun, looked=looked)


class Flushes(ClockedActor, Checkpointed):
    """Every whole second, queues have those tried who have waited for long enough."""

    remembered = {"progress": "_progress"}

    def __init__(self, cluster: Cluster, schedulers: Sequence[AttemptingScheduler]) -> None:
        self._cluster = cluster
        self._schedulers = schedulers
        self._progress: Register[str, int] = Register(cluster.state.journal, {"flushed": 0}.items())

    def due(self) -> int | None:
        """Return the first whole second at which a flush can move somebody."""
        flushes = (scheduler.next_flush() for scheduler in self._schedulers)
        instants = [instant for instant in flushes if instant is not None]
        return max(min(instants), self._progress.values["flushed"] + SECOND) if instants else None

    def act(self) -> Happening:
        instant = self.due()
        assert instant is not None
        second = instant - instant % SECOND
        self._progress.put("flushed", second)
        report = Report()
        for scheduler in self._schedulers:
            report.extend(scheduler.flush(second, self._cluster.now))
        return Happening("flush", report)


class OpenSession(ClockedActor):
    """A session that is open goes on; nobody else acts until it closes."""

    urgent = True

    def __init__(self, cluster: Cluster, holder: SessionScheduler) -> None:
        self._cluster = cluster
        self._holder = holder

    def due(self) -> int | None:
        return self._cluster.now if self._holder.in_session else None

    def act(self) -> Happening:
        return Happening("session", self._holder.step(), holder=self._holder)


class Sessions(ClockedActor):
    """Sessions open when their time has come; `schedulers` are all, in the order in which they act."""

    begins = True

    def __init__(
        self, cluster: Cluster, holder: SessionScheduler, schedulers: Sequence[ClockedScheduler], hooks: Hooks
    ) -> None:
        self._cluster = cluster
        self._holder = holder
        self._after = set(schedulers[schedulers.index(holder) + 1 :])
        self._hooks = hooks

    def due(self) -> int | None:
        due = self._holder.next_at
        return None if due is None else max(due, self._cluster.now)

    @property
    def is_settled(self) -> bool:
        return self._holder.is_settled and self._holder.next_at is None

    def act(self) -> Happening | None:
        """Open a session; what came to nothing before it is told first."""
        if not self._holder.opens(self._cluster.now):
            return None
        if (idle := self._take_idle()) is not None:
            return idle
        self._hooks.before_session()
        return Happening("session", self._holder.step(), holder=self._holder)

    def heed(self, happening: Happening) -> None:
        """Count who has run out, and hold sessions again if the cluster has changed."""
        for pod, why in self._cluster.gone_now:
            if why in ("finished", "failed"):
                self._holder.pod_ended(pod, failed=why == "failed")
        if self._holder is not happening.holder and happening.touches_cluster:
            # It was this scheduler's turn earlier in the instant in which one after it begins.
            passed = happening.kind == "begin" and happening.scheduler in self._after
            self._holder.heed(self._cluster.now, passed=passed)

    def close(self, until: int, *, quiet: bool) -> Happening | None:
        """Tell of the sessions that came to nothing since the last one."""
        if not quiet and self._holder.is_settled:
            self._cluster.move_to(until)
            self._holder.count_until(until, passed=True)
        return self._take_idle()

    def _take_idle(self) -> Happening | None:
        idle = self._holder.take_untold()
        return None if idle is None else Happening("idle", None, holder=self._holder, idle=idle)
