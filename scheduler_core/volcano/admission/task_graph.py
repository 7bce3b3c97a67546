"""Whether the tasks of a job can come up one after the other.

Source: volcano v1.16 pkg/webhooks/admission/jobs/validate/util.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from scheduler_core.volcano.model.job_objects import TaskSpec


def can_be_ordered(tasks: Sequence[TaskSpec]) -> bool:
    """Return whether no task waits for itself, for a task that there isn't, or twice for the same one."""
    waits_for: dict[str, list[str]] = {task.name: [] for task in tasks}
    for task in tasks:
        if task.depends_on is not None:
            waits_for[task.name] += task.depends_on.name or []
    if len(waits_for) < len(tasks) or any(len(set(names)) < len(names) for names in waits_for.values()):
        return False
    if not waits_for.keys() >= {name for names in waits_for.values() for name in names}:
        return False
    try:
        TopologicalSorter(waits_for).prepare()
    except CycleError:
        return False
    return True
