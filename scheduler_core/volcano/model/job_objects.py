"""Volcano's jobs, and what makes such: cron jobs, templates and flows of jobs, as far as they are read.

Checks read the template of a task's pods by its fields; the job controller hands it on as it was written, and
has a task's and a job's other fields from here (`controllers/job/job.py`).

Source: volcano.sh/apis v1.16 batch/v1alpha1 job.go, flow/v1alpha1 jobflow_types.go.
"""

from typing import Annotated, Any

import msgspec

from scheduler_core.objects.kind_views import Template
from scheduler_core.objects.types import KubernetesObject, ObjectMeta

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class NetworkTopology(KubernetesObject, rename="camel", frozen=True):
    mode: str = ""
    highest_tier_allowed: int | None = None
    highest_tier_name: str = ""

    @property
    def names_two_tiers(self) -> bool:
        """Whether the highest tier is given by number and by name."""
        return self.highest_tier_allowed is not None and self.highest_tier_name != ""


class LifecyclePolicy(KubernetesObject, rename="camel", frozen=True):
    action: str = ""
    event: str = ""
    events: list[str] | None = None
    exit_code: Int32 | None = None
    timeout: str | None = None


class DependsOn(KubernetesObject, rename="camel", frozen=True):
    name: list[str] | None = None
    iteration: str = ""


class PartitionPolicy(KubernetesObject, rename="camel", frozen=True):
    total_partitions: Int32 = 0
    partition_size: Int32 = 0
    min_partitions: Int32 = 0
    network_topology: NetworkTopology | None = None


class TaskFields(KubernetesObject, rename="camel", frozen=True):
    """What is said of a task, but for its pods' template."""

    name: str = ""
    replicas: Int32 = 0
    min_available: Int32 | None = None
    policies: list[LifecyclePolicy] | None = None
    topology_policy: str = ""
    max_retry: Int32 = 0
    depends_on: DependsOn | None = None
    partition_policy: PartitionPolicy | None = None


class TaskSpec(TaskFields, rename="camel", frozen=True):
    template: Template = Template()


class VolumeSpec(KubernetesObject, rename="camel", frozen=True):
    mount_path: str = ""
    volume_claim_name: str = ""
    volume_claim: dict[str, Any] | None = None


class JobFields(KubernetesObject, rename="camel", frozen=True):
    """What is said of a job, but for its tasks."""

    scheduler_name: str = ""
    min_available: Int32 = 0
    volumes: list[VolumeSpec] | None = None
    policies: list[LifecyclePolicy] | None = None
    plugins: dict[str, list[str] | None] | None = None
    queue: str = ""
    max_retry: Int32 = 0
    ttl_seconds_after_finished: Int32 | None = None
    priority_class_name: str = ""
    min_success: Int32 | None = None
    network_topology: NetworkTopology | None = None


class JobSpec(JobFields, rename="camel", frozen=True):
    tasks: list[TaskSpec] | None = None


class Job(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class CronJobTemplate(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class CronJobSpec(KubernetesObject, rename="camel", frozen=True):
    """`time_zone` is a name of the time zone database; None is that of the controllers, UTC here."""

    schedule: str = ""
    time_zone: str | None = None
    starting_deadline_seconds: int | None = None
    concurrency_policy: str = ""
    suspend: bool | None = None
    job_template: CronJobTemplate = CronJobTemplate()
    successful_jobs_history_limit: int | None = 3
    failed_jobs_history_limit: int | None = 1


class JobReference(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    namespace: str = ""
    uid: str = ""


class CronJobStatus(KubernetesObject, rename="camel", frozen=True):
    active: list[JobReference] | None = None
    last_schedule_time: str | None = None
    last_successful_time: str | None = None


class CronJob(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: CronJobSpec = CronJobSpec()
    status: CronJobStatus = CronJobStatus()


class JobTemplate(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class FlowDependsOn(KubernetesObject, rename="camel", frozen=True):
    targets: list[str] | None = None


class Flow(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    depends_on: FlowDependsOn | None = None


class JobFlowSpec(KubernetesObject, rename="camel", frozen=True):
    flows: list[Flow] | None = None
    job_retain_policy: str = ""


class FlowState(KubernetesObject, rename="camel", frozen=True):
    phase: str = ""


class JobFlowStatus(KubernetesObject, rename="camel", frozen=True):
    state: FlowState = FlowState()


class JobFlow(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobFlowSpec = JobFlowSpec()
    status: JobFlowStatus = JobFlowStatus()
