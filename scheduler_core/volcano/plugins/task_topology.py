"""task-topology: puts pods of tasks that belong together onto one node, and keeps others apart.

Which pods of a bucket that is too large for a node are left out of its score, Volcano leaves to chance: here
those that came first.

Source: volcano v1.16 pkg/scheduler/plugins/task-topology/topology.go.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import Task, TaskStatus
from scheduler_core.volcano.plugin_rules.task_buckets import JobBuckets, buckets_of

_MAX_NODE_SCORE = 100


class TaskTopology(Plugin):
    """`_jobs` are the buckets of jobs that say which of their tasks belong together."""

    name = "task-topology"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self.weight = option.arguments.integer("task-topology.weight", 1)
        self._jobs: dict[str, JobBuckets] = {}
        for uid, job in session.jobs.items():
            if job.of(TaskStatus.PENDING) and (buckets := buckets_of(job)) is not None:
                self._jobs[uid] = buckets

    def by_node(self, task: Task) -> bool:
        return task.job not in self._jobs

    def class_part(self, task: Task) -> object:
        return task.job if task.job in self._jobs else None

    def task_order(self, left: Task, right: Task) -> int:
        """Put pods in buckets first; the bucket with more pending pods, then the older one."""
        mine, theirs = self._jobs.get(left.job), self._jobs.get(right.job)
        if mine is None or theirs is None:
            return 0
        one, other = mine.of(left), theirs.of(right)
        if one is None or other is None:
            return (one is None) - (other is None)
        if left.job != right.job:
            return 0
        if len(one.pending) != len(other.pending):
            return len(other.pending) - len(one.pending)
        return one.index - other.index if one is not other else mine.order(left, right)

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return how many of the bucket are on the node or could be, for all nodes; shape (rows,)."""
        buckets = self._jobs.get(task.job)
        if buckets is None:
            return np.zeros(len(rows))
        scores = np.array([float(self._score(buckets, task, row) * self.weight) for row in rows.tolist()])
        return scores * float(_MAX_NODE_SCORE) / float(buckets.largest) if buckets.largest else scores

    def _score(self, buckets: JobBuckets, task: Task, row: int) -> int:
        bucket, room, node = buckets.of(task), self._room(row), self.session.nodes.names[row]
        if bucket is None or _is_short(room, task.request):
            return 0
        score = bucket.nodes[node] + min(buckets.affinity(task, buckets.placed[node], only_anti=True), 0)
        score += len(bucket.pending)
        left = bucket.request.clone()
        for other in bucket.pending.values():
            if left.fits_in(room):
                break
            if other is not task:
                left.sub(other.request)
                score -= 1
        return score

    def _room(self, row: int) -> Resource:
        """Return what a node has idle and on its way out, below nothing of what its pods ask for in vain."""
        nodes = self.session.nodes
        cpu, memory, *scalars = (nodes.idle[row] + nodes.releasing[row]).tolist()
        names = nodes.sizes[row].scalars or {}
        pairs = zip(nodes.resources[2:], scalars, strict=True)
        return Resource(cpu, memory, {name: amount for name, amount in pairs if name in names or amount})

    def allocated(self, task: Task) -> str | None:
        buckets = self._jobs.get(task.job)
        if buckets is not None:
            buckets.place(task)
        return None


def _is_short(room: Resource, asked: Resource) -> bool:
    """Return whether there is less of something than is asked for (LessPartly, absent is zero)."""
    there, wanted = room.scalars or {}, asked.scalars or {}
    if room.cpu < asked.cpu or room.memory < asked.memory or wanted.keys() - there.keys():
        return True
    return any(amount < wanted.get(name, 0.0) for name, amount in there.items())
