"""What the job controller knows of jobs and their pods, by task.

The job in it is ahead of the informers' copy: the controller puts what it has written here at once.

Source: volcano v1.16 pkg/controllers/cache/cache.go, apis/job_info.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job, read_status, written_status
from scheduler_core.volcano.controllers.kinds import (
    JOB,
    POD,
    Object,
    annotations_of,
    join,
    key_of,
    labels_of,
    phase_of,
)

Pods = dict[str, dict[str, Object]]
"""The pods of each task, by name."""
_DEFAULT_TASK_RETRIES = 3
_NO_LIMIT = -1


class StaleJob(Exception):
    """What is to go into the cache is missing there, or older than what is there."""


@dataclass
class JobInfo:
    """A job and its pods as they were when the work on it began. The job is the cache's own."""

    job: Job
    pods: Pods

    def in_partition(self, task: str, partition: str) -> dict[str, Object] | None:
        """Return the pods of one partition of a task; None if the task has no partitions, or not this one."""
        spec = self.job.spec.task(task)
        if spec is None or spec.partition_policy is None or not partition:
            return None
        pods = self.pods.get(task, {})
        found = {
            name: pod for name, pod in pods.items() if labels_of(pod).get(words.PARTITION_ID) == partition
        }
        return found or None


@dataclass
class _Known:
    job: Job | None = None
    pods: Pods = field(default_factory=dict)


class JobCache:
    """Jobs and their pods. Pods may be known before their job is, and after it is gone."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def get(self, key: str) -> JobInfo | None:
        """Return a job with its pods; None where the job isn't known."""
        known = self._known.get(key)
        if known is None or known.job is None:
            return None
        return JobInfo(known.job, {task: dict(pods) for task, pods in known.pods.items()})

    # -- jobs ----------------------------------------------------------------------------------------

    def add(self, job: Job) -> None:
        """Take in a new job; one that is known already stays as it is."""
        known = self._known.setdefault(job.key, _Known())
        if known.job is None:
            known.job = job

    def update(self, job: Job) -> None:
        """Replace a job. Raises StaleJob."""
        known = self._known.get(job.key)
        if known is None:
            raise StaleJob(f"failed to find job <{job.key}>")
        if known.job is not None and job.resource_version < known.job.resource_version:
            raise StaleJob(
                f"job <{job.key}> has too old resource version: "
                f"{job.resource_version} ({known.job.resource_version})"
            )
        known.job = job

    def delete(self, key: str) -> None:
        """Forget a job; it is gone from here once its pods are gone, too."""
        if key in self._known:
            self._known[key].job = None
            self._drop_if_empty(key)

    # -- pods ----------------------------------------------------------------------------------------

    def put_pod(self, pod: Object, *, new: bool) -> None:
        """Take in a pod that is new, or what has changed of one that is known."""
        key, task = _job_of(pod), annotations_of(pod)[words.TASK_SPEC]
        known = self._known.setdefault(key, _Known())
        pods = known.pods.setdefault(task, {}) if new else known.pods.get(task, {})
        name = pod["metadata"]["name"]
        if new is (name not in pods):
            pods[name] = pod

    def delete_pod(self, pod: Object) -> None:
        """Forget a pod."""
        key, task = _job_of(pod), annotations_of(pod)[words.TASK_SPEC]
        known = self._known.get(key)
        if known is None:
            return
        pods = known.pods.get(task, {})
        pods.pop(pod["metadata"]["name"], None)
        if not pods:
            known.pods.pop(task, None)
        self._drop_if_empty(key)

    def has_pod(self, pod: Object) -> bool:
        """Return whether the pod is known."""
        known = self._known.get(_job_of(pod))
        task = annotations_of(pod)[words.TASK_SPEC]
        return known is not None and pod["metadata"]["name"] in known.pods.get(task, {})

    def _drop_if_empty(self, key: str) -> None:
        known = self._known[key]
        if known.job is None and not known.pods:
            del self._known[key]

    # -- tasks ---------------------------------------------------------------------------------------

    def task_completed(self, key: str, task: str) -> bool:
        """Return whether as many pods of a task have succeeded as it has replicas."""
        known = self._known.get(key)
        spec = known.job.spec.task(task) if known is not None and known.job is not None else None
        if known is None or spec is None or task not in known.pods or spec.replicas <= 0:
            return False
        succeeded = sum(phase_of(pod) == "Succeeded" for pod in known.pods[task].values())
        return succeeded >= spec.replicas

    def task_failed(self, key: str, task: str) -> bool:
        """Return whether the containers of a task's living pods have restarted as often as it may retry."""
        known = self._known.get(key)
        spec = known.job.spec.task(task) if known is not None and known.job is not None else None
        if known is None or spec is None or task not in known.pods or spec.replicas == 0:
            return False
        if spec.max_retry == _NO_LIMIT:
            return False
        living = (pod for pod in known.pods[task].values() if phase_of(pod) in ("Running", "Pending"))
        return sum(_restarts(pod) for pod in living) >= (spec.max_retry or _DEFAULT_TASK_RETRIES)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self, informers: Informers) -> list[list[Any]]:
        """Return what is known as plain data; what is as the informers have it is only named."""
        return [
            [
                key,
                None if known.job is None else _dump_job(known.job, informers),
                [
                    [task, [_dump_pod(pod, informers) for pod in pods.values()]]
                    for task, pods in known.pods.items()
                ],
            ]
            for key, known in self._known.items()
        ]

    def load(self, data: list[list[Any]], informers: Informers) -> None:
        """Restore what `dump` returned."""
        self._known = {}
        for key, job, tasks in data:
            known = self._known[key] = _Known(None if job is None else _load_job(key, job, informers))
            for task, pods in tasks:
                items = (informers.get(POD, pod) if isinstance(pod, str) else pod for pod in pods)
                known.pods[task] = {item["metadata"]["name"]: item for item in items}


def _dump_pod(pod: Object, informers: Informers) -> str | Object:
    return key_of(pod) if informers.find(POD, key_of(pod)) == pod else pod


def _dump_job(job: Job, informers: Informers) -> list[Any]:
    copied = informers.find(JOB, job.key) == job.item
    return [None if copied else job.item, written_status(job.status)]


def _load_job(key: str, data: list[Any], informers: Informers) -> Job:
    item, status = data
    job = Job.read(informers.get(JOB, key) if item is None else item)
    job.status = read_status(status)
    return job


def _job_of(pod: Object) -> str:
    namespace = pod["metadata"].get("namespace") or "default"
    return join(namespace, annotations_of(pod)[words.JOB_NAME])


def _restarts(pod: Object) -> int:
    status = pod.get("status") or {}
    statuses = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
    return sum(one.get("restartCount") or 0 for one in statuses)
