"""drf: the job with the smallest dominant share comes first, and the queue if the hierarchy is on.

Source: volcano v1.16 pkg/scheduler/plugins/drf/drf.go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import compare
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.drf_tree import DrfTree

_DELTA = 0.000001


@dataclass
class Dominant:
    """What a job holds, pipelined tasks included, and the resource of which it has the largest part."""

    allocated: Resource = field(default_factory=Resource)
    share: float = 0.0
    resource: str = ""


class Drf(Plugin):
    """`shares` has every job's dominant share, by uid; `tree` those of queues, if the hierarchy is on."""

    name = "drf"
    gives_back = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._whole = [(name, session.total.get(name)) for name in session.total.names()]
        self.shares: dict[str, Dominant] = {}
        for job in session.jobs.values():
            dominant = self.shares[job.uid] = Dominant(Resource().add(job.allocated))
            self._measure(dominant)
        self.tree: DrfTree | None = None
        if session.has_hierarchy(self.name):
            self.tree = DrfTree(session.total, self._share)
            for job in session.jobs.values():
                self.tree.used.add(self.shares[job.uid].allocated)
                self.tree.put(job, session.queues[job.queue], self.shares[job.uid].allocated)
        else:
            self.switched_off = frozenset({"queue_order", "reclaimable"})

    def _measure(self, dominant: Dominant) -> None:
        dominant.resource, dominant.share = self._share(dominant.allocated)

    def _share(self, allocated: Resource) -> tuple[str, float]:
        resource, largest = "", 0.0
        for name, whole in self._whole:
            part = allocated.get(name) / whole
            if part > largest:
                resource, largest = name, part
        return resource, largest

    def job_order(self, left: Job, right: Job) -> int:
        """Lower first."""
        return compare(self.shares[left.uid].share, self.shares[right.uid].share)

    def preemptable(self, preemptor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go those whose job would still have no smaller share than the preemptor's, summing up."""
        mine = self.shares[preemptor.job].allocated.clone().add(preemptor.request)
        _, wanted = self._share(mine)
        left: dict[str, Resource] = {}
        victims = []
        for task in candidates:
            if task.job not in self.shares:
                continue
            if task.job not in left:
                left[task.job] = self.shares[task.job].allocated.clone()
            _, rest = self._share(left[task.job].sub(task.request))
            if wanted < rest or abs(wanted - rest) <= _DELTA:
                victims.append(task)
        return victims

    # -- queues, if the hierarchy is on --------------------------------------------------------------

    def queue_order(self, left: Queue, right: Queue) -> int:
        """Lower share first, level by level."""
        assert self.tree is not None
        return compare(self.tree.compare(left, right), 0)

    def reclaimable(self, reclaimer: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go those whose queue would still come after the reclaimer's, one by one."""
        assert self.tree is not None
        session, tree = self.session, self.tree.copy()
        job = session.jobs[reclaimer.job]
        queue = session.queues[job.queue]
        tree.used.add(reclaimer.request)
        tree.put(job, queue, self._held(job).add(reclaimer.request))
        victims = []
        for task in candidates:
            if (owner := session.jobs.get(task.job)) is None:
                continue
            of = session.queues[owner.queue]
            tree.used.sub(task.request)
            tree.put(owner, of, self._held(owner).sub(task.request))
            if tree.compare(queue, of) < 0:
                victims.append(task)
            tree.used.add(task.request)
            tree.put(owner, of, self._held(owner))
        return victims

    def _held(self, job: Job) -> Resource:
        return self.shares[job.uid].allocated.clone()

    # -- what happens --------------------------------------------------------------------------------

    def allocated(self, task: Task) -> str | None:
        self._change(task, Resource.add)
        return None

    def deallocated(self, task: Task) -> None:
        self._change(task, Resource.sub)

    def _change(self, task: Task, change: Callable[[Resource, Resource], Resource]) -> None:
        if (dominant := self.shares.get(task.job)) is None:
            return
        change(dominant.allocated, task.request)
        self._measure(dominant)
        if self.tree is not None:
            change(self.tree.used, task.request)
            job = self.session.jobs[task.job]
            self.tree.put(job, self.session.queues[job.queue], dominant.allocated)
