"""gang: a job's minimum starts together or not at all.

Source: volcano v1.16 pkg/scheduler/plugins/gang/gang.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.volcano.framework.functions import PERMIT, REJECT
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.model.custom_resources import PodGroupCondition
from scheduler_core.volcano.model.eviction import Eviction
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import HOLDING, Task, TaskStatus

_S = TaskStatus


class Gang(Plugin):
    """The validity check ignores the flags; at its end a session says of each job how its gang stands."""

    name = "gang"
    counts_tasks = True

    def job_valid(self, job: Job) -> tuple[str, str] | None:
        """Return why a job has too few pods that could take part."""
        if not job.roles_valid:
            return "NotEnoughPodsOfTask", "Not enough valid pods of each task for gang-scheduling"
        if not job.sub_jobs_valid:
            return "NotEnoughPodsOfTask", "Not enough valid subGroups of each task for gang-scheduling"
        if job.valid < job.min_available:
            counts = f"valid: {job.valid}, min: {job.min_available}"
            return "NotEnoughTasks", f"Not enough valid tasks for gang-scheduling, {counts}"
        return None

    def preemptable(self, preemptor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go those that a job has above its minimum."""
        occupied: dict[str, int] = {}
        victims = []
        for task in candidates:
            job = self.session.jobs.get(task.job)
            if job is None:
                continue
            left = occupied.setdefault(job.uid, job.ready)
            if left > job.min_available:
                occupied[job.uid] = left - 1
                victims.append(task)
        return victims

    def drawn_from(self, candidate: Task) -> object:
        return candidate.job

    def reclaimable(self, reclaimer: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go as for preemption."""
        return self.preemptable(reclaimer, candidates)

    def evictable(self, eviction: Eviction, candidates: Sequence[Task]) -> list[Task]:
        """Let all go: bundles keep a job's minimum together."""
        return list(candidates)

    def job_order(self, left: Job, right: Job) -> int:
        """The job that isn't ready comes first."""
        return int(left.is_ready) - int(right.is_ready)

    def job_ready(self, job: Job) -> bool:
        """Return whether the minimum holds nodes."""
        return job.is_ready and job.roles_ready and job.sub_jobs_ready

    def job_pipelined(self, job: Job) -> int:
        """Permit what holds nodes or waits for some."""
        waits = job.roles_pipelined and job.sub_jobs_pipelined and job.is_pipelined
        return PERMIT if waits else REJECT

    def sub_job_order(self, left: SubJob, right: SubJob) -> int:
        """The part that isn't ready comes first."""
        return int(left.is_ready) - int(right.is_ready)

    def sub_job_ready(self, part: SubJob) -> bool:
        """Return whether as many of a part as make it up hold nodes."""
        return part.is_ready

    def sub_job_pipelined(self, part: SubJob) -> int:
        """Permit a part that holds nodes or waits for some."""
        return PERMIT if part.is_pipelined else REJECT

    def job_starving(self, job: Job) -> bool:
        """Return whether the minimum neither holds nor waits."""
        return job.is_starving

    def close(self) -> None:
        """Write the condition of every job that has pods."""
        for job in self.session.jobs.values():
            if not job.tasks:
                continue
            if job.is_ready:
                reason = "tasks in gang are ready to be scheduled"
                set_condition(job, PodGroupCondition("Scheduled", "True", reason=reason))
            elif not _only_leaving(job):
                missing = job.min_available - _could_start(job)
                message = f"{missing}/{len(job.tasks)} tasks in gang unschedulable: {job.fit_error()}"
                condition = PodGroupCondition(
                    "Unschedulable", "True", reason="NotEnoughResources", message=message
                )
                set_condition(job, condition)
                job.unschedulable = True


def set_condition(job: Job, condition: PodGroupCondition) -> None:
    """Put a condition in the place of the one of its type, or at the end."""
    job.written = condition
    for place, known in enumerate(job.conditions):
        if known.type == condition.type:
            job.conditions[place] = condition
            return
    job.conditions.append(condition)


def _could_start(job: Job) -> int:
    """Return how many tasks hold a node, or held one in a statement that was taken back."""
    return job.ready + sum(task.now().status in HOLDING for task in job.of(_S.PENDING))


def _only_leaving(job: Job) -> bool:
    """Return whether all that is missing are pods on their way out of nodes."""
    if not job.leaving or job.of(_S.PENDING) or job.of(_S.PIPELINED):
        return False
    return job.scheduled + job.leaving >= job.min_available
