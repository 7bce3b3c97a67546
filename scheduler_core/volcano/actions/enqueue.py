"""enqueue: lets pod groups into their queues, one of each queue in turn.

Source: volcano v1.16 pkg/scheduler/actions/enqueue/enqueue.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Enqueue, Step
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue


def run(session: Session) -> Iterator[Step]:
    """Let every pending job ask once; one that says no minResources is not asked about."""
    queues: PriorityQueue[Queue] = PriorityQueue(session.queue_before)
    waiting: dict[str, PriorityQueue[Job]] = {}
    seen: set[str] = set()
    for job in session.jobs.values():
        if job.queue not in seen:
            seen.add(job.queue)
            queues.push(session.queues[job.queue])
        if job.is_pending:
            waiting.setdefault(job.queue, PriorityQueue(session.job_before)).push(job)
    while queues:
        queue = queues.pop()
        jobs = waiting.get(queue.name)
        if not jobs:
            continue
        job = jobs.pop()
        entered = job.group.spec.min_resources is None or session.job_enqueueable(job)
        if entered:
            session.job_enqueued(job)
            job.phase = "Inqueue"
        yield Enqueue(job, entered)
        queues.push(queue)
