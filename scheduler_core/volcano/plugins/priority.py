"""priority: the higher priority first, of jobs and of tasks.

Source: volcano v1.16 pkg/scheduler/plugins/priority/priority.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.model.eviction import Eviction
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task


class Priority(Plugin):
    """Between jobs the pod groups' classes count, within a job the tasks'."""

    name = "priority"

    def task_order(self, left: Task, right: Task) -> int:
        """Higher first."""
        return right.priority - left.priority

    def task_key(self, task: Task) -> int:
        """Return the key by which `task_order` orders."""
        return -task.priority

    def job_order(self, left: Job, right: Job) -> int:
        """Higher first."""
        return right.priority - left.priority

    def sub_job_order(self, left: SubJob, right: SubJob) -> int:
        """The part with the task of the highest priority first."""
        return right.priority - left.priority

    def preemptable(self, preemptor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go jobs of a lower priority, and within the job tasks of a lower priority."""
        mine = self.session.jobs[preemptor.job]
        victims = []
        for task in candidates:
            job = self.session.jobs.get(task.job)
            if job is None:
                continue
            lower = task.priority < preemptor.priority if job is mine else job.priority < mine.priority
            if lower:
                victims.append(task)
        return victims

    def evictable(self, eviction: Eviction, candidates: Sequence[Task]) -> list[Task]:
        """Let go jobs of a lower priority within a queue; between queues priority doesn't count."""
        if eviction.action == "gangreclaim":
            return list(candidates)
        jobs = self.session.jobs
        return [task for task in candidates if jobs[task.job].priority < eviction.job.priority]

    def job_starving(self, job: Job) -> bool:
        """Return whether some task neither holds a node nor waits for one."""
        return job.ready + job.waiting < len(job.tasks)
