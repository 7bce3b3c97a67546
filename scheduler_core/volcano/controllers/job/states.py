"""The job's state machine: what an action does to a job in a phase, and which phase it leads to.

Source: volcano v1.16 pkg/controllers/job/state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import FINISHED, JobSpec, JobStatus

StatusFunction = Callable[[JobSpec, JobStatus], bool]
"""Sets the next phase in a status whose counts are new, and returns whether the phase is to be noted."""

KEEP_NONE: frozenset[str] = frozenset()
KEEP_FINISHED = frozenset({"Succeeded", "Failed"})
_PARTS = {words.RESTART_TASK: "task", words.RESTART_POD: "pod", words.RESTART_PARTITION: "partition"}
_KILLS = {words.ABORT: "Aborting", words.COMPLETE: "Completing", words.TERMINATE: "Terminating"}


class Operation(NamedTuple):
    """What is done: pods are killed (but those in the phases kept, or only a target's), or all is synced."""

    name: Literal["SyncJob", "KillJob", "KillTarget"]
    status: StatusFunction | None
    keep: frozenset[str] = KEEP_NONE
    target: str = ""


def operation(phase: str, action: str) -> Operation:
    """Return what an action does to a job in a phase. Phases that don't exist count as Pending."""
    if phase in FINISHED:
        return Operation("KillJob", None, KEEP_FINISHED)
    if phase in ("Completing", "Terminating"):
        return Operation("KillJob", _once_quiet(_ENDS[phase]), KEEP_FINISHED)
    if phase in ("Aborting", "Aborted"):
        return _of_aborted(phase, action)
    if phase == "Restarting":
        return _of_restarting(action)
    return _of_alive(phase, action)


_ENDS = {"Completing": "Completed", "Terminating": "Terminated", "Aborting": "Aborted"}


def _of_alive(phase: str, action: str) -> Operation:
    if action == words.RESTART:
        return Operation("KillJob", _restart, KEEP_NONE)
    if action in _PARTS:
        return Operation("KillTarget", _restart, target=_PARTS[action])
    if action in _KILLS:
        return Operation("KillJob", _enter(_KILLS[action]), KEEP_FINISHED)
    return Operation("SyncJob", _of_running if phase == "Running" else _of_pending)


def _of_restarting(action: str) -> Operation:
    if action == words.SYNC:
        return Operation("SyncJob", _restarted)
    if action in _PARTS:
        return Operation("KillTarget", _restarted, target=_PARTS[action])
    return Operation("KillJob", _restarted, KEEP_NONE)


def _of_aborted(phase: str, action: str) -> Operation:
    if action == words.RESUME:
        return Operation("KillJob", _restart, KEEP_FINISHED)
    return Operation("KillJob", _once_quiet("Aborted") if phase == "Aborting" else None, KEEP_FINISHED)


# -- next phases -------------------------------------------------------------------------------------


def _enter(phase: str) -> StatusFunction:
    def enter(spec: JobSpec, status: JobStatus) -> bool:
        status.phase = phase
        return True

    return enter


def _restart(spec: JobSpec, status: JobStatus) -> bool:
    status.phase = "Restarting"
    status.retry_count += 1
    return True


def _once_quiet(phase: str) -> StatusFunction:
    def enter(spec: JobSpec, status: JobStatus) -> bool:
        if status.terminating or status.pending or status.running:
            return False
        status.phase = phase
        return True

    return enter


def _restarted(spec: JobSpec, status: JobStatus) -> bool:
    if status.retry_count >= spec.max_retry:
        status.phase = "Failed"
        return True
    if spec.replicas - status.terminating >= status.min_available:
        status.phase = "Pending"
        return True
    return False


def _of_pending(spec: JobSpec, status: JobStatus) -> bool:
    if spec.min_available <= status.running + status.succeeded + status.failed:
        status.phase = "Running"
        return True
    return False


def _of_running(spec: JobSpec, status: JobStatus) -> bool:
    replicas = spec.replicas
    if replicas == 0:
        return False
    if spec.min_success is not None and status.succeeded >= spec.min_success:
        status.phase = "Completed"
        return True
    if status.succeeded + status.failed == replicas:
        status.phase = "Completed" if _has_succeeded(spec, status) else "Failed"
        return True
    if status.pending > replicas - spec.min_available:
        status.phase = "Pending"
        return True
    return False


def _has_succeeded(spec: JobSpec, status: JobStatus) -> bool:
    """Return whether a job all of whose pods have ended has succeeded."""
    if spec.min_available >= spec.task_minimums and any(
        task.min_available is not None
        and task.name in status.task_counts
        and status.task_counts[task.name].get("Succeeded", 0) < task.min_available
        for task in spec.tasks
    ):
        return False
    if spec.min_success is not None:
        return status.succeeded >= spec.min_success
    return status.succeeded >= spec.min_available
