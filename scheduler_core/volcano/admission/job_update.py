"""What may change in a job: minimums, replicas and the priority class.

Source: volcano v1.16 pkg/webhooks/admission/jobs/validate; k8s.io/apimachinery v0.36 api/equality Semantic.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.volcano.admission.answers import Denied, Object
from scheduler_core.volcano.admission.partitions import TWO_TIERS, partition_fault
from scheduler_core.volcano.model.job_objects import Job, TaskSpec

_AMOUNTS = ("requests", "limits")
_NOTHING: tuple[Any, ...] = (None, "", [], {})
_ZERO_IS_NOTHING = frozenset({"maxRetry", "partitionSize", "totalPartitions", "minPartitions", "hostNetwork"})


def check_job_update(job: Job, old: Job, sent: Object, old_sent: Object) -> None:
    """Raise Denied with the first fault. The objects as sent are compared where no rule reads them."""
    for task in job.spec.tasks or ():
        _check_task(task, job.metadata.name)
    if job.spec.min_available > sum(task.replicas for task in job.spec.tasks or ()):
        raise Denied("job 'minAvailable' must not be greater than total replicas", "spec.minAvailable")
    if job.spec.min_available < 0:
        raise Denied("job 'minAvailable' must be >= 0", "spec.minAvailable")
    if job.spec.network_topology is not None and job.spec.network_topology.names_two_tiers:
        raise Denied(TWO_TIERS, "spec.networkTopology")
    if len(job.spec.tasks or ()) != len(old.spec.tasks or ()):
        raise Denied("job updates may not add or remove tasks", "spec.tasks")
    if _fixed(sent.get("spec") or {}) != _fixed(old_sent.get("spec") or {}):
        raise Denied(
            "job updates may not change fields other than `minAvailable`,"
            " `tasks[*].replicas under spec` and `PriorityClassName`",
            "spec",
        )


def _check_task(task: TaskSpec, job: str) -> None:
    if task.replicas < 0:
        raise Denied(f"'replicas' must be >= 0 in task: {task.name}", "spec.tasks")
    if task.min_available is not None and task.min_available < 0:
        raise Denied(f"'minAvailable' must be >= 0 in task: {task.name}", "spec.tasks")
    if task.min_available is not None and task.min_available > task.replicas:
        raise Denied(f"'minAvailable' must be <= 'replicas' in task: {task.name}", "spec.tasks")
    fault = partition_fault(task, job)
    if fault:
        raise Denied(fault, "spec.tasks")


def _fixed(spec: Object) -> Any:
    """Return what may not change of a job's spec, equal for specs that mean the same."""
    kept = {key: value for key, value in spec.items() if key not in ("minAvailable", "priorityClassName")}
    kept["tasks"] = [
        {key: value for key, value in task.items() if key not in ("replicas", "minAvailable")}
        for task in spec.get("tasks") or ()
    ]
    # The job controller names the claims that it makes.
    kept["volumes"] = [
        {**volume, "volumeClaimName": ""} if volume.get("volumeClaim") is not None else volume
        for volume in spec.get("volumes") or ()
    ]
    return _plain("", kept)


def _plain(name: str, value: Any) -> Any:
    """Return a value without empty fields, and with amounts as numbers."""
    if isinstance(value, dict):
        if name in _AMOUNTS:
            return {key: _amount(item) for key, item in value.items()}
        plain = {key: _plain(key, item) for key, item in value.items()}
        return {
            key: item
            for key, item in plain.items()
            if item not in _NOTHING and not (key in _ZERO_IS_NOTHING and not item)
        }
    return [_plain("", item) for item in value] if isinstance(value, list) else value


def _amount(text: Any) -> Any:
    try:
        return parse_quantity(text).nanos
    except QuantityError:
        return text
