"""Volcano's scheduler as an actor: sessions, told step by step.

A session works on its own snapshot of the cluster; what it commits becomes the cluster's. From its opening to
its close nobody else acts, so that a step is what the session does next.

Source: volcano v1.16 pkg/scheduler/scheduler.go runOnce, framework/framework.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.events.session_explanation import Compared, OrderInFull, StepInFull
from scheduler_core.events.sessions import SessionDecision
from scheduler_core.events.state import TASKS, ActorRow
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.schedulers.actor import ApiServer, Stamp
from scheduler_core.schedulers.cause import Answered
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.schedulers.unclocked import Annotated, Basis, Scheduler
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.log_table import Rows as TableOf
from scheduler_core.state.register import Register
from scheduler_core.volcano.api_kinds import VOLCANO_CRON_JOB, VOLCANO_JOB
from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.cache.session_figures import job_shares, queue_shares
from scheduler_core.volcano.cache.tables import QueueRow, TaskRow
from scheduler_core.volcano.configuration.broken_queues import broken_queues
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.framework.closing import close
from scheduler_core.volcano.framework.session import Memory, Session
from scheduler_core.volcano.framework.steps import Closed, Enqueue, Opened, Searched, Settled, Step, Try
from scheduler_core.volcano.imports.references import REMEDY, missing_references
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE, SCHEDULER_NAME
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.registry import ACTIONS, PLUGINS
from scheduler_core.volcano.reporting import telling
from scheduler_core.volcano.reporting.explaining import Points, order_in_full, step_in_full
from scheduler_core.volcano.reporting.moving import MovingByVolcano
from scheduler_core.volcano.reporting.step_explanation import NotedStep
from scheduler_core.volcano.reporting.unplayed import unplayed_kinds, unplayed_parts
from scheduler_core.volcano.reporting.unread_topologies import unread_topologies
from scheduler_core.volcano.reporting.vgpu_explaining import cards_of_step
from scheduler_core.volcano.reporting.why import Trial, look_on

ENGINE = "volcano-1.16"
Object = dict[str, Any]


class VolcanoScheduler(Checkpointed, Scheduler):
    """One Volcano. It works until a session has had no effect and nothing has changed since.

    `session_limit` ends a play in which sessions go on for ever.
    """

    remembered = {"cluster": "cluster", "progress": "_progress"}

    has_sessions = True
    moves_together = True

    def __init__(
        self,
        name: str,
        cluster: VolcanoCluster,
        configuration: Configuration,
        api: ApiServer,
        session_limit: int,
    ) -> None:
        self.name = name
        self.cluster = cluster
        self.configuration = configuration
        self._api = api
        self._limit = session_limit
        journal = cluster.state.journal
        self._progress: Register[str, int] = Register(journal, {"session": 0, "settled": 0}.items())
        self.profiles: dict[str, Any] = {}
        self.tasks: TableOf[TaskRow] = TableOf(journal, TASKS + name, TaskRow)
        self._running: Iterator[Step] | None = None
        self.session: Session | None = None
        self._effects = {"bound": 0, "evicted": 0, "entered": 0}
        self._action = ""

    @property
    def state(self) -> ClusterState:
        """The cluster's state."""
        return self.cluster.state

    def row(self) -> ActorRow:
        """Return what the log says of this scheduler."""
        return ActorRow(self.name, ENGINE, [SCHEDULER_NAME])

    def is_ours(self, pod: int) -> bool:
        """Return whether the pod asks for this scheduler."""
        return self.state.pods.infos[pod].scheduler_name == SCHEDULER_NAME

    @property
    def number(self) -> int:
        """The number of the session that runs or ran last."""
        return self._progress.values["session"]

    def _elapsed(self, number: int) -> int:
        """Return how long after the run's start a session opens, in nanoseconds."""
        return (number - 1) * self.configuration.period

    @property
    def in_session(self) -> bool:
        """Whether a session is open, so that nobody else acts."""
        return self._running is not None

    @property
    def limit_reached(self) -> bool:
        """Whether there were as many sessions as the limit allows, and the last one still had an effect."""
        return self.number >= self._limit and not self._progress.values["settled"] and not self.in_session

    def has_work(self) -> bool:
        """Return whether a session runs or is to be opened."""
        if self.in_session:
            return True
        return not self._progress.values["settled"] and self.number < self._limit

    def notice(self) -> None:
        """Hear that something has changed in the cluster."""
        if self._progress.values["settled"]:
            self._progress.put("settled", 0)

    def notice_pod(self, pod: int) -> None:
        """Take note of a pod that came into being."""
        self.notice()

    # -- one step ------------------------------------------------------------------------------------

    def look(self) -> VolcanoScheduler | None:
        """Return itself if there is something to do; a session decides a step when it takes it."""
        return self if self.has_work() else None

    def apply(self, look: VolcanoScheduler) -> None:
        """Take the next step."""
        if self._running is None:
            self._progress.put("session", self.number + 1)
            self._running = self._session()
        self._step = next(self._running)
        self._carry_out(self._step)

    def tell(self, look: VolcanoScheduler, stamp: Stamp, changes: list[Change]) -> SessionDecision:
        """Return the step that was taken, for the log."""
        assert self.session is not None
        told = telling.tell(self, self._step, stamp, changes)
        if isinstance(self._step, Closed):
            self._running = self.session = None
        return told

    def _session(self) -> Iterator[Step]:
        memory = Memory(self.cluster.memory.values["next_node"])
        self._effects = dict.fromkeys(self._effects, 0)
        session = self.session = open_session(
            self.cluster.snapshot(),
            self.cluster.contents(self._elapsed(self.number)),
            self.configuration,
            self,
            memory,
        )
        yield Opened()
        for action in self.configuration.actions:
            self._action = action
            yield from ACTIONS[action](session)
        writes = close(session)
        if memory.next_node != self.cluster.memory.values["next_node"]:
            self.cluster.memory.put("next_node", memory.next_node)
        yield Closed(writes, dict(self._effects))

    @property
    def action(self) -> str:
        """The action that runs."""
        return self._action

    def explained(self, look: Any, act: Callable[[Any], Decision], watch: Watch) -> Decision:
        """Let `act` take the next step, and return it; `watch` sees what the log leaves out of it."""
        session = self.session
        if session is None:
            decision = act(look)
            watch(NotedStep(StepInFull()))
            return decision
        points = session.listener = Points(session)
        try:
            decision = act(look)
        finally:
            session.listener = None
        watch(NotedStep(step_in_full(self._step, points), cards_of_step(session, self._step)))
        return decision

    def order_of(self, of: Compared, first: str, second: str) -> OrderInFull:
        if self.session is None:
            raise LookupError("no session is open")
        return order_in_full(self.session, of, first, second)

    def why(self, pod: int) -> Answered:
        return next(self.whys([pod]))

    def whys(self, pods: Iterable[int]) -> Iterator[Answered]:
        """Yield why pods (rows) wait, by one session that is held for all of them and not carried out."""
        if self.in_session:
            raise LookupError("a session is open; its end says why pods wait")
        uids = [self.state.pods.infos[pod].uid for pod in pods]
        trial = Trial(self.cluster, self.configuration, uids, self._elapsed(self.number + 1))
        yield from map(trial.why, uids)

    def whys_of_jobs(self, jobs: Collection[str]) -> Iterator[tuple[str, Answered]]:
        """Yield why jobs wait, by one session that is held for all of them and not carried out."""
        if self.in_session:
            raise LookupError("a session is open; its end says why jobs wait")
        trial = Trial(self.cluster, self.configuration, [], self._elapsed(self.number + 1), jobs=jobs)
        yield from ((job, trial.why_job(job)) for job in jobs if job in trial.session.jobs)

    def jobs_kept_out(self) -> list[str]:
        return [key for key, row in self.cluster.groups.rows.items() if row.phase in ("", "Pending")]

    def why_in_session(self, asked: int | str, steps: int) -> Answered:
        if not self.in_session or not isinstance(self._step, Opened):
            raise LookupError("no session has just opened")
        elapsed = self._elapsed(self.number)
        if isinstance(asked, str):
            trial = Trial(self.cluster, self.configuration, [], elapsed, jobs=[asked], steps=steps)
            return trial.why_job(asked)
        uid = self.state.pods.infos[asked].uid
        return Trial(self.cluster, self.configuration, [uid], elapsed, steps=steps).why(uid)

    def moving(self, pods: Collection[int]) -> MovingByVolcano:
        if self.in_session:
            raise LookupError("a session is open; pods can't be moved in its middle")
        return MovingByVolcano(self.cluster, self.configuration, pods, self._elapsed(self.number + 1))

    def shares(self) -> Mapping[str, QueueRow]:
        """Return the queues with the figures of a session that is opened and not carried out."""
        if self.in_session:
            raise LookupError("a session is open; its tables have the figures of queues")
        session = look_on(self.cluster, self.configuration, self._elapsed(self.number + 1))
        return self.cluster.queues_with(queue_shares(session).values())

    def annotated(self) -> Annotated:
        return self.cluster.bound_with.values

    def basis(
        self, objects: Sequence[Object], everything: Sequence[Object], nodes: int, *, controlled: bool
    ) -> Basis:
        parts = unplayed_parts(self.configuration, everything)
        missing = missing_references(objects, controlled=controlled)
        return Basis(
            unplayed=[
                *self._told_of_clock(everything if controlled else ()),
                *self._told_of_queues(everything),
                *parts.matter,
                *unplayed_kinds(Counter(map(kind_of, everything))),
            ],
            without_effect=parts.without_effect,
            ignored=[f"{field} of its configuration" for field in self.configuration.ignored],
            missing=[*missing, *unread_topologies(self.configuration, everything)],
            remedies=[REMEDY] if missing else [],
        )

    def _told_of_queues(self, everything: Sequence[Object]) -> Iterator[str]:
        """Yield phrases about queues at which the real scheduler ends, where jobs are in them."""
        used = {row.queue for row in self.cluster.groups.rows.values()}
        jobs = (item.get("spec") or {} for item in everything if kind_of(item) == VOLCANO_JOB)
        used |= {spec.get("queue") or DEFAULT_QUEUE for spec in jobs}
        parents = {name: row.parent for name, row in self.cluster.queues.rows.items()}
        return broken_queues(parents, used)

    def _told_of_clock(self, controlled: Iterable[Object]) -> list[str]:
        """Return a phrase about the run's time of day where plugins or CronJobs go by it."""
        options = (option.name for tier in self.configuration.tiers for option in tier)
        names = [
            name
            for name in dict.fromkeys(options)
            if PLUGINS[name].reads_clock and not PLUGINS[name].from_start
        ]
        if any(kind_of(item) == VOLCANO_CRON_JOB for item in controlled):
            names.append("CronJobs")
        begins = format_timestamp(self.cluster.epoch)
        clock = (
            f"the real time of day: {' and '.join(names)} go by this run's clock, which begins at {begins}"
        )
        return [clock] if names else []

    # -- what a session tells ------------------------------------------------------------------------

    def bound(self, task: Task) -> None:
        """Bind a pod; the table of open tries forgets it."""
        assert task.row is not None
        self._effects["bound"] += 1
        self._forget(task)
        self.cluster.bind(task)
        self._api.bind(task.row, self.state.nodes.index[task.node])

    def evicted(self, task: Task, reason: str) -> None:
        """Ask a pod to go."""
        assert task.row is not None
        self._effects["evicted"] += 1
        self._forget(task)
        if not self._api.is_leaving(task.row):
            self._api.evict(task.row)

    def chose(self, task: Task, nodes: Rows, scores: Floats, best: Rows, chosen: int) -> None:
        """A choice among nodes is told with the try that it is made for."""

    def chose_hyper_node(self, of: Job | SubJob, scores: Mapping[str, float], best: Sequence[str]) -> None:
        """A choice among hyper nodes is told with the search that it is made in."""

    # -- what a step changes in the log's tables -----------------------------------------------------

    def _carry_out(self, step: Step) -> None:
        session = self.session
        assert session is not None
        match step:
            case Try(task, "allocated" | "pipelined" as outcome, node, victims=victims):
                for victim in victims:
                    self._note(victim, "evicted", victim.node)
                self._note(task, outcome, node)
            case Settled(_, "discarded", tasks):
                for task in tasks:
                    self._forget(task)
            case Opened():
                self.cluster.hyper_nodes.refresh()
            case Closed(writes):
                self.cluster.hyper_nodes.write(session)
                for key in list(self.tasks.rows):
                    self.tasks.drop(key)
                for write in writes:
                    row = write.task.row
                    if write.nominated and row is not None and self.state.nominated[row] != write.nominated:
                        self._api.nominate(row, write.nominated)
                self._settle()
        if isinstance(step, Opened | Try | Settled | Closed):
            for one in queue_shares(session).values():
                self.cluster.write_queue(one)
        if not isinstance(step, Try | Searched) and not _is_refusal(step):
            self._write_groups(session)

    def _settle(self) -> None:
        """Note at a session's end whether there has to be another."""
        self._progress.put("settled", int(not any(self._effects.values())))

    def _write_groups(self, session: Session) -> None:
        """Keep what a session says of pod groups; that of a pod goes with it when the session evicts it."""
        shares = job_shares(session)
        instant = format_timestamp(self.cluster.epoch + self._elapsed(self.number))
        for job in session.jobs.values():
            if job.uid not in self.cluster.groups.rows:
                continue
            share = shares.get(job.uid)
            before = self.cluster.groups.rows[job.uid].phase
            if before != "Inqueue" and job.phase == "Inqueue":
                self._effects["entered"] += 1
            self.cluster.write_group(job, None if share is None else share.share, instant)

    def _note(self, task: Task, status: str, node: str) -> None:
        self.tasks.put(task.uid, TaskRow(task.uid, task.job, node, status))

    def _forget(self, task: Task) -> None:
        if task.uid in self.tasks.rows:
            self.tasks.drop(task.uid)

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows of this scheduler."""
        tables = (self.cluster.groups, self.cluster.queues, self.tasks)
        fabric = (self.cluster.hyper_nodes.rows, self.cluster.hyper_nodes.whereabouts)
        there = (*tables, *(table for table in fabric if table.rows))
        return {table.name: table.told_rows() for table in there}

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the scheduler remembers; only between sessions."""
        assert not self.in_session
        return super().dump()

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._running = self.session = None
        super().load(data)
        self.tasks.load({})


def _is_refusal(step: Step) -> bool:
    """Return whether a job stays outside its queue: that changes no pod group."""
    return isinstance(step, Enqueue) and not step.entered
