"""Which action a request leads to: the request's own, or that of a lifecycle policy, or a sync.

Source: volcano v1.16 pkg/controllers/job/job_controller_util.go applyPolicies.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scheduler_core.go.duration import parse_duration
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.work_requests import JobRequest
from scheduler_core.volcano.model.job_objects import LifecyclePolicy

_OWN_AFFAIRS = (words.OUT_OF_SYNC, words.COMMAND_ISSUED, words.POD_RUNNING)


class Chosen(NamedTuple):
    """An action, and in how many nanoseconds it is to be done."""

    action: str
    delay: int = 0


def choose(job: Job, request: JobRequest) -> Chosen:
    """Return what is done about a request."""
    if request.action:
        return Chosen(request.action)
    if request.event in _OWN_AFFAIRS:
        return Chosen(words.SYNC)
    if request.job_uid and request.job_uid != job.uid:
        return Chosen(words.SYNC)
    if request.version < job.status.version:
        return Chosen(words.SYNC)
    task = job.spec.task(request.task) if request.task else None
    of_task = task.policies if task is not None else None
    for policy in (*(of_task or ()), *(job.spec.policies or ())):
        if _applies(policy, request):
            return Chosen(policy.action, _delay(policy))
    return Chosen(words.SYNC)


def _applies(policy: LifecyclePolicy, request: JobRequest) -> bool:
    events: Iterable[str] = [*(policy.events or ()), *([policy.event] if policy.event else [])]
    # That a pod is pending is nothing unusual: only that it stays so for long.
    unusual = request.event and (request.event != words.POD_PENDING or policy.timeout is not None)
    if unusual and (request.event in events or words.ANY in events):
        return True
    return policy.exit_code is not None and policy.exit_code == request.exit_code


def _delay(policy: LifecyclePolicy) -> int:
    return parse_duration(policy.timeout) or 0 if policy.timeout is not None else 0
