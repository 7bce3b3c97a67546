"""What jobs that are in their queue already have a claim to.

Source: volcano v1.16 pkg/scheduler/plugins/util/util.go GetInqueueResource, CalculateAllocatedTaskNum.
"""

from __future__ import annotations

from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.resource import PODS, Resource
from scheduler_core.volcano.model.tasks import HOLDING

_UNCLAIMED = "ephemeral-storage"
"""Counted everywhere but here."""


def unmet(job: Job) -> Resource:
    """Return the part of a job's minResources that it doesn't hold yet."""
    least, held = job.min_resources, job.allocated
    made = Resource()
    for name in job.group.spec.min_resources or {}:
        missing = least.get(name) - held.get(name)
        if name in ("cpu", "memory"):
            setattr(made, name, max(missing, 0.0))
        elif (
            name in (least.scalars or {}) and name != _UNCLAIMED and (missing > 0 or _unheard_of(name, held))
        ):
            made.add_scalar(name, missing)
    return made


def _unheard_of(name: str, held: Resource) -> bool:
    return name != PODS and name not in (held.scalars or {})


def runs_with_its_minimum(job: Job) -> bool:
    """Return whether a running job's minimum holds nodes and says what it needs."""
    return (
        job.phase == "Running"
        and job.group.spec.min_resources is not None
        and job.count(HOLDING) >= job.min_available
    )
