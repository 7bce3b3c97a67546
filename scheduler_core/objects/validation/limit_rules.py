"""The rules that an API server has for nodes, classes, quotas and limits, where several fields meet.

Source: kubernetes v1.36 pkg/apis/core/validation ValidateLimitRange, ValidateResourceQuotaSpec,
validateNodeTaints, ValidateResourceQuantityValue; pkg/apis/scheduling/validation ValidatePriorityClass;
pkg/apis/node/validation validateScheduling.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.objects.amounts.pod_resources import nanos_of
from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.amounts.resource_names import OF_CONTAINERS, OF_QUOTAS, is_qualified
from scheduler_core.objects.validation.label_rules import label_faults
from scheduler_core.objects.validation.parts_of_objects import (
    Fault,
    Object,
    Rule,
    dict_in,
    objects_in,
    texts_in,
)
from scheduler_core.objects.validation.value_rules import QUOTA_SCOPES

_NANOS = 10**9
_MAX_PRIORITY = 10**9
_SYSTEM = "system-"
_SYSTEM_CLASSES = ("system-node-critical", "system-cluster-critical")
_LIMITED = ("Container", "Pod", "PersistentVolumeClaim")
_SIDES = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
_AGAINST = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
_ONLY_THERE = tuple(
    scope for scope in QUOTA_SCOPES if scope not in ("PriorityClass", "VolumeAttributesClass")
)
"""Scopes that a pod has or lacks: they have no values."""
_COUNTED = tuple(name for name in OF_QUOTAS if name.rpartition(".")[2] not in (*OF_CONTAINERS, "storage"))
"""What quotas count in whole objects."""
_OF_PODS = ("pods", *(name for name in OF_QUOTAS if name.rpartition(".")[2] in ("cpu", "memory")))
_OF_CLAIMS = ("persistentvolumeclaims", "requests.storage")
_HUGE_PAGES = ("hugepages-", "requests.hugepages-")
_IN_SCOPE = {"BestEffort": ("pods",), "VolumeAttributesClass": _OF_CLAIMS}
"""Which of the standard resources a quota with a scope may limit; _OF_PODS for all other scopes."""
_NOT_WHOLE = "must be a whole number"


def taints(spec: Object) -> Iterator[Fault]:
    """Yield taints that a node has twice: key and effect tell them apart."""
    known = set()
    for place, item in enumerate(objects_in(spec, "taints")):
        key = str(item.get("key")), str(item.get("effect"))
        if key in known:
            yield f"taints[{place}]", "has key and effect of another taint"
        known.add(key)


def node_amounts(status: Object) -> Iterator[Fault]:
    """Yield parts of what is counted in whole units."""
    for field in ("capacity", "allocatable"):
        for name, text in dict_in(status, field).items():
            if (name == "pods" or is_extended(name)) and (nanos_of(text) or 0) % _NANOS:
                yield f"{field}.{name}", _NOT_WHOLE


def priority_class(document: Object) -> Iterator[Fault]:
    """Yield names and values that Kubernetes keeps for itself."""
    name, value = dict_in(document, "metadata").get("name"), document.get("value")
    if isinstance(name, str) and name.startswith(_SYSTEM):
        if name not in _SYSTEM_CLASSES:
            yield "metadata.name", f"must not begin with {_SYSTEM}: these classes are Kubernetes' own"
    elif isinstance(value, int) and value > _MAX_PRIORITY:
        yield "value", f"must be at most {_MAX_PRIORITY}, not {value}"


def runtime_scheduling(scheduling: Object) -> Iterator[Fault]:
    """Yield what no pod could have."""
    yield from label_faults(scheduling.get("nodeSelector"), "nodeSelector")
    tolerations = objects_in(scheduling, "tolerations")
    for place, item in enumerate(tolerations):
        if item in tolerations[:place]:
            yield f"tolerations[{place}]", "is there twice"
        if not item.get("key") and item.get("operator") != "Exists":
            yield f"tolerations[{place}].operator", "must be Exists when key is empty"
        elif item.get("operator") not in (None, "", "Exists", "Equal", "Lt", "Gt"):
            yield f"tolerations[{place}].operator", "must be one of Exists, Equal, Lt, Gt"


def overhead(runtime: Object) -> Iterator[Fault]:
    """Yield parts of what is counted in whole units."""
    for name, text in dict_in(runtime, "podFixed").items():
        if is_extended(name) and (nanos_of(text) or 0) % _NANOS:
            yield f"podFixed.{name}", _NOT_WHOLE
        elif "/" not in name and name not in OF_CONTAINERS and not name.startswith("hugepages-"):
            yield f"podFixed.{name}", "is no resource that is known here"


def quota(spec: Object) -> Iterator[Fault]:
    """Yield scopes that exclude each other or what the quota limits, and parts of objects."""
    hard = dict_in(spec, "hard")
    for name, text in hard.items():
        is_whole = name in _COUNTED or is_extended(name)
        if is_whole and (nanos_of(text) or 0) % _NANOS:
            yield f"hard.{name}", _NOT_WHOLE
    scopes = texts_in(spec, "scopes")
    if unknown := [scope for scope in scopes if scope not in QUOTA_SCOPES]:
        yield "scopes", f"must be of {', '.join(QUOTA_SCOPES)}, not {unknown[0][:80]!r}"
    yield from _scopes(scopes, hard, "scopes")
    selected = objects_in(dict_in(spec, "scopeSelector"), "matchExpressions")
    yield from _scopes(
        [str(one.get("scopeName")) for one in selected], hard, "scopeSelector.matchExpressions"
    )


def _scopes(scopes: list[str], hard: Iterable[str], field: str) -> Iterator[Fault]:
    for pair in _AGAINST:
        if set(pair).issubset(scopes):
            yield field, f"must not have both {' and '.join(pair)}"
    for scope in dict.fromkeys(scopes):
        allowed = _IN_SCOPE.get(scope, _OF_PODS)
        standard = (name for name in hard if name in OF_QUOTAS or name.startswith(_HUGE_PAGES))
        beyond = [name for name in standard if name not in allowed]
        if scope in QUOTA_SCOPES and beyond:
            yield field, f"must not have {scope} where hard has {beyond[0]}"


def scope(requirement: Object) -> Iterator[Fault]:
    """Yield operators and values that don't go together (validateScopedResourceSelectorRequirement)."""
    operator, values = requirement.get("operator"), requirement.get("values")
    if requirement.get("scopeName") in _ONLY_THERE and operator != "Exists":
        yield "operator", f"must be Exists with scope {requirement['scopeName']}"
    if operator in ("In", "NotIn") and not values:
        yield "values", f"must not be empty with operator {operator}"
    if operator in ("Exists", "DoesNotExist") and values:
        yield "values", f"must be empty with operator {operator}"


def limit(item: Object) -> Iterator[Fault]:
    """Yield limits of one kind that exclude each other."""
    kind = item.get("type")
    if kind not in _LIMITED and not (isinstance(kind, str) and "/" in kind and is_qualified(kind)):
        yield "type", f"must be one of {', '.join(_LIMITED)}"
    if kind == "Pod":
        for side in ("default", "defaultRequest"):
            if item.get(side):
                yield side, "must be absent with type Pod"
    if kind == "PersistentVolumeClaim" and not any(
        "storage" in dict_in(item, side) for side in ("min", "max")
    ):
        yield "max.storage", "is required, or min.storage"
    amounts = {side: {name: nanos_of(text) for name, text in dict_in(item, side).items()} for side in _SIDES}
    for name in dict.fromkeys(name for side in _SIDES for name in amounts[side]):
        yield from _order(name, {side: amounts[side].get(name) for side in _SIDES})


def _order(name: str, amounts: dict[str, Any]) -> Iterator[Fault]:
    """Yield amounts of one resource that are out of order; one that is absent is None."""
    for low, high, field in (
        ("min", "max", "min"),
        ("min", "defaultRequest", "defaultRequest"),
        ("defaultRequest", "max", "defaultRequest"),
        ("defaultRequest", "default", "defaultRequest"),
        ("min", "default", "default"),
        ("default", "max", "default"),
    ):
        least, most = amounts[low], amounts[high]
        if least is not None and most is not None and least > most:
            yield f"{field}.{name}", f"has {low} greater than {high}"
    ratio, least, most = (amounts[side] for side in ("maxLimitRequestRatio", "min", "max"))
    if ratio is not None and ratio < _NANOS:
        yield f"maxLimitRequestRatio.{name}", "must be at least 1"
    elif ratio is not None and least and most is not None and ratio * least > most * _NANOS:
        yield f"maxLimitRequestRatio.{name}", "must not be greater than max / min"
    given, asked = amounts["default"], amounts["defaultRequest"]
    is_whole = is_extended(name) or name.startswith("hugepages-")
    if is_whole and None not in (given, asked) and given != asked:
        yield f"defaultRequest.{name}", f"must be equal to default: {name} cannot be overcommitted"


def limits(spec: Object) -> Iterator[Fault]:
    """Yield kinds that are limited twice."""
    known = set()
    for place, item in enumerate(objects_in(spec, "limits")):
        kind = str(item.get("type"))
        if kind in known:
            yield f"limits[{place}].type", "is the type of another limit too"
        known.add(kind)


def service(spec: Object) -> Iterator[Fault]:
    """Yield labels that no pod can have."""
    yield from label_faults(spec.get("selector"), "selector")


RULES: dict[str, tuple[Rule, ...]] = {
    "core.LimitRangeItem": (limit,),
    "core.LimitRangeSpec": (limits,),
    "core.NodeSpec": (taints,),
    "core.NodeStatus": (node_amounts,),
    "core.ResourceQuotaSpec": (quota,),
    "core.ScopedResourceSelectorRequirement": (scope,),
    "core.ServiceSpec": (service,),
    "node.Overhead": (overhead,),
    "node.Scheduling": (runtime_scheduling,),
    "scheduling.PriorityClass": (priority_class,),
}
"""By the name of a type in `schema`."""
