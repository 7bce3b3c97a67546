"""allocate: gives nodes to jobs, one job of a queue at a time, all of its minimum or nothing.

Source: volcano v1.16 pkg/scheduler/actions/allocate/allocate.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.equivalence.equivalence_cache import Question
from scheduler_core.volcano.framework.selection import Search, best_node
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import Statement
from scheduler_core.volcano.framework.steps import Dropped, Settled, Step, Try
from scheduler_core.volcano.model.fit_errors import FitErrors, Refusal, Refusals
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import Task, TaskStatus


def run(session: Session) -> Iterator[Step]:
    """Go round the queues until no job has a task left that can be tried."""
    allocate = _Allocate(session)
    queues: PriorityQueue[Queue] = PriorityQueue(session.queue_before)
    jobs: dict[str, PriorityQueue[Job]] = {}
    for job in allocate.worksheets:
        if job.queue not in jobs:
            jobs[job.queue] = PriorityQueue(session.job_before)
            queues.push(session.queues[job.queue])
        jobs[job.queue].push(job)
    while queues:
        queue = queues.pop()
        if session.overused(queue):
            yield Dropped(queue)
            continue
        if not jobs[queue.name]:
            continue
        job = jobs[queue.name].pop()
        tasks = allocate.worksheets[job]
        yield from allocate.job(job, queue, tasks)
        if allocate.committed and tasks:
            jobs[queue.name].push(job)
        queues.push(queue)


class _Allocate:
    """`committed` says whether the last job's statement was."""

    def __init__(self, session: Session) -> None:
        self.session = session
        arguments = session.configuration.arguments_of("allocate")
        self._remembering = arguments.boolean("predicateErrorCacheEnable", True)
        self._predicate = Question("room and predicates", self._refusals, self._test)
        self.committed = False
        self.worksheets = {job: tasks for job in session.jobs.values() if (tasks := self._worksheet(job))}

    def _worksheet(self, job: Job) -> Waiting | None:
        """Return a job's tasks that ask for something, None if it does not take part."""
        session = self.session
        if job.is_pending:
            if "enqueue" in session.configuration.actions:
                return None
            job.phase = "Inqueue"
        if session.job_valid(job) is not None:
            return None
        tasks = (
            task
            for task in job.of(TaskStatus.PENDING)
            if not task.best_effort and (not task.gated or task.only_queue_gated)
        )
        return session.tasks_in_order(tasks)

    def job(self, job: Job, queue: Queue, tasks: Waiting) -> Iterator[Step]:
        """Try a job's tasks until it is ready; bind it then, keep it if it may wait, else take all back."""
        session, statement = self.session, Statement(self.session)
        self.committed = False
        if not len(session.nodes):
            return
        search = Search(session, remembering=self._remembering)
        while tasks:
            task = tasks.pop()
            tried = self._task(job, queue, task, statement, search)
            if tried is None:
                continue
            yield tried
            if tried.outcome == "refused" and not job.goes_on:
                break
            if tried.node and session.job_ready(job):
                break
        touched = [operation.task for operation in statement.operations]
        self.committed = session.job_ready(job)
        if self.committed:
            statement.commit()
        elif not session.job_pipelined(job):
            statement.discard()
            yield Settled(job, "discarded", touched)
            return
        if touched:
            yield Settled(job, "committed" if self.committed else "kept", touched)

    def _task(self, job: Job, queue: Queue, task: Task, statement: Statement, search: Search) -> Try | None:
        """Try a task. None where Volcano passes it over without a word (it has a gate)."""
        session = self.session
        if not session.allocatable(queue, task):
            return Try(task, "skipped", why="queue")
        if task.gated:
            return None
        if task.role and task.role in job.failed_roles:
            before = f"Task {task.name} with role spec {task.role} has already predicated failed, skip"
            job.fit_errors[task.uid] = FitErrors(text_before=before)
            return Try(task, "skipped", why="role", errors=job.fit_errors[task.uid])
        if (error := session.pre_predicate(task)) is not None:
            job.fit_errors[task.uid] = all_refuse(session, error)
            return Try(task, "refused", why="error", errors=job.fit_errors[task.uid])
        fitting, errors = self._fitting(task, search)
        if not len(fitting):
            job.fit_errors[task.uid] = errors
            return Try(task, "refused", why="nodes", errors=errors)
        return self._place(task, fitting, statement, errors)

    def _fitting(self, task: Task, search: Search) -> tuple[Rows, FitErrors]:
        """Look at the nominated node first."""
        nodes = self.session.nodes
        row = nodes.row.get(task.nominated)
        if row is not None:
            alone = nodes.all[row : row + 1]
            if nodes.fits(task.request, alone, future=True)[0]:
                fitting, errors = search.fitting(task, alone, self._predicate)
                if len(fitting):
                    return fitting, errors
        return search.fitting(task, nodes.all, self._predicate)

    def _refusals(self, task: Task, nodes: Rows) -> dict[int, Refusals]:
        roomy = self.session.nodes.fits(task.request, nodes, future=True)
        lacking = self.session.nodes.lacking(task.request, nodes[~roomy])
        left = nodes[roomy]
        return lacking | (self.session.predicate(task, left) if len(left) else {})

    def _test(self, task: Task) -> Callable[[int], bool]:
        """Return how one node is asked the same, without reasons."""
        has_room, fits = self.session.nodes.room_test(task.request), self.session.predicate_of(task)
        return lambda node: has_room(node) and fits(node)

    def _place(self, task: Task, fitting: Rows, statement: Statement, errors: FitErrors) -> Try:
        """Take the best node with idle room, or else the best of those that will have it."""
        for nodes, now in self._by_idle_room(task, fitting):
            node = best_node(self.session, task, nodes) if len(nodes) else None
            if node is None:
                continue
            name = self.session.nodes.names[node]
            if now:
                if statement.allocate(task, node):
                    return Try(task, "allocated", name, errors=errors)
            elif statement.pipeline(task, node, evicting=False):
                return Try(task, "pipelined", name, errors=errors)
            return Try(task, "skipped", why="reserve", errors=errors)
        return Try(task, "skipped", why="scores", errors=errors)

    def _by_idle_room(self, task: Task, fitting: Rows) -> list[tuple[Rows, bool]]:
        """Return the nodes with idle room, then those that will have it."""
        if self.session.nodes.settled:
            return [(fitting, True)]
        idle = self.session.kept.idle(task, fitting)
        return [(fitting[idle], True), (fitting[~idle], False)]


def all_refuse(session: Session, error: str) -> FitErrors:
    """Return the same error for every node."""
    why = (Refusal("Error", error),)
    return FitErrors(dict.fromkeys(session.nodes.names, why))
