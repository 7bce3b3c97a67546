"""Kubernetes objects as far as a scheduler reads them.

Typed views of the JSON that kubectl prints: every field that is not named here is ignored, every field
that is absent or null takes its default. They are made by `convert`, once for each object; quantities
stay as written and are parsed by `scheduler_core.objects.amounts.requests`.
"""

from typing import Any, TypeVar

import msgspec

Labels = dict[str, str]
ResourceList = dict[str, str | int | float]


class KubernetesObject(msgspec.Struct, rename="camel", frozen=True, gc=False):
    """Base: camel-case field names, unknown fields ignored, immutable."""


class OwnerReference(KubernetesObject, rename="camel", frozen=True):
    kind: str = ""
    name: str = ""
    uid: str = ""
    api_version: str = ""
    controller: bool | None = None


class ObjectMeta(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    namespace: str | None = None
    uid: str | None = None
    labels: Labels | None = None
    annotations: Labels | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    owner_references: list[OwnerReference] | None = None


class LabelSelectorRequirement(KubernetesObject, rename="camel", frozen=True):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None


class LabelSelector(KubernetesObject, rename="camel", frozen=True):
    match_labels: Labels | None = None
    match_expressions: list[LabelSelectorRequirement] | None = None


class NodeSelectorTerm(KubernetesObject, rename="camel", frozen=True):
    match_expressions: list[LabelSelectorRequirement] | None = None
    match_fields: list[LabelSelectorRequirement] | None = None


class NodeSelector(KubernetesObject, rename="camel", frozen=True):
    node_selector_terms: list[NodeSelectorTerm] | None = None


class PreferredSchedulingTerm(KubernetesObject, rename="camel", frozen=True):
    weight: int = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(KubernetesObject, rename="camel", frozen=True):
    required: NodeSelector | None = msgspec.field(
        default=None, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: list[PreferredSchedulingTerm] | None = msgspec.field(
        default=None, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class PodAffinityTerm(KubernetesObject, rename="camel", frozen=True):
    topology_key: str = ""
    label_selector: LabelSelector | None = None
    namespaces: list[str] | None = None
    namespace_selector: LabelSelector | None = None
    match_label_keys: list[str] | None = None
    mismatch_label_keys: list[str] | None = None


class WeightedPodAffinityTerm(KubernetesObject, rename="camel", frozen=True):
    weight: int = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(KubernetesObject, rename="camel", frozen=True):
    """Also the type of `podAntiAffinity`: both have the same fields."""

    required: list[PodAffinityTerm] | None = msgspec.field(
        default=None, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: list[WeightedPodAffinityTerm] | None = msgspec.field(
        default=None, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class Affinity(KubernetesObject, rename="camel", frozen=True):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class Taint(KubernetesObject, rename="camel", frozen=True):
    key: str = ""
    value: str | None = None
    effect: str = ""
    time_added: str | None = None


class Toleration(KubernetesObject, rename="camel", frozen=True):
    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: int | None = None


class TopologySpreadConstraint(KubernetesObject, rename="camel", frozen=True):
    max_skew: int = 1
    topology_key: str = ""
    when_unsatisfiable: str = "DoNotSchedule"
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: list[str] | None = None


class ResourceRequirements(KubernetesObject, rename="camel", frozen=True):
    requests: ResourceList | None = None
    limits: ResourceList | None = None
    claims: list[Any] | None = None


class ContainerPort(KubernetesObject, rename="camel", frozen=True):
    container_port: int | None = None
    host_port: int | None = None
    host_ip: str | None = msgspec.field(default=None, name="hostIP")
    protocol: str | None = None


class ContainerRestartRule(KubernetesObject, rename="camel", frozen=True):
    action: str = ""


class Container(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    image: str | None = None
    ports: list[ContainerPort] | None = None
    resources: ResourceRequirements | None = None
    restart_policy: str | None = None
    restart_policy_rules: list[ContainerRestartRule] | None = None


class PersistentVolumeClaimVolumeSource(KubernetesObject, rename="camel", frozen=True):
    claim_name: str = ""


class PersistentVolumeClaimSpec(KubernetesObject, rename="camel", frozen=True):
    access_modes: list[str] | None = None
    resources: ResourceRequirements | None = None
    selector: LabelSelector | None = None
    storage_class_name: str | None = None
    volume_name: str = ""
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None


class VolumeClaimTemplate(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()


class EphemeralVolumeSource(KubernetesObject, rename="camel", frozen=True):
    volume_claim_template: VolumeClaimTemplate | None = None


class ImageVolumeSource(KubernetesObject, rename="camel", frozen=True):
    reference: str | None = None


class Volume(KubernetesObject, rename="camel", frozen=True):
    """A pod's volume. The in-tree disks stay as written."""

    name: str = ""
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    image: ImageVolumeSource | None = None
    csi: dict[str, Any] | None = None
    gce_persistent_disk: dict[str, Any] | None = None
    aws_elastic_block_store: dict[str, Any] | None = None
    iscsi: dict[str, Any] | None = None
    rbd: dict[str, Any] | None = None
    azure_disk: dict[str, Any] | None = None
    azure_file: dict[str, Any] | None = None
    cinder: dict[str, Any] | None = None
    vsphere_volume: dict[str, Any] | None = None
    portworx_volume: dict[str, Any] | None = None


class PodSchedulingGate(KubernetesObject, rename="camel", frozen=True):
    name: str = ""


class SchedulingGroup(KubernetesObject, rename="camel", frozen=True):
    pod_group_name: str | None = None


class PodSpec(KubernetesObject, rename="camel", frozen=True):
    containers: list[Container] | None = None
    init_containers: list[Container] | None = None
    node_name: str | None = None
    node_selector: Labels | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    scheduler_name: str | None = None
    priority: int | None = None
    priority_class_name: str | None = None
    runtime_class_name: str | None = None
    preemption_policy: str | None = None
    overhead: ResourceList | None = None
    resources: ResourceRequirements | None = None
    scheduling_gates: list[PodSchedulingGate] | None = None
    volumes: list[Volume] | None = None
    resource_claims: list[Any] | None = None
    host_network: bool | None = None
    host_users: bool | None = None
    termination_grace_period_seconds: int | None = None
    scheduling_group: SchedulingGroup | None = None


class PodCondition(KubernetesObject, rename="camel", frozen=True):
    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None


class ContainerStatus(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    resources: ResourceRequirements | None = None
    allocated_resources: ResourceList | None = None


class PodStatus(KubernetesObject, rename="camel", frozen=True):
    phase: str | None = None
    qos_class: str | None = None
    start_time: str | None = None
    nominated_node_name: str | None = None
    conditions: list[PodCondition] | None = None
    container_statuses: list[ContainerStatus] | None = None
    init_container_statuses: list[ContainerStatus] | None = None
    resources: ResourceRequirements | None = None
    allocated_resources: ResourceList | None = None
    resource_claim_statuses: list[Any] | None = None
    extended_resource_claim_status: dict[str, Any] | None = None


class Pod(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()


class ContainerImage(KubernetesObject, rename="camel", frozen=True):
    names: list[str] | None = None
    size_bytes: int | None = None


class NodeSpec(KubernetesObject, rename="camel", frozen=True):
    unschedulable: bool | None = None
    taints: list[Taint] | None = None


class NodeCondition(KubernetesObject, rename="camel", frozen=True):
    type: str = ""
    status: str = ""


class NodeStatus(KubernetesObject, rename="camel", frozen=True):
    allocatable: ResourceList | None = None
    capacity: ResourceList | None = None
    images: list[ContainerImage] | None = None
    conditions: list[NodeCondition] | None = None
    declared_features: list[str] | None = None


class Node(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()


class Namespace(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()


class ServiceSpec(KubernetesObject, rename="camel", frozen=True):
    selector: Labels | None = None


class Service(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ServiceSpec = ServiceSpec()


class PodDisruptionBudgetSpec(KubernetesObject, rename="camel", frozen=True):
    selector: LabelSelector | None = None
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(KubernetesObject, rename="camel", frozen=True):
    disruptions_allowed: int = 0
    desired_healthy: int = 0
    current_healthy: int = 0
    expected_pods: int = 0
    observed_generation: int = 0
    disrupted_pods: dict[str, Any] | None = None


class PodDisruptionBudget(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus = PodDisruptionBudgetStatus()


T = TypeVar("T", bound=KubernetesObject)


def convert(document: dict[str, Any], kind: type[T]) -> T:
    """Return the typed view of one object as kubectl prints it.

    Nulls count as absent, as the API server reads them. Raises msgspec.ValidationError, whose message
    names the path, where a field has another type than Kubernetes gives it.
    """
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError:
        return msgspec.convert(_without_nulls(document), kind)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value
