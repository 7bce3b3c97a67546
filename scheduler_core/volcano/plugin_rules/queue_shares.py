"""What a queue asks for, holds and deserves: what proportion and capacity both keep of it.

Source: volcano v1.16 pkg/scheduler/plugins/proportion/proportion.go, plugins/capacity/capacity.go queueAttr.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import MAX_FLOAT, Resource, exceeded_part
from scheduler_core.volcano.model.tasks import HOLDING, TaskStatus
from scheduler_core.volcano.plugin_rules.inqueue import runs_with_its_minimum, unmet


@dataclass
class QueueShare:
    """A queue's figures. `elastic` is what its jobs hold above their minResources."""

    queue: Queue
    deserved: Resource
    guarantee: Resource
    capability: Resource = field(default_factory=Resource)
    real_capability: Resource = field(default_factory=Resource)
    allocated: Resource = field(default_factory=Resource)
    request: Resource = field(default_factory=Resource)
    inqueue: Resource = field(default_factory=Resource)
    elastic: Resource = field(default_factory=Resource)
    share: float = 0.0

    def limit(self, whole: Resource, guaranteed: Resource) -> None:
        """Say what the queue can have at most: the cluster without others' guarantees, cut by capability.

        cpu or memory that the capability doesn't name is without limit.
        """
        self.real_capability = exceeded_part(whole, guaranteed).add(self.guarantee)
        if self.queue.source.spec.capability:
            self.capability = Resource.of(self.queue.source.spec.capability)
            for name in ("cpu", "memory"):
                if self.capability.get(name) <= 0:
                    setattr(self.capability, name, MAX_FLOAT)
            self.real_capability.lower_to(self.capability, "infinity")

    def count(self, job: Job) -> None:
        """Count what a job holds, asks for and has a claim to."""
        for status, tasks in job.by_status.items():
            for task in tasks.values():
                if status in HOLDING:
                    self.allocated.add(task.request)
                if status in HOLDING or status is TaskStatus.PENDING:
                    self.request.add(task.request)
        if job.phase == "Inqueue" and job.group.spec.min_resources is not None:
            self.inqueue.add(job.less_gated(unmet(job)))
        if runs_with_its_minimum(job):
            self.inqueue.add(job.less_gated(unmet(job)))
        self.elastic.add(job.elastic)


def guarantee_of(queue: Queue) -> Resource:
    """Return what a queue is guaranteed."""
    return Resource.of(queue.source.spec.guarantee.resource)
