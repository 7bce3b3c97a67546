"""A Volcano Job as its controller reads and writes it.

Source: volcano.sh/apis v1.16 batch/v1alpha1 job.go.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import msgspec

from scheduler_core.go.duration import duration_text, parse_duration
from scheduler_core.objects.types import convert
from scheduler_core.volcano.controllers.kinds import (
    JOB,
    Object,
    annotations_of,
    controller_reference,
    is_leaving,
    join,
    labels_of,
)
from scheduler_core.volcano.model.job_objects import JobFields, TaskFields

FINISHED = ("Completed", "Failed", "Terminated")


class TaskSpec(TaskFields, rename="camel", frozen=True):
    """A task with its pods' template as written: pods get what nobody reads here, too."""

    template: dict[str, Any] = {}

    @property
    def pod_spec(self) -> dict[str, Any]:
        """The spec of the task's pods, to be read only."""
        return self.template.get("spec") or {}


class JobSpec(JobFields, rename="camel", frozen=True):
    tasks: list[TaskSpec] = []

    def task(self, name: str) -> TaskSpec | None:
        """Return the task of this name, None where there is none."""
        return next((task for task in self.tasks if task.name == name), None)

    @property
    def replicas(self) -> int:
        """How many pods all tasks have together."""
        return sum(task.replicas for task in self.tasks)

    @property
    def task_minimums(self) -> int:
        """How many pods the tasks need at least, together; a task that doesn't say needs all of its own."""
        return sum(task.replicas if task.min_available is None else task.min_available for task in self.tasks)


class Condition(msgspec.Struct, frozen=True):
    """A phase that the job has had, and since when."""

    status: str
    since: str | None


@dataclass
class JobStatus:
    """A job's status. `task_counts` has the pods of each task by phase, `running_seconds` may be absent."""

    phase: str = ""
    since: str | None = None
    min_available: int = 0
    pending: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    terminating: int = 0
    unknown: int = 0
    version: int = 0
    retry_count: int = 0
    task_counts: dict[str, dict[str, int]] = field(default_factory=dict)
    controlled: dict[str, str] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)
    running_seconds: int | None = None

    def note_phase(self, now: str) -> None:
        """Set when the phase began, and put its condition last; a phase has one condition only."""
        self.since = now
        others = [condition for condition in self.conditions if condition.status != self.phase]
        self.conditions = [*others, Condition(self.phase, now)]


def read_status(told: dict[str, Any] | None) -> JobStatus:
    """Read the status of a job as the API server has it."""
    told = told or {}
    state = told.get("state") or {}
    duration = told.get("runningDuration")
    return JobStatus(
        phase=state.get("phase") or "",
        since=state.get("lastTransitionTime"),
        min_available=told.get("minAvailable") or 0,
        pending=told.get("pending") or 0,
        running=told.get("running") or 0,
        succeeded=told.get("succeeded") or 0,
        failed=told.get("failed") or 0,
        terminating=told.get("terminating") or 0,
        unknown=told.get("unknown") or 0,
        version=told.get("version") or 0,
        retry_count=told.get("retryCount") or 0,
        task_counts={
            name: dict(counts.get("phase") or {})
            for name, counts in (told.get("taskStatusCount") or {}).items()
        },
        controlled=dict(told.get("controlledResources") or {}),
        conditions=[
            Condition(condition.get("status") or "", condition.get("lastTransitionTime"))
            for condition in told.get("conditions") or ()
        ],
        running_seconds=None if duration is None else (parse_duration(str(duration)) or 0) // 10**9,
    )


def written_status(status: JobStatus) -> dict[str, Any]:
    """Return a status as the API server has it."""
    plain: dict[str, Any] = {
        "minAvailable": status.min_available,
        "pending": status.pending,
        "running": status.running,
        "succeeded": status.succeeded,
        "failed": status.failed,
        "terminating": status.terminating,
        "unknown": status.unknown,
        "version": status.version,
        "retryCount": status.retry_count,
        "taskStatusCount": {name: {"phase": dict(counts)} for name, counts in status.task_counts.items()},
        "controlledResources": dict(status.controlled),
        "conditions": [{"status": one.status, "lastTransitionTime": one.since} for one in status.conditions],
    }
    written = {name: value for name, value in plain.items() if value}
    if status.running_seconds is not None:
        written["runningDuration"] = duration_text(status.running_seconds * 10**9)
    state = {"phase": status.phase, "lastTransitionTime": status.since}
    return {"state": {name: value for name, value in state.items() if value}} | written


@dataclass
class Job:
    """A job: its object as last read, its spec, and its status, which may be ahead of the object's."""

    item: Object
    spec: JobSpec
    status: JobStatus

    @classmethod
    def read(cls, item: Object) -> Job:
        """Read a job. Raises msgspec.ValidationError where a field has another type than Volcano gives it."""
        return cls(item, convert(item.get("spec") or {}, JobSpec), read_status(item.get("status")))

    def copy(self) -> Job:
        """Return a copy whose status is its own."""
        return Job(self.item, self.spec, copy.deepcopy(self.status))

    def written(self) -> Object:
        """Return the object with the status as it is here."""
        return self.item | {"status": written_status(self.status)}

    @property
    def name(self) -> str:
        return str(self.item["metadata"]["name"])

    @property
    def namespace(self) -> str:
        return self.item["metadata"].get("namespace") or "default"

    @property
    def key(self) -> str:
        """`namespace/name`."""
        return join(self.namespace, self.name)

    @property
    def uid(self) -> str:
        return self.item["metadata"].get("uid") or ""

    @property
    def resource_version(self) -> int:
        """The version of the object that this was read from."""
        return int(self.item["metadata"].get("resourceVersion") or 0)

    @property
    def annotations(self) -> dict[str, str]:
        return annotations_of(self.item)

    @property
    def labels(self) -> dict[str, str]:
        return labels_of(self.item)

    @property
    def leaving(self) -> bool:
        """Whether the job has been asked to go."""
        return is_leaving(self.item)

    @property
    def as_controller(self) -> Object:
        """The owner reference of what the job controls."""
        return controller_reference(JOB, self.name, self.uid)
