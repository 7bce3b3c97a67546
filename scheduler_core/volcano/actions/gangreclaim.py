"""gangreclaim: takes room back from other queues for whole gangs.

Source: volcano v1.16 pkg/scheduler/actions/gangreclaim/gangreclaim.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.volcano.actions.gang_eviction import GangEviction, starving_jobs
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Dropped, Step


def run(session: Session) -> Iterator[Step]:
    """Let the starving jobs of each queue that isn't overused reclaim."""
    eviction = GangEviction(session, "gangreclaim")
    queues, starving = starving_jobs(session)
    while queues:
        queue = queues.pop()
        if session.overused(queue):
            yield Dropped(queue)
            continue
        while jobs := starving.get(queue.name):
            yield from eviction.job(jobs.pop(), queue)
