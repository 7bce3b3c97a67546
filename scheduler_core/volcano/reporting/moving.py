"""Where pods that have left their nodes may go, as Volcano has it: a session is opened and not carried out.

allocate's own questions are asked of each pod, in their order: its job and queue first, then the hyper nodes
that its job may use, then room that is free now, then the predicates. Nobody is evicted for it.

Source: volcano v1.16 pkg/scheduler/actions/allocate/allocate.go, actions/backfill/backfill.go.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from scheduler_core.state.nodes import BoolArray
from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.framework.parts import reachable
from scheduler_core.volcano.framework.session import Memory, Session
from scheduler_core.volcano.framework.statement import place
from scheduler_core.volcano.model.tasks import Task, TaskStatus
from scheduler_core.volcano.reporting.why import Mute


class MovingByVolcano:
    """A session in which pods (rows) that have no node any more are pending."""

    def __init__(
        self, cluster: VolcanoCluster, configuration: Configuration, pods: Collection[int], elapsed: int
    ) -> None:
        contents, moved = cluster.contents(elapsed), set(pods)
        self._tasks: dict[int, Task] = {}
        for task in contents.tasks:
            if task.row in moved:
                task.status = TaskStatus.PENDING
                self._tasks[task.row] = task
        memory = Memory(cluster.memory.values["next_node"])
        self._session: Session = open_session(cluster.snapshot(), contents, configuration, Mute(), memory)

    def fits(self, pod: int) -> BoolArray:
        """Return on which nodes the pod fits now, shape (nodes,)."""
        nodes = self._session.nodes
        fits: BoolArray = np.zeros(len(nodes), dtype=np.bool_)
        task = self._tasks.get(pod)
        if task is None or not self._may_be_tried(task) or self._session.pre_predicate(task) is not None:
            return fits
        job = self._session.jobs[task.job]
        rows = reachable(self._session, job, job.sub_job_of(task))
        if not task.best_effort:
            rows = rows[nodes.fits(task.request, rows, future=False)]
        refused = self._session.predicate(task, rows) if len(rows) else {}
        fits[[row for row in rows.tolist() if row not in refused]] = True
        return fits

    def _may_be_tried(self, task: Task) -> bool:
        """Tell whether a session would look for a node: the job is let in, and its queue may take the pod."""
        session = self._session
        job = session.jobs.get(task.job)
        if job is None or job.is_pending or task.gated or session.job_valid(job) is not None:
            return False
        if job.has_topology and not session.hyper_nodes.ready:
            return False
        queue = session.queues[job.queue]
        return task.best_effort or (not session.overused(queue) and session.allocatable(queue, task))

    def put(self, pod: int, node: int) -> bool:
        """Let a pod have a node in the session; False where a plugin fails."""
        return place(self._session, self._tasks[pod], node, TaskStatus.ALLOCATED)
