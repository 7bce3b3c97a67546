"""shuffle: evicts the running pods that plugins name, so that they are scheduled anew.

Source: volcano v1.16 pkg/scheduler/actions/shuffle/shuffle.go, framework/session_plugins.go VictimTasks,
framework/session.go Evict.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.statement import Statement
from scheduler_core.volcano.framework.steps import Settled, Step
from scheduler_core.volcano.model.tasks import Task, TaskStatus


def run(session: Session) -> Iterator[Step]:
    """Evict what the first tier names that names any, one job after the other."""
    by_job: dict[str, list[Task]] = {}
    for task in _victims(session):
        by_job.setdefault(task.job, []).append(task)
    for uid, tasks in by_job.items():
        statement = Statement(session)
        for task in tasks:
            statement.evict(task, "shuffle")
        statement.commit()
        yield Settled(session.jobs[uid], "committed", tasks)


def _victims(session: Session) -> list[Task]:
    running = [task for job in session.jobs.values() for task in job.of(TaskStatus.RUNNING)]
    for tier in session.tiers("victim_tasks"):
        victims = {task.uid: task for _, ask in tier for task in ask(running)}
        if victims:
            return list(victims.values())
    return []
