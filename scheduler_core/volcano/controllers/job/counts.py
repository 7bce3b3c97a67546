"""Counting a job's pods by phase, for its status."""

from __future__ import annotations

from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import JobStatus
from scheduler_core.volcano.controllers.kinds import Object, annotations_of, phase_of

_FIELDS = {"Pending": "pending", "Running": "running", "Succeeded": "succeeded", "Failed": "failed"}


def clear(status: JobStatus) -> None:
    """Set all counts to zero."""
    for field in (*_FIELDS.values(), "unknown", "terminating"):
        setattr(status, field, 0)
    status.task_counts = {}


def count(status: JobStatus, pod: Object) -> None:
    """Count a pod, in the job and in its task."""
    phase = phase_of(pod)
    field = _FIELDS.get(phase, "unknown")
    setattr(status, field, getattr(status, field) + 1)
    task = annotations_of(pod).get(words.TASK_SPEC)
    if task is not None:
        of_task = status.task_counts.setdefault(task, {})
        name = phase if phase in _FIELDS else "Unknown"
        of_task[name] = of_task.get(name, 0) + 1
