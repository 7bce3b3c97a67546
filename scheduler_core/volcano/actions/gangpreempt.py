"""gangpreempt: makes room for whole gangs among the lower jobs of their queue.

Source: volcano v1.16 pkg/scheduler/actions/gangpreempt/gangpreempt.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.volcano.actions.gang_eviction import GangEviction, starving_jobs
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Step


def run(session: Session) -> Iterator[Step]:
    """Let the starving jobs of each queue preempt."""
    eviction = GangEviction(session, "gangpreempt")
    queues, starving = starving_jobs(session)
    while queues:
        queue = queues.pop()
        while jobs := starving.get(queue.name):
            yield from eviction.job(jobs.pop(), queue)
