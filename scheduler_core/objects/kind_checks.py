"""What must be right in the objects around the pods: nodes, workloads, classes, budgets, limits.

Each kind that the engine uses has one entry in `KIND_CHECKS`: the typed view that it must fit, and a
function that notes what the types cannot say. Kinds without an entry are kept as they are and never refused.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from scheduler_core.objects.findings import MAX_INT32, Findings
from scheduler_core.objects.kinds import is_foreign
from scheduler_core.objects.pod_checks import PREEMPTION_POLICIES, TAINT_EFFECTS, check_pod, check_pod_spec
from scheduler_core.objects.types import (
    KubernetesObject,
    Labels,
    LabelSelector,
    Namespace,
    Node,
    ObjectMeta,
    Pod,
    PodDisruptionBudget,
    PodSpec,
    ResourceList,
    Toleration,
)


class _Template(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


class _WorkloadSpec(KubernetesObject, frozen=True):
    replicas: int | None = None
    parallelism: int | None = None
    completions: int | None = None
    selector: LabelSelector | None = None
    template: _Template | None = None


class _Workload(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _WorkloadSpec = _WorkloadSpec()


class _ControllerSpec(KubernetesObject, frozen=True):
    replicas: int | None = None
    selector: Labels | None = None
    template: _Template | None = None


class _ReplicationController(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _ControllerSpec = _ControllerSpec()


class _JobTemplate(KubernetesObject, frozen=True):
    spec: _WorkloadSpec = _WorkloadSpec()


class _CronJobSpec(KubernetesObject, frozen=True):
    job_template: _JobTemplate = _JobTemplate()


class _CronJob(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _CronJobSpec = _CronJobSpec()


class _PriorityClass(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    value: int = 0
    global_default: bool | None = None
    preemption_policy: str | None = None


class _LimitRangeItem(KubernetesObject, frozen=True):
    type: str = ""
    max: ResourceList | None = None
    min: ResourceList | None = None
    default: ResourceList | None = None
    default_request: ResourceList | None = None
    max_limit_request_ratio: ResourceList | None = None


class _LimitRangeSpec(KubernetesObject, frozen=True):
    limits: list[_LimitRangeItem] | None = None


class _LimitRange(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _LimitRangeSpec = _LimitRangeSpec()


class _QuotaAmounts(KubernetesObject, frozen=True):
    hard: ResourceList | None = None
    used: ResourceList | None = None


class _ResourceQuota(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _QuotaAmounts = _QuotaAmounts()
    status: _QuotaAmounts = _QuotaAmounts()


class _Overhead(KubernetesObject, frozen=True):
    pod_fixed: ResourceList | None = None


class _RuntimeScheduling(KubernetesObject, frozen=True):
    node_selector: Labels | None = None
    tolerations: list[Toleration] | None = None


class _RuntimeClass(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    overhead: _Overhead | None = None
    scheduling: _RuntimeScheduling | None = None


class _StorageRequests(KubernetesObject, frozen=True):
    requests: ResourceList | None = None


class _ClaimSpec(KubernetesObject, frozen=True):
    resources: _StorageRequests | None = None
    access_modes: list[str] | None = None
    volume_name: str | None = None
    storage_class_name: str | None = None


class _Claim(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _ClaimSpec = _ClaimSpec()


class _VolumeSpec(KubernetesObject, frozen=True):
    capacity: ResourceList | None = None
    access_modes: list[str] | None = None


class _Volume(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: _VolumeSpec = _VolumeSpec()


class _StorageClass(KubernetesObject, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    volume_binding_mode: str | None = None


class KindCheck(NamedTuple):
    """The typed view of a kind, whether it lives in a namespace, and what else is looked at."""

    view: type[KubernetesObject]
    namespaced: bool
    check: Callable[[Findings, Any], None]


def _check_node(findings: Findings, node: Node) -> None:
    findings.amounts("status.allocatable", node.status.allocatable)
    findings.amounts("status.capacity", node.status.capacity)
    for index, taint in enumerate(node.spec.taints or ()):
        if not taint.key:
            findings.add(f"spec.taints[{index}].key", "must not be empty")
        if not taint.effect:
            findings.add(f"spec.taints[{index}].effect", f"must be one of {', '.join(TAINT_EFFECTS)}")
        findings.choice(f"spec.taints[{index}].effect", taint.effect, TAINT_EFFECTS)


def _check_budget(findings: Findings, budget: PodDisruptionBudget) -> None:
    findings.label_selector("spec.selector", budget.spec.selector)
    findings.within("status.disruptionsAllowed", budget.status.disruptions_allowed, 0, MAX_INT32)


def _check_workload(findings: Findings, workload: _Workload) -> None:
    _check_workload_spec(findings, "spec", workload.spec)


def _check_workload_spec(findings: Findings, path: str, spec: _WorkloadSpec) -> None:
    for name in ("replicas", "parallelism", "completions"):
        findings.within(f"{path}.{name}", getattr(spec, name), 0, MAX_INT32)
    findings.label_selector(f"{path}.selector", spec.selector)
    _check_template(findings, path, spec.template)


def _check_template(findings: Findings, path: str, template: _Template | None) -> None:
    if template is not None:
        check_pod_spec(findings, f"{path}.template.spec", template.spec)


def _check_replication_controller(findings: Findings, controller: _ReplicationController) -> None:
    findings.within("spec.replicas", controller.spec.replicas, 0, MAX_INT32)
    _check_template(findings, "spec", controller.spec.template)


def _check_cron_job(findings: Findings, cron_job: _CronJob) -> None:
    _check_workload_spec(findings, "spec.jobTemplate.spec", cron_job.spec.job_template.spec)


def _check_priority_class(findings: Findings, priority_class: _PriorityClass) -> None:
    findings.within("value", priority_class.value, -MAX_INT32 - 1, MAX_INT32)
    findings.choice("preemptionPolicy", priority_class.preemption_policy, PREEMPTION_POLICIES)


def _check_limit_range(findings: Findings, limit_range: _LimitRange) -> None:
    for index, item in enumerate(limit_range.spec.limits or ()):
        path = f"spec.limits[{index}]"
        findings.amounts(f"{path}.max", item.max)
        findings.amounts(f"{path}.min", item.min)
        findings.amounts(f"{path}.default", item.default)
        findings.amounts(f"{path}.defaultRequest", item.default_request)
        findings.amounts(f"{path}.maxLimitRequestRatio", item.max_limit_request_ratio)


def _check_quota(findings: Findings, quota: _ResourceQuota) -> None:
    findings.amounts("spec.hard", quota.spec.hard)
    findings.amounts("status.hard", quota.status.hard)
    findings.amounts("status.used", quota.status.used)


def _check_runtime_class(findings: Findings, runtime_class: _RuntimeClass) -> None:
    if runtime_class.overhead is not None:
        findings.amounts("overhead.podFixed", runtime_class.overhead.pod_fixed)


def _check_claim(findings: Findings, claim: _Claim) -> None:
    if claim.spec.resources is not None:
        findings.amounts("spec.resources.requests", claim.spec.resources.requests)


def _check_volume(findings: Findings, volume: _Volume) -> None:
    findings.amounts("spec.capacity", volume.spec.capacity)


def _check_storage_class(findings: Findings, storage_class: _StorageClass) -> None:
    modes = ("Immediate", "WaitForFirstConsumer")
    findings.choice("volumeBindingMode", storage_class.volume_binding_mode, modes)


def _check_nothing_else(findings: Findings, document: KubernetesObject) -> None:
    """The types say it all."""


KIND_CHECKS: dict[str, KindCheck] = {
    "Pod": KindCheck(Pod, True, check_pod),
    "Node": KindCheck(Node, False, _check_node),
    "Namespace": KindCheck(Namespace, False, _check_nothing_else),
    "PodDisruptionBudget": KindCheck(PodDisruptionBudget, True, _check_budget),
    "PriorityClass": KindCheck(_PriorityClass, False, _check_priority_class),
    "LimitRange": KindCheck(_LimitRange, True, _check_limit_range),
    "ResourceQuota": KindCheck(_ResourceQuota, True, _check_quota),
    "RuntimeClass": KindCheck(_RuntimeClass, False, _check_runtime_class),
    "Deployment": KindCheck(_Workload, True, _check_workload),
    "ReplicaSet": KindCheck(_Workload, True, _check_workload),
    "StatefulSet": KindCheck(_Workload, True, _check_workload),
    "DaemonSet": KindCheck(_Workload, True, _check_workload),
    "Job": KindCheck(_Workload, True, _check_workload),
    "CronJob": KindCheck(_CronJob, True, _check_cron_job),
    "ReplicationController": KindCheck(_ReplicationController, True, _check_replication_controller),
    "PersistentVolumeClaim": KindCheck(_Claim, True, _check_claim),
    "PersistentVolume": KindCheck(_Volume, False, _check_volume),
    "StorageClass": KindCheck(_StorageClass, False, _check_storage_class),
}
"""In the groups of `kinds.KIND_GROUPS`."""


def check_of(kind: str, api_version: str) -> KindCheck | None:
    """Return the check of a kind, or None where the engine does not use it (Volcano's Job is not batch's)."""
    if is_foreign({"kind": kind, "apiVersion": api_version}):
        return None
    return KIND_CHECKS.get(kind)
