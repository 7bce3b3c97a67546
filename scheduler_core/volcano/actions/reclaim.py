"""reclaim: queues below their share take from those above theirs.

Source: volcano v1.16 pkg/scheduler/actions/reclaim/reclaim.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.framework.selection import Search, refused_for_good, without_unresolvable
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import Statement
from scheduler_core.volcano.framework.steps import Dropped, Settled, Step, Try
from scheduler_core.volcano.framework.victims import Votes, ask, make_room
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import Task, TaskStatus


def run(session: Session) -> Iterator[Step]:
    """Let the starving jobs of each queue that isn't overused reclaim."""
    reclaim = _Reclaim(session)
    queues: PriorityQueue[Queue] = PriorityQueue(session.queue_before)
    seen: set[str] = set()
    starving: dict[str, PriorityQueue[Job]] = {}
    for job in session.jobs.values():
        if job.is_pending or session.job_valid(job) is not None:
            continue
        if job.queue not in seen:
            seen.add(job.queue)
            queues.push(session.queues[job.queue])
        if session.job_starving(job):
            starving.setdefault(job.queue, PriorityQueue(session.job_before)).push(job)
            reclaim.note(job)
    while queues:
        queue = queues.pop()
        if session.overused(queue):
            yield Dropped(queue)
            continue
        jobs = starving.get(queue.name)
        while jobs:
            yield from reclaim.job(jobs.pop(), queue)
            if jobs:
                queues.push(queue)


class _Reclaim:
    def __init__(self, session: Session) -> None:
        self.session = session
        self._tasks: dict[Job, Waiting] = {}
        arguments = session.configuration.arguments_of("reclaim")
        self._remembering = arguments.boolean("predicateErrorCacheEnable", True)

    def note(self, job: Job) -> None:
        """Note the tasks for which a job may reclaim."""
        tasks = (task for task in job.of(TaskStatus.PENDING) if not task.gated)
        self._tasks[job] = self.session.tasks_in_order(tasks)

    def job(self, job: Job, queue: Queue) -> Iterator[Step]:
        """Reclaim for a job as long as it starves; evict only if it is pipelined then."""
        session, statement, tasks = self.session, Statement(self.session), self._tasks[job]
        while session.job_starving(job) and tasks:
            yield self._task(job, queue, tasks.pop(), statement)
        touched = [operation.task for operation in statement.operations]
        kept = session.job_pipelined(job)
        if kept:
            statement.commit()
        else:
            statement.discard()
        if touched:
            yield Settled(job, "committed" if kept else "discarded", touched)

    def _task(self, job: Job, queue: Queue, task: Task, statement: Statement) -> Try:
        session = self.session
        if task.never_preempts:
            return Try(task, "skipped", why="preemptionPolicy is Never")
        if not session.preemptive(queue, [task]):
            return Try(task, "skipped", why="queue")
        if (error := session.pre_predicate(task)) is not None:
            return Try(task, "refused", why=error)
        search = Search(session, remembering=self._remembering)
        nodes, errors = search.fitting(
            task,
            without_unresolvable(session, task),
            lambda of, rows: refused_for_good(session, of, rows),
        )
        for node in nodes.tolist():
            found = self._on(node, job, task, statement)
            if found is not None:
                victims, asked = found
                name = session.nodes.names[node]
                return Try(task, "pipelined", name, victims=victims, asked=asked, errors=errors)
        return Try(task, "refused", why="victims", errors=errors)

    def _on(self, node: int, job: Job, task: Task, statement: Statement) -> tuple[list[Task], Votes] | None:
        """Evict on a node until the task fits; None if it does not, and nothing has happened."""
        session = self.session
        candidates = [
            one for one, status in session.nodes.tasks[node].values() if self._may_go(one, status, job)
        ]
        if not candidates:
            return None
        asked = ask(session, "reclaimable", task, candidates)
        if not make_room(session, task, node, asked.victims):
            return None
        waiting = session.victims_in_order(asked.victims, task)
        here, gone = Statement(session), list[Task]()
        # Room is counted from before the evictions, which the node counts as releasing by themselves.
        room = _room(session, node)
        while waiting and not task.request.fits_in(room):
            victim = waiting.pop()
            here.evict(victim, "reclaim")
            gone.append(victim)
            room.add(victim.request)
        if not task.request.fits_in(room) or not here.pipeline(task, node, evicting=bool(gone)):
            here.discard()
            return None
        statement.take_from(here)
        return gone, asked

    def _may_go(self, task: Task, status: TaskStatus, job: Job) -> bool:
        if status is not TaskStatus.RUNNING or not task.preemptable:
            return False
        of = self.session.jobs.get(task.job)
        return of is not None and of.queue != job.queue and self.session.queues[of.queue].reclaimable


def _room(session: Session, node: int) -> Resource:
    nodes = session.nodes
    return nodes.as_resource(nodes.future_idle(nodes.all[node : node + 1])[0])
