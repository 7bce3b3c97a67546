"""The end of a session: what it writes into pod groups, pods and queues.

Source: volcano v1.16 pkg/scheduler/framework/session.go jobStatus, getPodGroupPhase, updateQueueStatus;
cache/cache.go RecordJobStatusEvent, taskUnschedulable.
"""

from __future__ import annotations

from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import PodWrite
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import ROOT
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import COMPLETED, HOLDING, Task, TaskStatus

_S = TaskStatus


def phase_of(job: Job) -> str:
    """Return the phase that a pod group has at the end."""
    if job.of(_S.RUNNING) and job.unschedulable:
        return "Unknown"
    scheduled = job.scheduled + job.leaving
    if scheduled >= job.group.spec.min_member:
        return "Completed" if scheduled == job.count(COMPLETED) else "Running"
    return "Inqueue" if job.phase == "Inqueue" else "Pending"


def close(session: Session) -> list[PodWrite]:
    """Let the plugins write their conditions, give pod groups their phases, return what pods are told."""
    session.close_plugins()
    writes = []
    for job in session.jobs.values():
        job.phase = phase_of(job)
        writes += _pod_writes(job)
    return writes


def _pod_writes(job: Job) -> list[PodWrite]:
    writes = []
    fit_error = job.fit_error()
    for status in (_S.ALLOCATED, _S.PENDING, _S.PIPELINED):
        for task in job.of(status):
            if not task.gated:
                reason, message, nominated = job.scheduling_reason(task)
                writes.append(PodWrite(task, reason, message or fit_error, nominated))
    return writes


def allocated_by_queue(session: Session) -> dict[str, Resource]:
    """Return what each queue's status says that it holds: with what is below it, where there is a root."""
    held = {name: Resource() for name in session.queues}
    for job in session.jobs.values():
        for status in HOLDING:
            for task in job.of(status):
                request = _with_devices(session, task)
                for name in _upwards(session, job.queue):
                    held[name].add(request)
    return held


def _with_devices(session: Session, task: Task) -> Resource:
    """Return a task's request, with what its annotations say that it holds of its node's devices."""
    row = session.nodes.row.get(task.node, -1)
    request = task.request
    for devices in session.nodes.devices.get(row, ()):
        if devices.asked_by(task) and (held := devices.held_by(task)):
            request = request.clone()
            request.scalars = {**(request.scalars or {}), **held}
    return request


def _upwards(session: Session, name: str) -> list[str]:
    names = [name]
    while ROOT in session.queues:
        parent = session.queues[names[-1]].parent
        names.append(parent)
        if parent == ROOT or parent not in session.queues:
            break
    return [one for one in names if one in session.queues]
