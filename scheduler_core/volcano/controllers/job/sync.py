"""Bringing a job's pods, pod group and status to what its spec says.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go syncJob, initiateJob, initOnJobUpdate.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.controllers.api_client import AlreadyExists, ApiError, NotFound
from scheduler_core.volcano.controllers.job import counts, words
from scheduler_core.volcano.controllers.job.depends_on import may_start
from scheduler_core.volcano.controllers.job.group import find_group, provide_group
from scheduler_core.volcano.controllers.job.job import Job, JobStatus
from scheduler_core.volcano.controllers.job.job_cache import JobInfo, StaleJob
from scheduler_core.volcano.controllers.job.plugins import registry as plugins
from scheduler_core.volcano.controllers.job.plugins.plugin import PluginFault
from scheduler_core.volcano.controllers.job.states import StatusFunction
from scheduler_core.volcano.controllers.job.task_pods import make_pod
from scheduler_core.volcano.controllers.job.volumes import MissingClaim, provide_claims
from scheduler_core.volcano.controllers.job.work import Workshop
from scheduler_core.volcano.controllers.kinds import POD, QUEUE, Object, is_leaving, key_of, phase_of

_FAULTS = (ApiError, MissingClaim, PluginFault, StaleJob)


class SyncFailed(Exception):
    """Some pods could not be made or asked to go."""


def sync_job(info: JobInfo, status_function: StatusFunction | None, shop: Workshop) -> None:
    """Initiate or update a job; once its pod group is past Pending, make and delete pods.

    Raises SyncFailed, MissingClaim, PluginFault, ApiError, StaleJob.
    """
    if info.job.leaving:
        return
    job = info.job.copy()
    shop.informers.get(QUEUE, job.spec.queue)
    if job.status.phase in ("", "Pending"):
        job = _initiate(job, shop)
    else:
        _update(job, shop)
    group = find_group(job, shop.informers)
    if group is not None:
        _tell_why_it_waits(job, group, shop)
    if group is None or phase_of(group) in ("", "Pending"):
        before = job.copy().status
        if status_function is not None:
            status_function(job.spec, job.status)
        if job.status != before:
            _write(job, shop)
        return
    before = job.status
    job.status = _sync_pods(info, job, shop)
    if status_function is not None:
        status_function(job.spec, job.status)
    # Counts of no pods are not the missing ones that were read: such a status is always written.
    if job.status != before or not job.status.task_counts:
        _write(job, shop)


def _write(job: Job, shop: Workshop) -> None:
    job.status.note_phase(shop.now)
    shop.write_status(job)


# -- what a job needs beside its pods ------------------------------------------------------------------


def _initiate(job: Job, shop: Workshop) -> Job:
    with _warning(job, "JobStatusError", "Failed to initialize job status, err: {}", shop):
        begun = _begin(job, shop)
    with _warning(job, "PluginError", "Execute plugin when job add failed, err: {}", shop):
        plugins.on_add(begun, shop.api)
    with _warning(job, "PVCError", "Failed to create PVC, err: {}", shop):
        begun = provide_claims(begun, shop.api, shop.informers)
    with _warning(job, "PodGroupError", "Failed to create PodGroup, err: {}", shop):
        provide_group(begun, shop.api, shop.informers)
    return begun


def _begin(job: Job, shop: Workshop) -> Job:
    """Let a new job be Pending; what is returned is then the cache's own."""
    if job.status.phase:
        return job
    job.status.phase = "Pending"
    job.status.min_available = job.spec.min_available
    job.status.note_phase(shop.now)
    return shop.write_status(job)


def _update(job: Job, shop: Workshop) -> None:
    with _warning(job, "PluginError", "Execute plugin when job add failed, err: {}", shop):
        plugins.on_update(job, shop.api)
    with _warning(job, "PodGroupError", "Failed to create PodGroup, err: {}", shop):
        provide_group(job, shop.api, shop.informers)


@contextlib.contextmanager
def _warning(job: Job, reason: str, message: str, shop: Workshop) -> Iterator[None]:
    try:
        yield
    except _FAULTS as fault:
        shop.warn(job, reason, message.format(fault))
        raise


def _tell_why_it_waits(job: Job, group: Object, shop: Workshop) -> None:
    """Warn while the newest condition that holds isn't that the group is scheduled."""
    newest = None
    for condition in (group.get("status") or {}).get("conditions") or ():
        if condition.get("status") == "True" and (newest is None or _since(condition) > _since(newest)):
            newest = condition
    if newest is not None and newest.get("type") != "Scheduled":
        kind, why = str(newest.get("type") or "").lower(), newest.get("message") or ""
        shop.warn(job, "PodGroupPending", f"PodGroup {job.namespace}:{job.name} {kind}, reason: {why}")


def _since(condition: Object) -> int:
    return parse_timestamp(condition.get("lastTransitionTime"), absent=-(2**63))


# -- pods ----------------------------------------------------------------------------------------------


def _sync_pods(info: JobInfo, job: Job, shop: Workshop) -> JobStatus:
    """Make the pods that are missing, ask those to go that are too many, and return the new status."""
    old = job.status
    status = JobStatus(
        phase=old.phase,
        since=old.since,
        min_available=job.spec.min_available,
        version=old.version,
        retry_count=old.retry_count,
        controlled=old.controlled,
        conditions=old.conditions,
    )
    missing: list[Object] = []
    surplus: list[Object] = []
    for task in job.spec.tasks:
        pods = info.pods.get(task.name, {})
        new = []
        for index in range(task.replicas):
            pod = pods.pop(words.pod_name(job.name, task.name, index), None)
            if pod is None:
                pod = make_pod(job, task, index)
                plugins.on_pod(job, pod)
                new.append(pod)
            elif is_leaving(pod):
                status.terminating += 1
            else:
                if words.is_out_of_sync(pod):
                    surplus.append(pod)
                counts.count(status, pod)
        if new and may_start(job, task, shop.informers):
            missing += new
        surplus += pods.values()
    _create(missing, job, status, shop)
    _delete(surplus, job, status, shop)
    return status


def _create(pods: list[Object], job: Job, status: JobStatus, shop: Workshop) -> None:
    errors = []
    for pod in sorted(pods, key=key_of):
        try:
            with contextlib.suppress(AlreadyExists):
                counts.count(status, shop.api.create(pod))
        except ApiError as error:
            errors.append(f"failed to create pod {pod['metadata']['name']}, err: {error}")
    if errors:
        shop.warn(job, "FailedCreate", f"Error creating pods: [{' '.join(errors)}]")
        raise SyncFailed(f"failed to create {len(errors)} pods of {len(job.spec.tasks)}")


def _delete(pods: list[Object], job: Job, status: JobStatus, shop: Workshop) -> None:
    errors = []
    for pod in sorted(pods, key=key_of):
        try:
            with contextlib.suppress(NotFound):
                shop.api.delete(POD, key_of(pod))
            status.terminating += 1
        except ApiError as error:
            errors.append(f"failed to delete pod {pod['metadata']['name']}, err {error}")
    if errors:
        shop.warn(job, "FailedDelete", f"Error deleting pods: [{' '.join(errors)}]")
        raise SyncFailed(f"failed to delete {len(errors)} pods of {len(pods)}")
