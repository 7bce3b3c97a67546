"""A job's row in the log's table of jobs."""

from __future__ import annotations

from scheduler_core.volcano.cache.tables import JobRow, JobTask
from scheduler_core.volcano.controllers.job.job import Job, TaskSpec
from scheduler_core.volcano.controllers.job.words import group_name
from scheduler_core.volcano.controllers.kinds import Object, join


def job_row(item: Object) -> JobRow:
    """Return what the log says of a job."""
    job = Job.read(item)
    spec, status = job.spec, job.status
    return JobRow(
        namespace=job.namespace,
        name=job.name,
        queue=spec.queue,
        group=join(job.namespace, group_name(item)),
        phase=status.phase,
        since=status.since,
        min_available=spec.min_available,
        min_success=spec.min_success,
        max_retry=spec.max_retry,
        retry_count=status.retry_count,
        version=status.version,
        ttl=spec.ttl_seconds_after_finished,
        tasks=[_task(task, status.task_counts.get(task.name) or {}) for task in spec.tasks],
        pending=status.pending,
        running=status.running,
        succeeded=status.succeeded,
        failed=status.failed,
        terminating=status.terminating,
        unknown=status.unknown,
    )


def _task(task: TaskSpec, counts: dict[str, int]) -> JobTask:
    return JobTask(task.name, task.replicas, task.min_available, dict(sorted(counts.items())))
