"""What asks the job controller to look at a job: requests, made of what happens to jobs, pods and pod groups.

Source: volcano v1.16 pkg/controllers/job/job_controller_handler.go, apis/request.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.go.parse import parse_int
from scheduler_core.volcano.controllers.api_client import WatchEvent
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job_cache import JobCache
from scheduler_core.volcano.controllers.kinds import (
    Object,
    annotations_of,
    join,
    labels_of,
    phase_of,
    split,
)


class JobRequest(NamedTuple):
    """A request; `version` is that of the job which the pod was made for. Equal ones are one request."""

    namespace: str
    job: str
    event: str = ""
    job_uid: str = ""
    task: str = ""
    pod: str = ""
    pod_uid: str = ""
    partition: str = ""
    exit_code: int = 0
    action: str = ""
    version: int = 0

    @property
    def key(self) -> str:
        """The job's `namespace/name`."""
        return join(self.namespace, self.job)


def of_job(event: WatchEvent) -> JobRequest | None:
    """Return the request of a job that is new, or whose spec or phase has changed."""
    old, new = event.old, event.new
    if new is None:
        return None
    if old is not None and old.get("spec") == new.get("spec") and _job_phase(old) == _job_phase(new):
        return None
    namespace, name = split(event.key)
    return JobRequest(namespace, name, words.OUT_OF_SYNC)


def of_pod_group(event: WatchEvent) -> JobRequest | None:
    """Return the request of a pod group whose phase has changed."""
    old, new = event.old, event.new
    if old is None or new is None or phase_of(old) == phase_of(new):
        return None
    namespace, job = split(event.key)
    for reference in new["metadata"].get("ownerReferences") or ():
        if reference.get("kind") == "Job":
            job = reference["name"]
    return JobRequest(namespace, job, words.UNKNOWN if phase_of(new) == "Unknown" else "")


def is_of_job(pod: Object) -> bool:
    """Return whether a Volcano job controls the pod, which has all annotations of such pods."""
    return _named(pod) is not None


def of_pod(event: WatchEvent, cache: JobCache) -> JobRequest:
    """Return the request of what happened to a job's pod: the cache has it, even if it is gone."""
    pod = event.new or event.old
    assert pod is not None
    common = _named(pod)
    assert common is not None
    if event.new is None:
        happened, exit_code = _of_gone(pod, cache), 0
    elif event.old is None:
        happened, exit_code = words.POD_PENDING, 0
    else:
        happened, exit_code = _of_changed(event.old, event.new, common, cache)
    if words.is_out_of_sync(pod):
        happened = words.OUT_OF_SYNC
    return common._replace(event=happened, exit_code=exit_code)


def _named(pod: Object) -> JobRequest | None:
    owner, annotations = words.controlling_job(pod), annotations_of(pod)
    version = parse_int(annotations.get(words.JOB_VERSION, ""), 32)
    if owner is None or version is None:
        return None
    if words.JOB_NAME not in annotations or words.TASK_SPEC not in annotations:
        return None
    return JobRequest(
        namespace=pod["metadata"].get("namespace") or "default",
        job=annotations[words.JOB_NAME],
        job_uid=owner.get("uid") or "",
        task=annotations[words.TASK_SPEC],
        pod=pod["metadata"]["name"],
        pod_uid=pod["metadata"].get("uid") or "",
        partition=labels_of(pod).get(words.PARTITION_ID, ""),
        version=version,
    )


def _of_gone(pod: Object, cache: JobCache) -> str:
    return words.POD_EVICTED if cache.has_pod(pod) else words.OUT_OF_SYNC


def _of_changed(old: Object, new: Object, named: JobRequest, cache: JobCache) -> tuple[str, int]:
    before, phase = phase_of(old), phase_of(new)
    if phase == "Failed" and before != phase:
        return words.POD_FAILED, _exit_code(new)
    if phase == "Succeeded" and before != phase and cache.task_completed(named.key, named.task):
        return words.TASK_COMPLETED, 0
    if phase == "Running" and before != phase:
        return words.POD_RUNNING, 0
    if phase == "Pending" and before != phase:
        return words.POD_PENDING, 0
    if phase in ("Running", "Pending") and cache.task_failed(named.key, named.task):
        return words.TASK_FAILED, 0
    return words.OUT_OF_SYNC, 0


def _exit_code(pod: Object) -> int:
    """Return the exit code of the first container; of none, 0."""
    for status in pod["status"].get("containerStatuses") or ():
        ended = (status.get("state") or {}).get("terminated") or {}
        return ended.get("exitCode") or 0
    return 0


def _job_phase(job: Object) -> str:
    return ((job.get("status") or {}).get("state") or {}).get("phase") or ""
