"""Worksheets: the parts of a job that are to be tried, in their order, each with its tasks in theirs.

Source: volcano v1.16 pkg/scheduler/actions/allocate/allocate.go organizeJobWorksheet,
actions/utils/simulate.go organizeEvictionWorksheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cmp_to_key

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.framework.parts import part_before, part_ready
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task, TaskStatus


class Worksheet:
    """`parts` are the sub jobs that have tasks left, `tasks` those of each by the part's uid."""

    def __init__(self, parts: PriorityQueue[SubJob], tasks: dict[str, Waiting]) -> None:
        self.parts = parts
        self.tasks = tasks

    def copy(self) -> Worksheet:
        """Return one that can be worked off while this one stays."""
        return Worksheet(self.parts.copy(), {uid: tasks.copy() for uid, tasks in self.tasks.items()})

    def in_order(self, part: str) -> list[Task]:
        """Return a part's tasks in the order in which they are tried, none where it has no tasks left."""
        waiting = self.tasks[part].copy() if part in self.tasks else ()
        return [waiting.pop() for _ in range(len(waiting))] if waiting else []

    def take_from(self, other: Worksheet) -> None:
        """Go on with what another one has left."""
        self.parts, self.tasks = other.parts, other.tasks


def worksheet_of(session: Session, job: Job, takes_part: Callable[[Task], bool]) -> Worksheet:
    """Return a job's worksheet of those pending tasks that take part.

    Parts that its policies still need come first, then what plugins put first.
    """
    needed = _needed(session, job)

    def before(left: SubJob, right: SubJob) -> bool:
        if (left.uid in needed) != (right.uid in needed):
            return left.uid in needed
        return part_before(session, left, right)

    sheet = Worksheet(PriorityQueue(before), {})
    for part in job.sub_jobs.values():
        tasks = session.tasks_in_order(filter(takes_part, part.of(TaskStatus.PENDING)))
        if tasks:
            sheet.parts.push(part)
            sheet.tasks[part.uid] = tasks
    return sheet


def _needed(session: Session, job: Job) -> set[str]:
    """Return the parts without which a policy has too few: those that come first of the ones not ready."""
    there: Counter[str] = Counter()
    missing = []
    for part in job.sub_jobs.values():
        if part_ready(session, job, part):
            there[part.group] += 1
        else:
            missing.append(part)
    missing.sort(key=cmp_to_key(lambda left, right: -1 if part_before(session, left, right) else 1))
    needed = set()
    for part in missing:
        if there[part.group] < job.sub_groups.needed.get(part.group, 0):
            there[part.group] += 1
            needed.add(part.uid)
    return needed
