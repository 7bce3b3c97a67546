"""The arguments of plugins in a KubeSchedulerConfiguration: their fields, and what they may say.

Arguments of plugins that take none are not looked at, as the real scheduler does not.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/config/v1/types_pluginargs.go;
pkg/scheduler/apis/config/v1/defaults.go, validation/validation_pluginargs.go.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scheduler_core.kube import wording
from scheduler_core.kube.configuration.shape import API_VERSION, Int32, Int64, Part, field_and_reason
from scheduler_core.kube.gates import Gates
from scheduler_core.objects.checks.field_rules import MAX_INT32, Findings
from scheduler_core.objects.checks.pod_checks import check_spread_constraint
from scheduler_core.objects.types import NodeAffinity, TopologySpreadConstraint
from scheduler_core.predicates.node_term_faults import TermFault, term_faults

_STRATEGIES = ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")
_DEFAULTING = ("System", "List")
_MAX_SCORE = 10


class _Arguments(Part):
    api_version: str | None = None
    kind: str | None = None


class _Resource(Part):
    name: str = ""
    weight: Int64 | None = None


class _Point(Part):
    utilization: Int32 | None = None
    score: Int32 | None = None


class _Ratio(Part):
    shape: list[_Point] | None = None


class _Strategy(Part):
    type: str = ""
    resources: list[_Resource] | None = None
    requested_to_capacity_ratio: _Ratio | None = None


class _NodeResourcesFit(_Arguments):
    ignored_resources: list[str] | None = None
    ignored_resource_groups: list[str] | None = None
    scoring_strategy: _Strategy | None = None


class _NodeResourcesBalancedAllocation(_Arguments):
    resources: list[_Resource] | None = None


class _InterPodAffinity(_Arguments):
    hard_pod_affinity_weight: Int32 | None = None
    ignore_preferred_terms_of_existing_pods: bool | None = None


class _NodeAffinity(_Arguments):
    added_affinity: NodeAffinity | None = None


class _Constraint(TopologySpreadConstraint, rename="camel", frozen=True, forbid_unknown_fields=True):
    """A pod's constraint without its defaults: here they are not filled in."""

    max_skew: Int32 = 0
    when_unsatisfiable: str = ""
    min_domains: Int32 | None = None


class _PodTopologySpread(_Arguments):
    default_constraints: list[_Constraint] | None = None
    defaulting_type: str | None = None


class _DefaultPreemption(_Arguments):
    min_candidate_nodes_percentage: Int32 | None = None
    min_candidate_nodes_absolute: Int32 | None = None


class _VolumeBinding(_Arguments):
    bind_timeout_seconds: Int64 | None = None
    shape: list[_Point] | None = None


class _DynamicResources(_Arguments):
    filter_timeout: Any = None
    binding_timeout: Any = None


def check_arguments(
    findings: Findings, path: str, plugin: str, arguments: Mapping[str, Any], gates: Gates
) -> None:
    """Note what is wrong with a plugin's arguments that stand at `path`, under a release's gates."""
    if plugin not in _CHECKS:
        return
    shape, check = _CHECKS[plugin]
    try:
        read: Any = msgspec.convert(dict(arguments), shape)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(str(error))
        findings.add(".".join(part for part in (path, field) if part), reason)
        return
    findings.choice(f"{path}.apiVersion", read.api_version, (API_VERSION,))
    findings.choice(f"{path}.kind", read.kind, (f"{plugin}Args",))
    check(findings, path, read)
    if isinstance(read, _VolumeBinding):
        _check_capacity_shape(findings, path, read, gates)


def _check_fit(findings: Findings, path: str, arguments: _NodeResourcesFit) -> None:
    for index, group in enumerate(arguments.ignored_resource_groups or ()):
        if "/" in group:
            findings.add(f"{path}.ignoredResourceGroups[{index}]", "must not contain '/'")
    strategy = arguments.scoring_strategy
    if strategy is None:
        return
    place = f"{path}.scoringStrategy"
    if strategy.type not in _STRATEGIES:
        findings.add(f"{place}.type", f"must be one of {', '.join(_STRATEGIES)}, not {strategy.type!r}")
    for index, resource in enumerate(strategy.resources or ()):
        findings.within(f"{place}.resources[{index}].weight", resource.weight or 1, 1, 100)
    ratio, wants_ratio = strategy.requested_to_capacity_ratio, strategy.type == _STRATEGIES[2]
    if wants_ratio and ratio is None:
        findings.add(f"{place}.requestedToCapacityRatio", f"must be given for the type {strategy.type}")
    elif ratio is not None and not wants_ratio:
        findings.add(f"{place}.requestedToCapacityRatio", f"must not be given for the type {strategy.type}")
    elif ratio is not None:
        _check_shape(findings, f"{place}.requestedToCapacityRatio.shape", ratio.shape or [])


def _check_shape(findings: Findings, path: str, shape: list[_Point]) -> None:
    if not shape:
        findings.add(path, "must have at least one point")
    before = -1
    for index, point in enumerate(shape):
        utilization, score = point.utilization or 0, point.score or 0
        findings.within(f"{path}[{index}].utilization", utilization, 0, 100)
        findings.within(f"{path}[{index}].score", score, 0, _MAX_SCORE)
        if utilization <= before:
            findings.add(f"{path}[{index}].utilization", f"must be greater than {before}, the one before")
        before = utilization


def _check_balanced(findings: Findings, path: str, arguments: _NodeResourcesBalancedAllocation) -> None:
    seen: set[str] = set()
    for index, resource in enumerate(arguments.resources or ()):
        place = f"{path}.resources[{index}]"
        if resource.name in seen:
            findings.add(f"{place}.name", f"{resource.name} is named twice")
        seen.add(resource.name)
        if (resource.weight or 1) != 1:
            findings.add(f"{place}.weight", f"must be 1, not {resource.weight}")


def _check_inter_pod_affinity(findings: Findings, path: str, arguments: _InterPodAffinity) -> None:
    findings.within(f"{path}.hardPodAffinityWeight", arguments.hard_pod_affinity_weight, 0, 100)


def _check_added_affinity(findings: Findings, path: str, arguments: _NodeAffinity) -> None:
    added = arguments.added_affinity or NodeAffinity()
    place = f"{path}.addedAffinity"
    faults: list[TermFault] = []
    if added.required is not None:
        where = f"{place}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
        if not added.required.node_selector_terms:
            findings.add(where, "must have at least one term")
        for index, term in enumerate(added.required.node_selector_terms or ()):
            faults += term_faults(f"{where}[{index}]", term)
    for index, preferred in enumerate(added.preferred or ()):
        where = f"{place}.preferredDuringSchedulingIgnoredDuringExecution[{index}].preference"
        faults += term_faults(where, preferred.preference) if preferred.weight else ()
    for fault in faults:
        findings.add(fault.place, wording.term_flaw(fault))


def _check_spread(findings: Findings, path: str, arguments: _PodTopologySpread) -> None:
    findings.choice(f"{path}.defaultingType", arguments.defaulting_type, _DEFAULTING)
    constraints = arguments.default_constraints or []
    if constraints and (arguments.defaulting_type or "System") == "System":
        findings.add(f"{path}.defaultingType", "must be List where defaultConstraints are given")
    seen: set[tuple[str, str]] = set()
    for index, constraint in enumerate(constraints):
        place = f"{path}.defaultConstraints[{index}]"
        _check_constraint(findings, place, constraint)
        key = (constraint.topology_key, constraint.when_unsatisfiable)
        if key in seen:
            findings.add(place, f"{key[0]} with {key[1]} is given twice")
        seen.add(key)


def _check_constraint(findings: Findings, path: str, constraint: _Constraint) -> None:
    check_spread_constraint(findings, path, constraint)
    if not constraint.when_unsatisfiable:
        findings.add(f"{path}.whenUnsatisfiable", "must not be empty")
    if constraint.label_selector is not None:
        findings.add(f"{path}.labelSelector", "must not be given: it is deduced for each pod")


def _check_preemption(findings: Findings, path: str, arguments: _DefaultPreemption) -> None:
    percentage, absolute = arguments.min_candidate_nodes_percentage, arguments.min_candidate_nodes_absolute
    findings.within(f"{path}.minCandidateNodesPercentage", percentage, 0, 100)
    findings.within(f"{path}.minCandidateNodesAbsolute", absolute, 0, MAX_INT32)
    if percentage == 0 and absolute == 0:
        findings.add(f"{path}.minCandidateNodesPercentage", "must not be 0 as minCandidateNodesAbsolute is")


def _check_volume_binding(findings: Findings, path: str, arguments: _VolumeBinding) -> None:
    findings.within(f"{path}.bindTimeoutSeconds", arguments.bind_timeout_seconds, 0, 2**63 - 1)


def _check_capacity_shape(findings: Findings, path: str, arguments: _VolumeBinding, gates: Gates) -> None:
    if arguments.shape is None:
        return
    if gates.scores_storage_capacity:
        _check_shape(findings, f"{path}.shape", arguments.shape)
    else:
        findings.add(f"{path}.shape", "must not be given without the feature gate StorageCapacityScoring")


def _check_nothing(findings: Findings, path: str, arguments: _DynamicResources) -> None:
    """Timeouts decide nothing here."""


_CHECKS: dict[str, tuple[type[_Arguments], Callable[[Findings, str, Any], None]]] = {
    "NodeResourcesFit": (_NodeResourcesFit, _check_fit),
    "NodeResourcesBalancedAllocation": (_NodeResourcesBalancedAllocation, _check_balanced),
    "InterPodAffinity": (_InterPodAffinity, _check_inter_pod_affinity),
    "NodeAffinity": (_NodeAffinity, _check_added_affinity),
    "PodTopologySpread": (_PodTopologySpread, _check_spread),
    "DefaultPreemption": (_DefaultPreemption, _check_preemption),
    "VolumeBinding": (_VolumeBinding, _check_volume_binding),
    "DynamicResources": (_DynamicResources, _check_nothing),
}
