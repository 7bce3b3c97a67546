"""backfill: gives nodes to best-effort tasks; queues' limits are not asked.

Source: volcano v1.16 pkg/scheduler/actions/backfill/backfill.go, framework/session.go Allocate.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.actions.allocate import all_refuse
from scheduler_core.volcano.equivalence.equivalence_cache import Question
from scheduler_core.volcano.framework.selection import Search, best_node
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import displace, place
from scheduler_core.volcano.framework.steps import Settled, Step, Try
from scheduler_core.volcano.model.fit_errors import FitErrors, Refusal
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import Task, TaskStatus


def run(session: Session) -> Iterator[Step]:
    """Place every best-effort task by queue, job and task order."""
    remembering = session.configuration.arguments_of("backfill").boolean("predicateErrorCacheEnable", True)
    predicate = Question("predicates", session.predicate, session.predicate_of)
    for task in _tasks(session):
        job = session.jobs[task.job]
        if (error := session.pre_predicate(task)) is not None:
            job.fit_errors[task.uid] = all_refuse(session, error, session.nodes.all)
            yield Try(task, "refused", why="error", errors=job.fit_errors[task.uid])
            continue
        search = Search(session, remembering=remembering)
        fitting, errors = search.fitting(task, session.nodes.all, predicate)
        node, choice = best_node(session, task, fitting)
        if node is None:
            job.fit_errors[task.uid] = errors
            yield Try(task, "refused", why="nodes", errors=errors)
            continue
        if not place(session, task, node, TaskStatus.ALLOCATED):
            yield Try(task, "skipped", why="reserve", errors=errors)
            continue
        yield Try(task, "allocated", session.nodes.names[node], errors=errors, choice=choice)
        if session.job_ready(job):
            bound, why = _bind(session, job)
            if why is not None:
                # The pod keeps its place in the session all the same.
                refusal = (Refusal("Error", why),)
                job.fit_errors[task.uid] = FitErrors({session.nodes.names[node]: refusal})
            if bound:
                yield Settled(job, "committed", bound)


def _bind(session: Session, job: Job) -> tuple[list[Task], str | None]:
    """Bind a job's tasks up to the first that is not to be bound; return those, and the reason."""
    bound: list[Task] = []
    for task in job.of(TaskStatus.ALLOCATED):
        if (error := session.bind(task)) is not None:
            return bound, error
        bound.append(task)
    return bound, None


def _tasks(session: Session) -> list[Task]:
    """Return the best-effort tasks in their order. Who was only promised a node gives it back."""
    queues: PriorityQueue[Queue] = PriorityQueue(session.queue_before)
    jobs: dict[str, PriorityQueue[Job]] = {}
    tasks: dict[str, Waiting] = {}
    for job in session.jobs.values():
        if job.is_pending or session.job_valid(job) is not None:
            continue
        waiting = [task for task in job.of(TaskStatus.PENDING) if task.best_effort and not task.gated]
        promised = [task for task in job.of(TaskStatus.PIPELINED) if task.best_effort]
        for task in promised:
            displace(session, task)
        if not waiting and not promised:
            continue
        tasks[job.uid] = session.tasks_in_order(waiting + promised)
        if job.queue not in jobs:
            queues.push(session.queues[job.queue])
            jobs[job.queue] = PriorityQueue(session.job_before)
        jobs[job.queue].push(job)
    ordered: list[Task] = []
    while queues:
        of_queue = jobs[queues.pop().name]
        while of_queue:
            of_job = tasks[of_queue.pop().uid]
            while of_job:
                ordered.append(of_job.pop())
    return ordered
