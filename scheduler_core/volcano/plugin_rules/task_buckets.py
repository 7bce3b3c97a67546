"""Buckets of a job's pods that should be on one node, made when a session opens.

Source: volcano v1.16 pkg/scheduler/plugins/task-topology/manager.go, bucket.go, util.go, topology.go.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cmp_to_key

from scheduler_core.volcano.framework.functions import compare
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import TASK_SPEC, Task

_KEY = "volcano.sh/task-topology-"
_AFFINITY, _ANTI_AFFINITY, _ORDER = f"{_KEY}affinity", f"{_KEY}anti-affinity", f"{_KEY}task-order"
_SELF_ANTI, _BETWEEN, _SELF, _ANTI_BETWEEN = 4, 3, 2, 1
"""What a kind of rule counts when tasks are ordered."""
_MEBI = 1024 * 1024


@dataclass
class Bucket:
    """`pending` are its pods without a node; `nodes` says how many of it are where."""

    index: int
    pending: dict[str, Task] = field(default_factory=dict)
    names: Counter[str] = field(default_factory=Counter)
    nodes: Counter[str] = field(default_factory=Counter)
    request: Resource = field(default_factory=Resource)
    size: float = 0.0
    """What its pending pods ask for: milli-CPU, MiB and thousandths of the rest in one sum."""
    bound: int = 0

    def add(self, task: Task, name: str) -> None:
        """Take a pod in."""
        self.names[name] += 1
        if task.node:
            self.nodes[task.node] += 1
            self.bound += 1
            return
        self.pending[task.uid] = task
        self.request.add(task.request)
        self.size += _size(task.request)

    def place(self, task: Task) -> None:
        """Hear that a pod was given a node."""
        self.nodes[task.node] += 1
        self.bound += 1
        self.pending.pop(task.uid, None)
        self.request.sub(task.request)
        self.size -= _size(task.request)


class JobBuckets:
    """The buckets of a job; `placed` says how many pods of which task this session has put where."""

    def __init__(self, together: list[list[str]], apart: list[list[str]], order: list[str]) -> None:
        self.largest = 0
        self.placed = _Placed()
        self._buckets: list[Bucket] = []
        self._of: dict[str, Bucket] = {}
        self._together, self._apart = _pairs(together), _pairs(apart)
        self._orders = {name: len(order) - place for place, name in enumerate(order)}
        self._priorities: dict[str, int] = {}
        for groups, alone, several in ((together, _SELF, _BETWEEN), (apart, _SELF_ANTI, _ANTI_BETWEEN)):
            for group in groups:
                for name in group:
                    priority = alone if len(group) == 1 else several
                    self._priorities[name] = max(priority, self._priorities.get(name, 0))

    def of(self, task: Task) -> Bucket | None:
        """Return the bucket of a pod, None if it is in none."""
        return self._of.get(task.uid)

    def order(self, left: Task, right: Task) -> int:
        """Return below 0 if the left comes before the right in a bucket."""
        mine, theirs = task_name(left), task_name(right)
        if mine == theirs:
            return 0
        first = compare(self._orders.get(theirs, 0), self._orders.get(mine, 0))
        return first or compare(self._priorities.get(theirs, 0), self._priorities.get(mine, 0))

    def affinity(self, task: Task, names: Counter[str], *, only_anti: bool) -> int:
        """Return how many of some pods belong to a task's, less those that it keeps apart from."""
        name = task_name(task)
        if not name:
            return 0
        near = 0 if only_anti else sum(names[one] for one in names if (name, one) in self._together)
        return near - sum(names[one] for one in names if (name, one) in self._apart)

    def place(self, task: Task) -> None:
        """Hear that a pod was given a node."""
        if name := task_name(task):
            self.placed[task.node][name] += 1
        bucket = self.of(task)
        if bucket is not None:
            bucket.place(task)

    def fill(self, job: Job) -> None:
        """Put the job's pods into buckets: those that have a node by it, others where they fit best."""
        tasks = [task for task in job.tasks.values() if self._priorities.get(task_name(task))]
        by_node: dict[str, Bucket] = {}
        for task in sorted(tasks, key=cmp_to_key(self._before)):
            bucket = by_node.get(task.node) if task.node else self._best(task)
            if bucket is None:
                bucket = Bucket(len(self._buckets))
                self._buckets.append(bucket)
                if task.node:
                    by_node[task.node] = bucket
            bucket.add(task, task_name(task))
            self._of[task.uid] = bucket
            self.largest = max(self.largest, len(bucket.pending) + bucket.bound)

    def _before(self, left: Task, right: Task) -> int:
        if left.node or right.node:
            if bool(left.node) != bool(right.node):
                return -1 if left.node else 1
            return (left.node > right.node) - (left.node < right.node)
        return self.order(left, right) or (left.name > right.name) - (left.name < right.name)

    def _best(self, task: Task) -> Bucket | None:
        """Return the bucket with the most affinity, of equals the smaller; None if all keep it away."""
        best: Bucket | None = None
        most = -(2**31)
        for bucket in self._buckets:
            affinity = self.affinity(task, bucket.names, only_anti=False)
            if affinity > most or (affinity == most and best is not None and bucket.size < best.size):
                best, most = bucket, affinity
        return best if most >= 0 else None


class _Placed(dict[str, Counter[str]]):
    def __missing__(self, node: str) -> Counter[str]:
        self[node] = Counter()
        return self[node]


def task_name(task: Task) -> str:
    """Return the task that a pod's annotation names."""
    return task.annotation(TASK_SPEC) or ""


def buckets_of(job: Job) -> JobBuckets | None:
    """Return a job's buckets, None where it has no rules, or rules that name tasks wrongly."""
    texts = [annotation(job.group.metadata, key) for key in (_AFFINITY, _ANTI_AFFINITY, _ORDER)]
    if texts == [None, None, None]:
        return None
    together, apart, order = texts
    groups = [_groups(together), _groups(apart), [] if order is None else [order.split(",")]]
    if not all(_is_sound(job, group) for part in groups for group in part):
        return None
    buckets = JobBuckets(groups[0], groups[1], groups[2][0] if groups[2] else [])
    buckets.fill(job)
    return buckets


def _groups(text: str | None) -> list[list[str]]:
    return [] if text is None else [part.split(",") for part in text.split(";")]


def _is_sound(job: Job, names: list[str]) -> bool:
    """Return whether all names are tasks of the job, each named once; empty ones don't count."""
    named = [name for name in names if name]
    roles = {task.role for task in job.tasks.values()}
    return len(set(named)) == len(named) and roles.issuperset(named)


def _pairs(groups: list[list[str]]) -> set[tuple[str, str]]:
    """Return who belongs to whom, in both directions; a group of one is a task with itself."""
    pairs = {(group[0], group[0]) for group in groups if len(group) == 1}
    several = (group for group in groups if len(group) > 1)
    return pairs | {(one, other) for group in several for one in group for other in group if one != other}


def _size(request: Resource) -> float:
    return request.cpu + request.memory / _MEBI + sum((request.scalars or {}).values())
