"""Kinds that admission, edits and controllers read as kubectl prints them, as far as they read them.

What the scheduler itself reads has its views in `types` and `storage`. These are made only to check an
object: each field that anything looks at is named here, so that what fits can be read without a second look.
"""

import msgspec

from scheduler_core.objects.types import (
    KubernetesObject,
    Labels,
    LabelSelector,
    ObjectMeta,
    OwnerReference,
    PodSpec,
    ResourceList,
    Toleration,
    VolumeClaimTemplate,
)


class Template(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


class Ordinals(KubernetesObject, frozen=True):
    start: int | None = None


class RollingUpdate(KubernetesObject, frozen=True):
    max_surge: int | str | None = None


class Strategy(KubernetesObject, frozen=True):
    """How a Deployment replaces its pods."""

    type: str | None = None
    rolling_update: RollingUpdate | None = None


class WorkloadSpec(KubernetesObject, frozen=True):
    replicas: int | None = None
    parallelism: int | None = None
    completions: int | None = None
    completion_mode: str | None = None
    suspend: bool | None = None
    selector: LabelSelector | None = None
    strategy: Strategy | None = None
    template: Template | None = None
    ordinals: Ordinals | None = None
    volume_claim_templates: list[VolumeClaimTemplate] | None = None


class WorkloadStatus(KubernetesObject, frozen=True):
    """What the controllers count as ready, each in its own field."""

    desired_number_scheduled: int | None = None
    number_ready: int | None = None
    ready_replicas: int | None = None
    ready: int | None = None
    active: int | None = None


class Workload(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()


class ControllerSpec(KubernetesObject, frozen=True):
    replicas: int | None = None
    selector: Labels | None = None
    template: Template | None = None


class ReplicationController(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ControllerSpec = ControllerSpec()
    status: WorkloadStatus = WorkloadStatus()


class JobTemplate(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = WorkloadSpec()


class CronJobSpec(KubernetesObject, frozen=True):
    suspend: bool | None = None
    job_template: JobTemplate = JobTemplate()


class CronJobStatus(KubernetesObject, frozen=True):
    """Nothing of it is read, but it must be an object."""


class CronJob(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: CronJobSpec = CronJobSpec()
    status: CronJobStatus = CronJobStatus()


class PriorityClass(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    value: int = 0
    global_default: bool | None = None
    preemption_policy: str | None = None


class LimitRangeItem(KubernetesObject, frozen=True):
    type: str = ""
    max: ResourceList | None = None
    min: ResourceList | None = None
    default: ResourceList | None = None
    default_request: ResourceList | None = None
    max_limit_request_ratio: ResourceList | None = None


class LimitRangeSpec(KubernetesObject, frozen=True):
    limits: list[LimitRangeItem] | None = None


class LimitRange(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: LimitRangeSpec = LimitRangeSpec()


class ScopeRequirement(KubernetesObject, frozen=True):
    scope_name: str = ""
    operator: str = ""
    values: list[str] | None = None


class ScopeSelector(KubernetesObject, frozen=True):
    match_expressions: list[ScopeRequirement] | None = None


class QuotaSpec(KubernetesObject, frozen=True):
    hard: ResourceList | None = None
    scopes: list[str] | None = None
    scope_selector: ScopeSelector | None = None


class QuotaStatus(KubernetesObject, frozen=True):
    hard: ResourceList | None = None
    used: ResourceList | None = None


class ResourceQuota(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: QuotaSpec = QuotaSpec()
    status: QuotaStatus = QuotaStatus()


class Overhead(KubernetesObject, frozen=True):
    pod_fixed: ResourceList | None = None


class RuntimeScheduling(KubernetesObject, frozen=True):
    node_selector: Labels | None = None
    tolerations: list[Toleration] | None = None


class RuntimeClass(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    overhead: Overhead | None = None
    scheduling: RuntimeScheduling | None = None


class Owned(KubernetesObject, frozen=True):
    """What is read of the metadata of any kind: whom the object belongs to."""

    owner_references: list[OwnerReference] | None = None


class CustomKind(KubernetesObject, frozen=True):
    """A kind that is known, and checked by those whose it is."""

    metadata: ObjectMeta = ObjectMeta()


class AnyKind(KubernetesObject, frozen=True):
    metadata: Owned = Owned()


class Disk(KubernetesObject, frozen=True):
    """The in-tree disks of pods and persistent volumes, as far as they are told apart."""

    volume_id: str | None = msgspec.field(default=None, name="volumeID")
    pd_name: str | None = None
    disk_uri: str | None = msgspec.field(default=None, name="diskURI")
    iqn: str | None = None
    monitors: list[str] | None = None
    pool: str | None = None
    image: str | None = None
