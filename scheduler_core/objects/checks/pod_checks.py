"""What a scheduler needs to be right in a pod, or in the pod template of a workload.

In comes a typed pod spec, out go findings with the paths of the faulty fields. Missing fields are never a
fault: their defaults apply. The rules are those of the API server's ValidatePodSpec.
"""

from scheduler_core.objects.checks.field_rules import LABEL_OPERATORS, MAX_INT32, NODE_OPERATORS, Findings
from scheduler_core.objects.kind_views import Disk
from scheduler_core.objects.storage import PersistentVolumeSpec
from scheduler_core.objects.types import (
    Affinity,
    Container,
    ContainerStatus,
    NodeAffinity,
    NodeSelector,
    NodeSelectorTerm,
    PersistentVolumeClaimSpec,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodSpec,
    PodStatus,
    Toleration,
    TopologySpreadConstraint,
    Volume,
)

TAINT_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
PREEMPTION_POLICIES = ("PreemptLowerPriority", "Never")
PHASES = ("Pending", "Running", "Succeeded", "Failed", "Unknown")
PROTOCOLS = ("TCP", "UDP", "SCTP")
_TOLERATION_OPERATORS = ("Exists", "Equal", "Lt", "Gt")
SPREAD_ACTIONS = ("DoNotSchedule", "ScheduleAnyway")
_INCLUSION_POLICIES = ("Honor", "Ignore")
_DISKS = (
    ("aws_elastic_block_store", "awsElasticBlockStore"),
    ("azure_disk", "azureDisk"),
    ("azure_file", "azureFile"),
    ("cinder", "cinder"),
    ("gce_persistent_disk", "gcePersistentDisk"),
    ("iscsi", "iscsi"),
    ("portworx_volume", "portworxVolume"),
    ("rbd", "rbd"),
    ("vsphere_volume", "vsphereVolume"),
)
"""Where the in-tree disks stand in a typed view, and in the object."""
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def check_pod(findings: Findings, pod: Pod) -> None:
    """Note what is wrong with a pod's spec and status."""
    check_pod_spec(findings, "spec", pod.spec)
    if pod.spec.node_name:
        findings.subdomain("spec.nodeName", pod.spec.node_name)
    _check_status(findings, pod.status)


def check_pod_spec(findings: Findings, path: str, spec: PodSpec) -> None:
    """Note what is wrong with a pod spec that stands at `path`."""
    _check_containers(findings, f"{path}.containers", spec.containers)
    _check_containers(findings, f"{path}.initContainers", spec.init_containers)
    if spec.overhead:
        findings.amounts(f"{path}.overhead", spec.overhead)
    if spec.resources is not None:
        findings.amounts(f"{path}.resources.requests", spec.resources.requests)
        findings.amounts(f"{path}.resources.limits", spec.resources.limits)
    findings.within(f"{path}.priority", spec.priority, -MAX_INT32 - 1, MAX_INT32)
    findings.choice(f"{path}.preemptionPolicy", spec.preemption_policy, PREEMPTION_POLICIES)
    for index, toleration in enumerate(spec.tolerations or ()):
        _check_toleration(findings, f"{path}.tolerations[{index}]", toleration)
    for index, constraint in enumerate(spec.topology_spread_constraints or ()):
        place = f"{path}.topologySpreadConstraints[{index}]"
        check_spread_constraint(findings, place, constraint)
        findings.label_selector(f"{place}.labelSelector", constraint.label_selector)
    if spec.affinity is not None:
        _check_affinity(findings, f"{path}.affinity", spec.affinity)
    for index, volume in enumerate(spec.volumes or ()):
        _check_volume(findings, f"{path}.volumes[{index}]", volume)


def _check_volume(findings: Findings, path: str, volume: Volume) -> None:
    check_disks(findings, path, volume)
    template = volume.ephemeral.volume_claim_template if volume.ephemeral is not None else None
    if template is not None:
        check_claim_spec(findings, f"{path}.ephemeral.volumeClaimTemplate.spec", template.spec)


def check_disks(findings: Findings, path: str, holder: Volume | PersistentVolumeSpec) -> None:
    """Note what does not fit in the in-tree disks of a volume."""
    for field, name in _DISKS:
        source = getattr(holder, field, None)
        if source is not None:
            findings.view(f"{path}.{name}", source, Disk)


def check_claim_spec(findings: Findings, path: str, spec: PersistentVolumeClaimSpec) -> None:
    """Note what is wrong with a claim's spec, also of one that is yet to be made."""
    if spec.resources is not None:
        findings.amounts(f"{path}.resources.requests", spec.resources.requests)
    findings.label_selector(f"{path}.selector", spec.selector)


def _check_status(findings: Findings, status: PodStatus) -> None:
    _check_allocation(findings, "status", status)
    findings.choice("status.phase", status.phase, PHASES)
    findings.timestamp("status.startTime", status.start_time)
    for name, containers in (
        ("containerStatuses", status.container_statuses),
        ("initContainerStatuses", status.init_container_statuses),
    ):
        for index, container in enumerate(containers or ()):
            _check_allocation(findings, f"status.{name}[{index}]", container)


def _check_allocation(findings: Findings, path: str, status: PodStatus | ContainerStatus) -> None:
    if status.allocated_resources:
        findings.amounts(f"{path}.allocatedResources", status.allocated_resources)
    if status.resources is not None:
        findings.amounts(f"{path}.resources.requests", status.resources.requests)
        findings.amounts(f"{path}.resources.limits", status.resources.limits)


def _check_containers(findings: Findings, path: str, containers: list[Container] | None) -> None:
    for index, container in enumerate(containers or ()):
        if container.resources is not None:
            findings.amounts(f"{path}[{index}].resources.requests", container.resources.requests)
            findings.amounts(f"{path}[{index}].resources.limits", container.resources.limits)
        for number, port in enumerate(container.ports or ()):
            place = f"{path}[{index}].ports[{number}]"
            findings.within(f"{place}.containerPort", port.container_port, 1, 65_535)
            findings.within(f"{place}.hostPort", port.host_port, 0, 65_535)
            findings.choice(f"{place}.protocol", port.protocol, PROTOCOLS)


def _check_toleration(findings: Findings, path: str, toleration: Toleration) -> None:
    findings.choice(f"{path}.operator", toleration.operator, _TOLERATION_OPERATORS)
    findings.choice(f"{path}.effect", toleration.effect, TAINT_EFFECTS)
    if not toleration.key and toleration.operator != "Exists":
        findings.add(f"{path}.operator", "must be Exists when key is empty")
    elif toleration.operator == "Exists" and toleration.value:
        findings.add(f"{path}.value", "must be empty with operator Exists")


def check_spread_constraint(findings: Findings, path: str, constraint: TopologySpreadConstraint) -> None:
    """Note what is wrong with a constraint that stands at `path`, but for its label selector."""
    findings.within(f"{path}.maxSkew", constraint.max_skew, 1, MAX_INT32)
    findings.within(f"{path}.minDomains", constraint.min_domains, 1, MAX_INT32)
    findings.choice(f"{path}.whenUnsatisfiable", constraint.when_unsatisfiable, SPREAD_ACTIONS)
    findings.choice(f"{path}.nodeAffinityPolicy", constraint.node_affinity_policy, _INCLUSION_POLICIES)
    findings.choice(f"{path}.nodeTaintsPolicy", constraint.node_taints_policy, _INCLUSION_POLICIES)
    if not constraint.topology_key:
        findings.add(f"{path}.topologyKey", "must not be empty")


def _check_affinity(findings: Findings, path: str, affinity: Affinity) -> None:
    if affinity.node_affinity is not None:
        check_node_affinity(findings, f"{path}.nodeAffinity", affinity.node_affinity)
    if affinity.pod_affinity is not None:
        _check_pod_affinity(findings, f"{path}.podAffinity", affinity.pod_affinity)
    if affinity.pod_anti_affinity is not None:
        _check_pod_affinity(findings, f"{path}.podAntiAffinity", affinity.pod_anti_affinity)


def check_node_affinity(findings: Findings, path: str, affinity: NodeAffinity) -> None:
    """Note what is wrong with a node affinity that stands at `path`."""
    if affinity.required is not None:
        check_node_selector(findings, f"{path}.{_REQUIRED}", affinity.required)
    for index, preferred in enumerate(affinity.preferred or ()):
        findings.within(f"{path}.{_PREFERRED}[{index}].weight", preferred.weight, 1, 100)
        _check_node_term(findings, f"{path}.{_PREFERRED}[{index}].preference", preferred.preference)


def check_node_selector(findings: Findings, path: str, selector: NodeSelector) -> None:
    """Note what is wrong with a node selector that stands at `path`."""
    terms = selector.node_selector_terms or []
    if not terms:
        findings.add(f"{path}.nodeSelectorTerms", "must have at least one term")
    for index, term in enumerate(terms):
        _check_node_term(findings, f"{path}.nodeSelectorTerms[{index}]", term)


def _check_node_term(findings: Findings, path: str, term: NodeSelectorTerm) -> None:
    findings.requirements(f"{path}.matchExpressions", term.match_expressions or (), NODE_OPERATORS)
    for index, requirement in enumerate(term.match_fields or ()):
        place = f"{path}.matchFields[{index}]"
        if requirement.key != "metadata.name":
            findings.add(f"{place}.key", "must be metadata.name")
        elif requirement.operator not in LABEL_OPERATORS[:2]:
            findings.add(f"{place}.operator", f"must be In or NotIn, not {requirement.operator!r}")
        elif len(requirement.values or ()) != 1:
            findings.add(f"{place}.values", "must be a single node name")


def _check_pod_affinity(findings: Findings, path: str, affinity: PodAffinity) -> None:
    for index, term in enumerate(affinity.required or ()):
        _check_pod_term(findings, f"{path}.{_REQUIRED}[{index}]", term)
    for index, preferred in enumerate(affinity.preferred or ()):
        place = f"{path}.{_PREFERRED}[{index}]"
        findings.within(f"{place}.weight", preferred.weight, 1, 100)
        _check_pod_term(findings, f"{place}.podAffinityTerm", preferred.pod_affinity_term)


def _check_pod_term(findings: Findings, path: str, term: PodAffinityTerm) -> None:
    if not term.topology_key:
        findings.add(f"{path}.topologyKey", "must not be empty")
    findings.label_selector(f"{path}.labelSelector", term.label_selector)
    findings.label_selector(f"{path}.namespaceSelector", term.namespace_selector)
