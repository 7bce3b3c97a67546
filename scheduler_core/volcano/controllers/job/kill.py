"""Killing a job, or a part of it: its pods go, and so does what was made for it.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go killPods.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.controllers.api_client import ApiError, NotFound
from scheduler_core.volcano.controllers.job import counts, words
from scheduler_core.volcano.controllers.job.group import find_group
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.job_cache import JobInfo
from scheduler_core.volcano.controllers.job.plugins import registry as plugins
from scheduler_core.volcano.controllers.job.states import KEEP_FINISHED, StatusFunction
from scheduler_core.volcano.controllers.job.work import Workshop
from scheduler_core.volcano.controllers.job.work_requests import JobRequest
from scheduler_core.volcano.controllers.kinds import POD, POD_GROUP, Object, is_leaving, key_of, phase_of


class KillFailed(Exception):
    """Some pods could not be asked to go."""


def kill_job(
    info: JobInfo, keep: frozenset[str], status_function: StatusFunction | None, shop: Workshop
) -> None:
    """Kill all pods but those in the phases kept; the job's version goes up.

    Raises KillFailed, ApiError, StaleJob, PluginFault.
    """
    job = info.job
    if job.leaving:
        return
    job.status.version += 1
    if job.status.retry_count >= job.spec.max_retry - 1:
        keep = KEEP_FINISHED
    pods = [pod for of_task in info.pods.values() for pod in of_task.values()]
    leaving = [pod for pod in pods if is_leaving(pod)]
    condemned = [pod for pod in pods if not is_leaving(pod) and phase_of(pod) not in keep]
    killed = _kill(condemned, job, shop, total=len(pods))
    there = _close_up(job, len(leaving) + killed, status_function, shop)
    group = find_group(job, shop.informers)
    if there and group is not None:
        with contextlib.suppress(NotFound):
            shop.api.delete(POD_GROUP, key_of(group))


def kill_target(
    info: JobInfo,
    target: str,
    request: JobRequest,
    status_function: StatusFunction | None,
    shop: Workshop,
) -> None:
    """Kill the task, pod or partition that a request is of; the version and the pod group stay.

    Raises KillFailed, ApiError, StaleJob, PluginFault.
    """
    if info.job.leaving:
        return
    condemned = _of_target(info, target, request)
    if condemned is None:
        return
    killed = _kill(condemned, info.job, shop, total=len(condemned))
    _close_up(info.job, killed, status_function, shop)


def _of_target(info: JobInfo, target: str, request: JobRequest) -> list[Object] | None:
    """Return the target's pods; None for a partition that doesn't exist."""
    if target == "partition":
        found = info.in_partition(request.task, request.partition)
        return None if found is None else list(found.values())
    of_task = info.pods.get(request.task, {})
    if target == "pod":
        return [of_task[request.pod]] if request.pod in of_task else []
    return list(of_task.values())


def _kill(condemned: Iterable[Object], job: Job, shop: Workshop, total: int) -> int:
    """Mark the pods, then ask them to go; return how many are on their way. Raises KillFailed."""
    ordered = sorted(condemned, key=key_of)
    errors = []
    marked = []
    for pod in ordered:
        try:
            _mark(pod, shop)
            marked.append(pod)
        except ApiError as error:
            errors.append(error)
    for pod in marked:
        if not is_leaving(pod):
            try:
                with contextlib.suppress(NotFound):
                    shop.api.delete(POD, key_of(pod))
            except ApiError as error:
                errors.append(error)
    if errors:
        told = " ".join(str(error) for error in errors)
        shop.warn(job, "FailedDelete", f"Error deleting pods: [{told}]")
        raise KillFailed(f"failed to kill {len(errors)} pods of {total}")
    return len(marked)


def _mark(pod: Object, shop: Workshop) -> None:
    with contextlib.suppress(NotFound):
        shop.api.patch(POD, key_of(pod), {"metadata": {"annotations": {words.OUT_OF_SYNC_MARK: "true"}}})


def _close_up(job: Job, terminating: int, status_function: StatusFunction | None, shop: Workshop) -> bool:
    """Write the status in which only pods on their way are counted, after what plugins have made is gone.

    Returns whether the job is still there.
    """
    job = job.copy()
    counts.clear(job.status)
    job.status.terminating = terminating
    if status_function is not None and status_function(job.spec, job.status):
        job.status.note_phase(shop.now)
    began = parse_timestamp(job.item["metadata"].get("creationTimestamp"), absent=0)
    job.status.running_seconds = (parse_timestamp(job.status.since, absent=began) - began) // 10**9
    plugins.on_delete(job, shop.api)
    try:
        shop.write_status(job)
    except NotFound:
        return False
    return True
