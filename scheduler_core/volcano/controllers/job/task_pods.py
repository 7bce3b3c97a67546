"""A job's pods: what is made of a task's template.

Source: volcano v1.16 pkg/controllers/job/job_controller_util.go createJobPod.
"""

from __future__ import annotations

import copy

from scheduler_core.volcano.controllers.annotations import handed_on_annotations, handed_on_labels
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job, TaskSpec
from scheduler_core.volcano.controllers.job.plugins.plugin import append
from scheduler_core.volcano.controllers.job.volumes import random_part
from scheduler_core.volcano.controllers.kinds import POD, Object, new_object
from scheduler_core.volcano.model.custom_resources import GROUP_NAME


def make_pod(job: Job, task: TaskSpec, index: int) -> Object:
    """Return a new pod of a task, before the plugins change it."""
    template = copy.deepcopy(task.template)
    name = words.pod_name(job.name, task.name, index)
    pod = new_object(POD, job.namespace, name, job.as_controller)
    metadata = template.get("metadata") or {}
    pod["metadata"]["annotations"] = (metadata.get("annotations") or {}) | _annotations(job, task, index)
    pod["metadata"]["labels"] = (metadata.get("labels") or {}) | _labels(job, task, index)
    spec = pod["spec"] = template.get("spec") or {}
    if not spec.get("schedulerName"):
        spec["schedulerName"] = job.spec.scheduler_name
    if not spec.get("priorityClassName") and job.spec.priority_class_name:
        spec["priorityClassName"] = job.spec.priority_class_name
    _mount_volumes(job, pod)
    return pod


def _annotations(job: Job, task: TaskSpec, index: int) -> dict[str, str]:
    own = {
        words.TASK_INDEX: str(index),
        words.TASK_SPEC: task.name or words.DEFAULT_TASK,
        GROUP_NAME: words.group_name(job.item),
        words.JOB_NAME: job.name,
        words.QUEUE_NAME: job.spec.queue,
        words.JOB_VERSION: str(job.status.version),
        words.TEMPLATE_UID: f"{job.name}-{task.name}",
        words.JOB_RETRY_COUNT: str(job.status.retry_count),
    }
    if task.topology_policy:
        own[words.NUMA_POLICY] = task.topology_policy
    return own | handed_on_annotations(job.annotations)


def _labels(job: Job, task: TaskSpec, index: int) -> dict[str, str]:
    own = {
        words.TASK_INDEX: str(index),
        words.JOB_NAME: job.name,
        words.TASK_SPEC: task.name or words.DEFAULT_TASK,
        words.JOB_NAMESPACE: job.namespace,
        words.QUEUE_NAME: job.spec.queue,
    }
    own |= handed_on_labels(job.labels)
    if task.partition_policy is not None:
        size = task.partition_policy.partition_size
        own[words.PARTITION_ID] = str(index // size if size > 0 else 0)
    return own


def _mount_volumes(job: Job, pod: Object) -> None:
    mounted = set()
    for volume in job.spec.volumes or ():
        claim = volume.volume_claim_name
        if claim in mounted:
            continue
        mounted.add(claim)
        name = f"{job.name}-{random_part(job.uid, pod['metadata']['name'], claim)}"
        append(pod["spec"], "volumes", {"name": name, "persistentVolumeClaim": {"claimName": claim}})
        for container in pod["spec"].get("containers") or ():
            append(container, "volumeMounts", {"mountPath": volume.mount_path, "name": name})
