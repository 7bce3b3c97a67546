"""What must be right in the objects around the pods: nodes, workloads, classes, budgets, limits.

Each kind that the engine uses has one entry in `KIND_CHECKS`: the typed view that it must fit, and a
function that notes what the types cannot say. Kinds without an entry are never refused; what is stored of
them, `privacy` decides.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from scheduler_core.objects import kinds
from scheduler_core.objects.checks.device_checks import (
    check_claim_template,
    check_resource_claim,
    check_resource_slice,
)
from scheduler_core.objects.checks.field_rules import MAX_INT32, MAX_INT64, Findings
from scheduler_core.objects.checks.pod_checks import (
    PREEMPTION_POLICIES,
    TAINT_EFFECTS,
    check_claim_spec,
    check_pod,
    check_pod_spec,
)
from scheduler_core.objects.checks.storage_checks import (
    check_capacity,
    check_claim,
    check_csi_node,
    check_storage_class,
    check_volume,
)
from scheduler_core.objects.dynamic_resources import (
    DeviceClass,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)
from scheduler_core.objects.kind_views import (
    CronJob,
    CustomKind,
    LimitRange,
    PriorityClass,
    ReplicationController,
    ResourceQuota,
    RuntimeClass,
    Template,
    Workload,
    WorkloadSpec,
)
from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.pod_groups import PodGroup
from scheduler_core.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from scheduler_core.objects.types import (
    KubernetesObject,
    Namespace,
    Node,
    Pod,
    PodDisruptionBudget,
    Service,
)

_PERCENTAGE = re.compile(r"0*(100|[0-9]{1,2})%", re.ASCII)
_ANY_PERCENTAGE = re.compile(r"0*[0-9]{1,9}%", re.ASCII)
"""A Deployment may have as many pods too many as it likes."""


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
    for index, image in enumerate(node.status.images or ()):
        findings.within(f"status.images[{index}].sizeBytes", image.size_bytes, -MAX_INT64 - 1, MAX_INT64)


def _check_budget(findings: Findings, budget: PodDisruptionBudget) -> None:
    findings.label_selector("spec.selector", budget.spec.selector)
    _check_share(findings, "spec.minAvailable", budget.spec.min_available)
    _check_share(findings, "spec.maxUnavailable", budget.spec.max_unavailable)
    findings.within("status.disruptionsAllowed", budget.status.disruptions_allowed, 0, MAX_INT32)
    findings.within("status.desiredHealthy", budget.status.desired_healthy, 0, MAX_INT32)
    findings.within("status.currentHealthy", budget.status.current_healthy, 0, MAX_INT32)


def _check_share(
    findings: Findings, field: str, share: int | str | None, *, of: re.Pattern[str] = _PERCENTAGE
) -> None:
    """Note what is neither a number of pods nor a percentage of them (ValidatePositiveIntOrPercent)."""
    if isinstance(share, int):
        findings.within(field, share, 0, MAX_INT32)
    elif share is not None and of.fullmatch(share) is None:
        limit = " up to 100%" if of is _PERCENTAGE else ""
        findings.add(field, f"must be a whole number or a percentage{limit}, not {share[:80]!r}")


def _check_workload(findings: Findings, workload: Workload) -> None:
    _check_workload_spec(findings, "spec", workload.spec)


def _check_workload_spec(findings: Findings, path: str, spec: WorkloadSpec) -> None:
    for name in ("replicas", "parallelism", "completions"):
        findings.within(f"{path}.{name}", getattr(spec, name), 0, MAX_INT32)
    if spec.ordinals is not None:
        findings.within(f"{path}.ordinals.start", spec.ordinals.start, 0, MAX_INT32)
    findings.label_selector(f"{path}.selector", spec.selector)
    if spec.strategy is not None and spec.strategy.rolling_update is not None:
        surge = spec.strategy.rolling_update.max_surge
        _check_share(findings, f"{path}.strategy.rollingUpdate.maxSurge", surge, of=_ANY_PERCENTAGE)
    _check_template(findings, path, spec.template)
    for index, template in enumerate(spec.volume_claim_templates or ()):
        check_claim_spec(findings, f"{path}.volumeClaimTemplates[{index}].spec", template.spec)


def _check_template(findings: Findings, path: str, template: Template | None) -> None:
    if template is not None:
        check_pod_spec(findings, f"{path}.template.spec", template.spec)


def _check_replication_controller(findings: Findings, controller: ReplicationController) -> None:
    findings.within("spec.replicas", controller.spec.replicas, 0, MAX_INT32)
    _check_template(findings, "spec", controller.spec.template)


def _check_cron_job(findings: Findings, cron_job: CronJob) -> None:
    _check_workload_spec(findings, "spec.jobTemplate.spec", cron_job.spec.job_template.spec)


def _check_priority_class(findings: Findings, priority_class: PriorityClass) -> None:
    findings.within("value", priority_class.value, -MAX_INT32 - 1, MAX_INT32)
    findings.choice("preemptionPolicy", priority_class.preemption_policy, PREEMPTION_POLICIES)


def _check_limit_range(findings: Findings, limit_range: LimitRange) -> None:
    for index, item in enumerate(limit_range.spec.limits or ()):
        path = f"spec.limits[{index}]"
        findings.amounts(f"{path}.max", item.max, may_be_negative=True)
        findings.amounts(f"{path}.min", item.min, may_be_negative=True)
        findings.amounts(f"{path}.default", item.default, may_be_negative=True)
        findings.amounts(f"{path}.defaultRequest", item.default_request, may_be_negative=True)
        findings.amounts(f"{path}.maxLimitRequestRatio", item.max_limit_request_ratio, may_be_negative=True)


def _check_quota(findings: Findings, quota: ResourceQuota) -> None:
    findings.amounts("spec.hard", quota.spec.hard)
    findings.amounts("status.hard", quota.status.hard)
    findings.amounts("status.used", quota.status.used)


def _check_runtime_class(findings: Findings, runtime_class: RuntimeClass) -> None:
    if runtime_class.overhead is not None:
        findings.amounts("overhead.podFixed", runtime_class.overhead.pod_fixed)


def _check_pod_group(findings: Findings, group: PodGroup) -> None:
    """Note what is wrong with a pod group of scheduling.k8s.io/v1alpha2 (pkg/apis/scheduling/validation)."""
    policy, constraints = group.spec.scheduling_policy, group.spec.scheduling_constraints
    if (policy.basic is None) == (policy.gang is None):
        findings.add("spec.schedulingPolicy", "must have either basic or gang")
    if policy.gang is not None:
        findings.within("spec.schedulingPolicy.gang.minCount", policy.gang.min_count, 1, MAX_INT32)
    findings.choice("spec.disruptionMode", group.spec.disruption_mode, ("Pod", "PodGroup"))
    findings.within("spec.priority", group.spec.priority, -MAX_INT32 - 1, MAX_INT32)
    for index, constraint in enumerate((constraints and constraints.topology) or ()):
        if not constraint.key:
            findings.add(f"spec.schedulingConstraints.topology[{index}].key", "must not be empty")


def _check_nothing_else(findings: Findings, document: KubernetesObject) -> None:
    """The types say it all."""


KIND_CHECKS: dict[Kind, KindCheck] = {
    kinds.POD: KindCheck(Pod, True, check_pod),
    kinds.NODE: KindCheck(Node, False, _check_node),
    kinds.NAMESPACE: KindCheck(Namespace, False, _check_nothing_else),
    kinds.POD_DISRUPTION_BUDGET: KindCheck(PodDisruptionBudget, True, _check_budget),
    kinds.PRIORITY_CLASS: KindCheck(PriorityClass, False, _check_priority_class),
    kinds.LIMIT_RANGE: KindCheck(LimitRange, True, _check_limit_range),
    kinds.RESOURCE_QUOTA: KindCheck(ResourceQuota, True, _check_quota),
    kinds.RUNTIME_CLASS: KindCheck(RuntimeClass, False, _check_runtime_class),
    kinds.DEPLOYMENT: KindCheck(Workload, True, _check_workload),
    kinds.REPLICA_SET: KindCheck(Workload, True, _check_workload),
    kinds.STATEFUL_SET: KindCheck(Workload, True, _check_workload),
    kinds.DAEMON_SET: KindCheck(Workload, True, _check_workload),
    kinds.JOB: KindCheck(Workload, True, _check_workload),
    kinds.CRON_JOB: KindCheck(CronJob, True, _check_cron_job),
    kinds.REPLICATION_CONTROLLER: KindCheck(ReplicationController, True, _check_replication_controller),
    kinds.SERVICE: KindCheck(Service, True, _check_nothing_else),
    kinds.DEVICE_CLASS: KindCheck(DeviceClass, False, _check_nothing_else),
    kinds.RESOURCE_CLAIM: KindCheck(ResourceClaim, True, check_resource_claim),
    kinds.RESOURCE_CLAIM_TEMPLATE: KindCheck(ResourceClaimTemplate, True, check_claim_template),
    kinds.RESOURCE_SLICE: KindCheck(ResourceSlice, False, check_resource_slice),
    kinds.POD_GROUP: KindCheck(PodGroup, True, _check_pod_group),
    kinds.PERSISTENT_VOLUME_CLAIM: KindCheck(PersistentVolumeClaim, True, check_claim),
    kinds.PERSISTENT_VOLUME: KindCheck(PersistentVolume, False, check_volume),
    kinds.STORAGE_CLASS: KindCheck(StorageClass, False, check_storage_class),
    kinds.CSI_NODE: KindCheck(CSINode, False, check_csi_node),
    kinds.CSI_DRIVER: KindCheck(CSIDriver, False, _check_nothing_else),
    kinds.CSI_STORAGE_CAPACITY: KindCheck(CSIStorageCapacity, True, check_capacity),
    kinds.VOLUME_ATTACHMENT: KindCheck(VolumeAttachment, False, _check_nothing_else),
    **{kind: KindCheck(CustomKind, own.namespaced, _check_nothing_else) for kind, own in sorted(OWN.items())},
}
