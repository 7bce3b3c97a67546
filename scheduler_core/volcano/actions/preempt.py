"""preempt: takes room from other jobs of the queue, then within the job.

Source: volcano v1.16 pkg/scheduler/actions/preempt/preempt.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.actions.topology_aware import Dry, best_candidate, dry_run
from scheduler_core.volcano.framework.selection import (
    Search,
    by_score,
    refused_for_good,
    without_unresolvable,
)
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import Statement
from scheduler_core.volcano.framework.steps import Settled, Step, Try
from scheduler_core.volcano.framework.victims import Votes, ask, make_room
from scheduler_core.volcano.model.fit_errors import unresolvable
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import EVICTABLE, Task, TaskStatus

Jobs = Set[str]


def run(session: Session) -> Iterator[Step]:
    """Let the starving jobs of each queue preempt, first other jobs, then their own tasks."""
    preempt = _Preempt(session)
    starving: dict[str, list[Job]] = {}
    for job in session.jobs.values():
        if job.is_pending or job.has_topology or session.job_valid(job) is not None:
            continue
        if session.job_starving(job):
            starving.setdefault(job.queue, []).append(job)
    tasks = {job: preempt.waiting(job) for jobs in starving.values() for job in jobs}
    queues = PriorityQueue(session.queue_before, (session.queues[name] for name in starving))
    ordered = {name: PriorityQueue(session.job_before, jobs) for name, jobs in starving.items()}
    while queues:
        queue = queues.pop()
        while ordered[queue.name]:
            job = ordered[queue.name].pop()
            yield from preempt.between_jobs(job, queue, tasks[job])
        for job in starving[queue.name]:
            yield from preempt.within_job(job, queue)


class _Preempt:
    def __init__(self, session: Session) -> None:
        self.session = session
        self._arguments = session.configuration.arguments_of("preempt")
        remembering = self._arguments.boolean("predicateErrorCacheEnable", True)
        self._search = Search(session, remembering=remembering)

    def waiting(self, job: Job) -> Waiting:
        """Return a job's pending tasks in their order."""
        tasks = (task for task in job.of(TaskStatus.PENDING) if not task.gated)
        return self.session.tasks_in_order(tasks)

    def between_jobs(self, job: Job, queue: Queue, tasks: Waiting) -> Iterator[Step]:
        """Preempt for a job as long as it starves; evict only if it is pipelined then."""
        session, statement = self.session, Statement(self.session)
        others = {uid for uid, one in session.jobs.items() if one.queue == job.queue} - {job.uid}
        while session.job_starving(job) and tasks:
            yield self._preempt(statement, tasks.pop(), queue, others)
        touched = [operation.task for operation in statement.operations]
        kept = session.job_pipelined(job)
        if kept:
            statement.commit()
        else:
            statement.discard()
        if touched:
            yield Settled(job, "committed" if kept else "discarded", touched)

    def within_job(self, job: Job, queue: Queue) -> Iterator[Step]:
        """Preempt tasks of the job itself, one by one, until one finds nothing."""
        tasks = self.waiting(job)
        while tasks:
            preemptor, statement = tasks.pop(), Statement(self.session)
            tried = self._preempt(statement, preemptor, queue, {preemptor.job})
            yield tried
            touched = [operation.task for operation in statement.operations]
            if tried.outcome != "pipelined":
                statement.discard()
                return
            statement.commit()
            yield Settled(job, "committed", touched)

    def _preempt(self, statement: Statement, preemptor: Task, queue: Queue, jobs: Jobs) -> Try:
        """Let a task take room from tasks of some jobs, by uid."""
        session = self.session
        if (reason := self._not_eligible(preemptor)) is not None:
            return Try(preemptor, "skipped", why=reason)
        if (error := session.pre_predicate(preemptor)) is not None:
            return Try(preemptor, "refused", why=error)
        nodes, errors = self._search.fitting(
            preemptor,
            without_unresolvable(session, preemptor),
            lambda task, rows: refused_for_good(session, task, rows),
        )
        if self._arguments.boolean("enableTopologyAwarePreemption", False):
            found = self._topology_aware(statement, preemptor, queue, nodes, jobs)
        else:
            found = self._normal(statement, preemptor, queue, nodes, jobs)
        if found is None:
            return Try(preemptor, "refused", why="victims", errors=errors)
        node, victims, asked = found
        name = session.nodes.names[node]
        return Try(preemptor, "pipelined", name, victims=victims, asked=asked, errors=errors)

    def _normal(
        self, statement: Statement, preemptor: Task, queue: Queue, nodes: Rows, jobs: Jobs
    ) -> tuple[int, list[Task], Votes | None] | None:
        """Take the first node, best score first, on which evictions one by one make it fit."""
        session = self.session
        for node in by_score(session, preemptor, nodes):
            candidates = candidates_on(session, node, preemptor, jobs)
            if not candidates and not make_room(session, preemptor, node, ()):
                continue
            asked = ask(session, "preemptable", preemptor, candidates)
            if not make_room(session, preemptor, node, asked.victims):
                continue
            here, gone = Statement(session), list[Task]()
            waiting = session.victims_in_order(asked.victims, preemptor)
            fits = self._fits(queue, preemptor, node)
            while waiting and not fits:
                victim = waiting.pop()
                here.evict(victim, "preempt")
                gone.append(victim)
                fits = self._fits(queue, preemptor, node)
            # Who asked for nothing leaves no room behind.
            evicting = any(not victim.best_effort for victim in gone)
            if fits and here.pipeline(preemptor, node, evicting=evicting):
                statement.take_from(here)
                return node, gone, asked
            here.discard()
        return None

    def _fits(self, queue: Queue, preemptor: Task, node: int) -> bool:
        session = self.session
        row = session.nodes.all[node : node + 1]
        return (
            session.allocatable(queue, preemptor)
            and bool(session.nodes.fits(preemptor.request, row, future=True)[0])
            and not session.predicate(preemptor, row)
        )

    def _topology_aware(
        self, statement: Statement, preemptor: Task, queue: Queue, nodes: Rows, jobs: Jobs
    ) -> tuple[int, list[Task], Votes | None] | None:
        dry = Dry(self.session, preemptor, queue, self._arguments)
        found = dry_run(dry, nodes, lambda node: candidates_on(self.session, node, preemptor, jobs))
        if not found:
            return None
        node, victims = best_candidate(found)
        here = Statement(self.session)
        for victim in victims:
            here.evict(victim, "preempt")
        if not here.pipeline(preemptor, node, evicting=True):
            here.discard()
            return None
        statement.take_from(here)
        return node, victims, None

    def _not_eligible(self, preemptor: Task) -> str | None:
        """Return why a task may not preempt: its policy, or a nominated node that does or will take it."""
        if preemptor.never_preempts:
            return "not eligible to preempt other tasks due to preemptionPolicy is Never"
        if not preemptor.nominated:
            return None
        session = self.session
        node = session.nodes.row.get(preemptor.nominated)
        if node is None:
            return "not eligible due to the pod's nominated node is not found in the session"
        refused = session.predicate(preemptor, session.nodes.all[node : node + 1])
        if not refused:
            return (
                "not eligible due to the pod's nominated node is already schedulable, which should not "
                "happen as preemption means no node is schedulable"
            )
        if unresolvable(refused[node]):
            return None
        priority = preemptor.pod.spec.priority or 0
        for task, _ in session.nodes.tasks[node].values():
            if (task.pod.spec.priority or 0) < priority and _was_preempted(task):
                return "not eligible due to a terminating pod caused by preemption on the nominated node"
        return None


def candidates_on(session: Session, node: int, preemptor: Task, jobs: Jobs) -> list[Task]:
    """Return the tasks of a node that may go, of some jobs."""
    there = session.nodes.tasks[node].values()
    return [task for task, status in there if task.job in jobs and _may_go(preemptor, task, status)]


def _may_go(preemptor: Task, task: Task, status: TaskStatus) -> bool:
    return status in EVICTABLE and task.preemptable and (task.best_effort or not preemptor.best_effort)


def _was_preempted(task: Task) -> bool:
    if not task.pod.metadata.deletion_timestamp:
        return False
    for condition in task.pod.status.conditions or ():
        if condition.type == "DisruptionTarget":
            return condition.status == "True" and condition.reason == "PreemptionByScheduler"
    return False
