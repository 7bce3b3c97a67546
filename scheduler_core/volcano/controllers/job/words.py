"""The words that jobs, their pods and their controller share: annotations, labels, events and actions.

Source: volcano.sh/apis v1.16 batch/v1alpha1 labels.go, bus/v1alpha1 events.go and actions.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.volcano.controllers.kinds import JOB, Object, annotations_of, controller_of

TASK_SPEC = "volcano.sh/task-spec"
TASK_INDEX = "volcano.sh/task-index"
JOB_NAME = "volcano.sh/job-name"
JOB_NAMESPACE = "volcano.sh/job-namespace"
JOB_VERSION = "volcano.sh/job-version"
JOB_RETRY_COUNT = "volcano.sh/job-retry-count"
QUEUE_NAME = "volcano.sh/queue-name"
TEMPLATE_UID = "volcano.sh/template-uid"
PARTITION_ID = "volcano.sh/partition-id"
NUMA_POLICY = "volcano.sh/numa-topology-policy"
OUT_OF_SYNC_MARK = "volcano.sh/controller-out-of-sync"
"""The annotation of a pod whose end says nothing about its job: the controller wants it gone."""
DEFAULT_TASK = "default"

ANY = "*"
OUT_OF_SYNC, COMMAND_ISSUED, UNKNOWN = "OutOfSync", "CommandIssued", "Unknown"
POD_PENDING, POD_RUNNING, POD_FAILED, POD_EVICTED = "PodPending", "PodRunning", "PodFailed", "PodEvicted"
TASK_COMPLETED, TASK_FAILED = "TaskCompleted", "TaskFailed"

SYNC, ENQUEUE, RESUME = "SyncJob", "EnqueueJob", "ResumeJob"
ABORT, RESTART, TERMINATE, COMPLETE = "AbortJob", "RestartJob", "TerminateJob", "CompleteJob"
RESTART_TASK, RESTART_POD, RESTART_PARTITION = "RestartTask", "RestartPod", "RestartPartition"


def pod_name(job: str, task: str, index: int) -> str:
    """Return the name of a task's pod."""
    return f"{job}-{task}-{index}"


def index_of(name: str) -> str:
    """Return the index at the end of a pod's name, as text; empty where the name has no such parts."""
    parts = name.split("-")
    return parts[-1] if len(parts) >= 3 else ""


def group_name(job: Mapping[str, Any]) -> str:
    """Return the name of the pod group that is made for a job."""
    return f"{job['metadata']['name']}-{job['metadata'].get('uid') or ''}"


def controlling_job(pod: Object) -> Object | None:
    """Return the owner reference of the Volcano job that controls a pod, None where another or none does."""
    return controller_of(pod, JOB)


def is_out_of_sync(pod: Object) -> bool:
    """Return whether the pod carries the mark."""
    return OUT_OF_SYNC_MARK in annotations_of(pod)
