"""Bundles: the pods of a job that gangs evict together, and which of them go first.

Safe are pods without which their job keeps its minimum; the rest goes as a whole or stays.

Source: volcano v1.16 pkg/scheduler/actions/utils/bundle.go.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import chain

from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.resource import Resource, total
from scheduler_core.volcano.model.tasks import Task


@dataclass
class Bundle:
    """Pods of a job that go together; `whole` if its minimum goes with them."""

    job: Job
    tasks: list[Task]
    whole: bool

    def gain_per_loss(self, need: Resource) -> float:
        """Return how much of a need it frees, by how much of the need its job holds in all; safe: no loss."""
        lost = _against(self.job.tasks.values(), need, math.inf) if self.whole else 0.0
        return _against(self.tasks, need, 1.0) / lost if lost else math.inf

    def without(self, kept: Set[str]) -> Bundle | None:
        """Return what is left without the pods (uids) that have to stay; a whole one is broken by any."""
        left = [task for task in self.tasks if task.uid not in kept]
        if not left or (self.whole and len(left) < len(self.tasks)):
            return None
        return Bundle(self.job, left, self.whole)


def _against(tasks: Iterable[Task], need: Resource, most: float) -> float:
    held = total(task.request for task in tasks)
    return sum(min(held.get(name) / need.get(name), most) for name in need.names())


class _Surplus:
    """What a job can spare: tasks above its minimum and its roles', parts above what its policies need."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.tasks = job.ready - job.min_available
        self.roles = job.role_surplus()
        self.broken = {part.uid for part in job.sub_jobs.values() if not part.is_ready}
        ready = (part.group for part in job.sub_jobs.values() if part.is_ready)
        self.parts = Counter(ready)
        self.parts.subtract(job.sub_groups.needed)

    def spare(self, task: Task) -> bool:
        """Give a task up, if the job keeps its minimum without it."""
        part, has_role = self.job.sub_job_of(task), task.role in self.roles
        breaks = self.job.has_sub_groups and part.uid not in self.broken
        if self.tasks <= 0 or (has_role and self.roles[task.role] <= 0):
            return False
        if breaks and self.parts[part.group] <= 0:
            return False
        self.tasks -= 1
        if has_role:
            self.roles[task.role] -= 1
        if breaks:
            self.broken.add(part.uid)
            self.parts[part.group] -= 1
        return True


def bundles_of(job: Job, tasks: Iterable[Task]) -> Iterator[Bundle]:
    """Yield the bundles of some of a job's pods; one that lacks its minimum already has nothing to lose."""
    ordered = sorted(tasks, key=lambda task: (task.priority, task.uid))
    surplus = _Surplus(job)
    if surplus.tasks < 0:
        yield Bundle(job, ordered, whole=False)
        return
    safe = [task for task in ordered if surplus.spare(task)]
    spared = {task.uid for task in safe}
    rest = [task for task in ordered if task.uid not in spared]
    if safe:
        yield Bundle(job, safe, whole=False)
    if rest:
        yield Bundle(job, rest, whole=True)


def in_order(bundles: Sequence[Bundle], need: Resource, compare: Callable[[Job, Job], int]) -> list[Bundle]:
    """Return bundles in the order in which they go: safe ones, then by job, gain per loss and name."""

    def key(bundle: Bundle) -> tuple[float, str, str, int]:
        return -bundle.gain_per_loss(need), bundle.job.uid, bundle.tasks[0].uid, len(bundle.tasks)

    keys = {id(bundle): key(bundle) for bundle in bundles}

    def order(left: Bundle, right: Bundle) -> int:
        if left.whole != right.whole:
            return int(left.whole) - int(right.whole)
        said = compare(left.job, right.job) if left.job is not right.job else 0
        mine, theirs = keys[id(left)], keys[id(right)]
        return said or (mine > theirs) - (mine < theirs)

    return sorted(bundles, key=cmp_to_key(order))


def tasks_of(bundles: Iterable[Bundle]) -> list[Task]:
    """Return the pods of bundles."""
    return list(chain.from_iterable(bundle.tasks for bundle in bundles))
