"""The least resources of a job's pod group: what its first pods ask for, by priority.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go calcPGMinResources,
job_controller_util.go CalcFirstCountResources, CalcPGMinResources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scheduler_core.go.sort import go_sort
from scheduler_core.volcano.controllers.job.job import JobSpec, TaskSpec
from scheduler_core.volcano.controllers.quota import Amounts, add, quota_usage, text_of, times


def min_resources(spec: JobSpec, priority_of: Callable[[str], int]) -> dict[str, str]:
    """Return the least resources; tasks whose template has the higher priority class come first."""
    tasks = [(_priority(task, priority_of), task) for task in spec.tasks]
    go_sort(tasks, lambda one, other: one[0] > other[0])
    ordered = [task for _, task in tasks]
    counted = _first(ordered, spec.min_available)
    if spec.min_available >= spec.task_minimums:
        counted = _minimums_first(ordered, spec.min_available)
    total: Amounts = {}
    for task, count in counted:
        add(total, times(quota_usage(task.pod_spec), count))
    return text_of(total)


def _priority(task: TaskSpec, priority_of: Callable[[str], int]) -> int:
    name = task.pod_spec.get("priorityClassName")
    return priority_of(name) if name else 0


def _first(tasks: list[TaskSpec], count: int) -> Iterable[tuple[TaskSpec, int]]:
    """Yield the first pods of all, so many."""
    for task in tasks:
        taken = min(count, task.replicas)
        yield task, taken
        count -= taken
        if count <= 0:
            return


def _minimums_first(tasks: list[TaskSpec], count: int) -> Iterable[tuple[TaskSpec, int]]:
    """Yield the minimums that tasks name, cut at `count`; then fill up from what the tasks have left."""
    for task in tasks:
        if task.min_available is None:
            continue
        taken = min(count, task.min_available)
        yield task, taken
        count -= taken
        if count <= 0:
            return
    for task in tasks:
        taken = min(count, task.replicas - (task.min_available or 0))
        yield task, taken
        count -= taken
        if count <= 0:
            return
