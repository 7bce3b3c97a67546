"""allocate: gives nodes to jobs, one job of a queue at a time, all of its minimum or nothing.

Source: volcano v1.16 pkg/scheduler/actions/allocate/allocate.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.actions.hyper_node_search import HyperNodeSearch
from scheduler_core.volcano.actions.worksheets import Worksheet, worksheet_of
from scheduler_core.volcano.equivalence.equivalence_cache import Question
from scheduler_core.volcano.framework.parts import part_ready
from scheduler_core.volcano.framework.selection import Search, best_node
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import Statement
from scheduler_core.volcano.framework.steps import Dropped, Settled, Step, Try
from scheduler_core.volcano.model.fit_errors import FitErrors, Refusal, Refusals
from scheduler_core.volcano.model.hyper_nodes import HyperNode
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task


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
        yield from allocate.job(job, queue)
        if allocate.committed and allocate.has_more(job):
            jobs[queue.name].push(job)
        queues.push(queue)


class _Allocate:
    """`committed` says whether the last job's statement was."""

    def __init__(self, session: Session) -> None:
        self.session = session
        arguments = session.configuration.arguments_of("allocate")
        self._remembering = arguments.boolean("predicateErrorCacheEnable", True)
        self._predicate = Question("room and predicates", self._refusals, self._test)
        self._search = HyperNodeSearch(session, self.tasks, self._refusals)
        self.committed = False
        self.worksheets = {
            job: sheet for job in session.jobs.values() if (sheet := self._worksheet(job)) is not None
        }

    def _worksheet(self, job: Job) -> Worksheet | None:
        """Return a job's tasks that ask for something, None if it does not take part."""
        session = self.session
        if job.is_pending:
            if "enqueue" in session.configuration.actions:
                return None
            job.phase = "Inqueue"
        if session.job_valid(job) is not None or (job.has_topology and not session.hyper_nodes.ready):
            return None
        sheet = worksheet_of(session, job, _takes_part)
        return sheet if sheet.parts else None

    def has_more(self, job: Job) -> bool:
        """Return whether a job has tasks left to try."""
        sheet = self.worksheets[job]
        return bool(sheet.parts if _by_hyper_nodes(job) else sheet.tasks[job.uid])

    def job(self, job: Job, queue: Queue) -> Iterator[Step]:
        """Try a job's tasks until it is ready; bind it then, keep it if it may wait, else take all back."""
        self.committed = False
        if not len(self.session.nodes):
            return
        statement = Statement(self.session)
        if _by_hyper_nodes(job):
            yield from self._search.job(job, queue, self.worksheets[job], statement)
        else:
            yield from self._plainly(job, queue, statement)
        yield from self._settle(job, statement)

    def _settle(self, job: Job, statement: Statement) -> Iterator[Step]:
        touched = [operation.task for operation in statement.operations]
        self.committed = bool(touched or not _by_hyper_nodes(job)) and self.session.job_ready(job)
        if self.committed:
            statement.commit()
            self._search.redeem(job)
        elif not _by_hyper_nodes(job) and not self.session.job_pipelined(job):
            statement.discard()
            yield Settled(job, "discarded", touched)
            return
        if touched:
            yield Settled(job, "committed" if self.committed else "kept", touched)

    def _plainly(self, job: Job, queue: Queue, statement: Statement) -> Iterator[Step]:
        part, tasks = job.sub_jobs[job.uid], self.worksheets[job].tasks[job.uid]
        if part.nominated:
            found = self._search.nominated(job, queue, part, tasks, statement)
            if found is not None:
                yield from found
                return
        yield from self.tasks(job, queue, part, tasks, statement, self.session.hyper_nodes.top)

    def tasks(
        self, job: Job, queue: Queue, part: SubJob, tasks: Waiting, statement: Statement, where: HyperNode
    ) -> Iterator[Try]:
        """Try tasks of a part on the nodes of a hyper node until the part is ready."""
        session = self.session
        place = _Place(job, queue, part, statement, where, Search(session, remembering=self._remembering))
        while tasks:
            tried = self._task(place, tasks.pop())
            if tried is None:
                continue
            yield tried
            if tried.outcome == "refused" and not job.goes_on(part):
                break
            if tried.node:
                if part.topology is not None:
                    place.near = self._nearer(place, tried.node)
                if part_ready(session, job, part):
                    break

    def _nearer(self, place: _Place, node: str) -> str:
        """Return the hyper node around what a part has so far, and a node."""
        tree = self.session.hyper_nodes
        lowest = tree.lowest[self.session.nodes.row[node]]
        return tree.common(lowest, place.near) if lowest else place.near

    def _task(self, place: _Place, task: Task) -> Try | None:
        """Try a task. None where Volcano passes it over without a word (it has a gate)."""
        session, job, part = self.session, place.job, place.part
        if not session.allocatable(place.queue, task):
            return Try(task, "skipped", why="queue")
        if task.gated:
            return None
        if task.role and task.role in job.failed_roles(part):
            before = f"Task {task.name} with role spec {task.role} has already predicated failed, skip"
            job.fit_errors[task.uid] = FitErrors(text_before=before)
            return Try(task, "skipped", why="role", errors=job.fit_errors[task.uid])
        if (error := session.pre_predicate(task)) is not None:
            job.fit_errors[task.uid] = all_refuse(session, error, place.where.rows)
            errors = job.fit_errors[task.uid]
            return Try(task, "refused", why="error", errors=errors, looked_at=len(place.where.rows))
        fitting, errors = self._fitting(task, place)
        if not len(fitting):
            if place.where is not session.hyper_nodes.top:
                errors.hyper_node = place.where.name
            job.fit_errors[task.uid] = errors
            return Try(task, "refused", why="nodes", errors=errors, looked_at=len(place.where.rows))
        if part.topology is not None:
            task.near = place.near
        tried = self._place(task, fitting, place.statement, errors)
        tried.looked_at = len(place.where.rows)
        return tried

    def _fitting(self, task: Task, place: _Place) -> tuple[Rows, FitErrors]:
        """Look at the nominated node first."""
        nodes, search = self.session.nodes, place.search
        row = nodes.row.get(task.nominated)
        if row is not None and place.where.holds(row):
            alone = nodes.all[row : row + 1]
            if nodes.fits(task.request, alone, future=True)[0]:
                fitting, errors = search.fitting(task, alone, self._predicate)
                if len(fitting):
                    return fitting, errors
        return search.fitting(task, place.where.rows, self._predicate)

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
            node, choice = best_node(self.session, task, nodes)
            if node is None:
                continue
            name = self.session.nodes.names[node]
            if now:
                if statement.allocate(task, node):
                    return Try(task, "allocated", name, errors=errors, choice=choice)
            elif statement.pipeline(task, node, evicting=False):
                return Try(task, "pipelined", name, errors=errors, choice=choice)
            return Try(task, "skipped", why="reserve", errors=errors)
        return Try(task, "skipped", why="scores", errors=errors)

    def _by_idle_room(self, task: Task, fitting: Rows) -> list[tuple[Rows, bool]]:
        """Return the nodes with idle room, then those that will have it."""
        if self.session.nodes.settled:
            return [(fitting, True)]
        idle = self.session.kept.idle(task, fitting)
        return [(fitting[idle], True), (fitting[~idle], False)]


@dataclass
class _Place:
    """Where tasks of a part are tried, and `near`, the hyper node around those that have a node."""

    job: Job
    queue: Queue
    part: SubJob
    statement: Statement
    where: HyperNode
    search: Search
    near: str = field(init=False)

    def __post_init__(self) -> None:
        self.near = self.part.hyper_node


def _takes_part(task: Task) -> bool:
    return not task.best_effort and (not task.gated or task.only_queue_gated)


def _by_hyper_nodes(job: Job) -> bool:
    """Return whether a job is tried hyper node by hyper node."""
    return job.has_sub_groups or job.has_hard_topology


def all_refuse(session: Session, error: str, nodes: Rows) -> FitErrors:
    """Return the same error for nodes."""
    why = (Refusal("Error", error),)
    return FitErrors(dict.fromkeys((session.nodes.names[row] for row in nodes.tolist()), why))
