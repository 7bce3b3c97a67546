"""What Kubernetes itself finds wrong with the template of a task.

Names, containers, images, amounts and the restart policy in Kubernetes' words; whatever else keeps a pod from
being scheduled is found by the rules that imports and edits go by, in theirs.

Source: kubernetes v1.36 pkg/apis/core/validation ValidatePodTemplate, ValidateContainerResourceRequirements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.go.quote import quote
from scheduler_core.objects.amounts.quantity import Quantity, QuantityError, parse_quantity
from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.checks.field_rules import Findings
from scheduler_core.objects.checks.pod_checks import check_pod_spec
from scheduler_core.objects.types import Container, PodSpec, ResourceRequirements
from scheduler_core.volcano.admission.name_validation import (
    label_faults,
    label_value_faults,
    qualified_name_faults,
    subdomain_faults,
)

Object = dict[str, Any]

_HUGE_PAGES = "hugepages-"
_OF_CONTAINERS = frozenset({"cpu", "memory", "ephemeral-storage"})
_STANDARD = frozenset(
    {
        *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"),
        *("persistentvolumeclaims", "storage", "services.nodeports", "services.loadbalancers"),
        *("requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage"),
        *("limits.cpu", "limits.memory", "limits.ephemeral-storage"),
    }
)
_RESTART_POLICIES = ("Always", "OnFailure", "Never")


def template_faults(task: str, namespace: str, template: Object, spec: PodSpec) -> list[str]:
    """Return what is wrong with a template, `template` as it was sent and `spec` as its typed view."""
    metadata = template.get("metadata") or {}
    found = [*_name_faults(task, namespace), *_metadata_faults(metadata), *_container_faults(spec)]
    policy = (template.get("spec") or {}).get("restartPolicy") or "Always"
    if policy not in _RESTART_POLICIES:
        allowed = ", ".join(map(quote, _RESTART_POLICIES))
        place = "template.spec.restartPolicy"
        found.append(f"{place}: Unsupported value: {quote(str(policy))}: supported values: {allowed}")
    return found or _other_faults(spec)


def _name_faults(task: str, namespace: str) -> Iterator[str]:
    if not task:
        yield "metadata.name: Required value: name or generateName is required"
    else:
        for fault in subdomain_faults(task):
            yield f"metadata.name: Invalid value: {quote(task)}: {fault}"
    if not namespace:
        yield "metadata.namespace: Required value"
    for fault in label_faults(namespace) if namespace else ():
        yield f"metadata.namespace: Invalid value: {quote(namespace)}: {fault}"


def _metadata_faults(metadata: Object) -> Iterator[str]:
    """Yield the faults of labels and annotations by key; Kubernetes has them in no order."""
    for key, value in sorted((metadata.get("labels") or {}).items()):
        for fault in qualified_name_faults(key):
            yield f"template.labels: Invalid value: {quote(key)}: {fault}"
        for fault in label_value_faults(value):
            yield f"template.labels: Invalid value: {quote(value)}: {fault}"
    for key in sorted(metadata.get("annotations") or {}):
        for fault in qualified_name_faults(key.lower()):
            yield f"template.annotations: Invalid value: {quote(key)}: {fault}"


def _container_faults(spec: PodSpec) -> Iterator[str]:
    if not spec.containers:
        yield "template.spec.containers: Required value"
    names: set[str] = set()
    for field, containers in (("containers", spec.containers), ("initContainers", spec.init_containers)):
        for index, container in enumerate(containers or ()):
            place = f"template.spec.{field}[{index}]"
            yield from _naming_faults(place, container.name)
            if not container.image:
                yield f"{place}.image: Required value"
            if container.resources is not None:
                yield from _resource_faults(f"{place}.resources", container)
            if container.name in names:
                yield f"{place}.name: Duplicate value: {quote(container.name)}"
            elif container.name or field == "containers":
                names.add(container.name)


def _naming_faults(place: str, name: str) -> Iterator[str]:
    if not name:
        yield f"{place}.name: Required value"
        return
    for fault in label_faults(name):
        yield f"{place}.name: Invalid value: {quote(name)}: {fault}"


def _resource_faults(place: str, container: Container) -> Iterator[str]:
    resources = container.resources or ResourceRequirements()
    try:
        limits = {name: parse_quantity(text) for name, text in sorted((resources.limits or {}).items())}
        requests = {name: parse_quantity(text) for name, text in sorted((resources.requests or {}).items())}
    except QuantityError:
        return  # told by the rules of imports
    for name, amount in limits.items():
        yield from _amount_faults(f"{place}.limits[{name}]", name, amount)
    for name, amount in requests.items():
        yield from _amount_faults(f"{place}.requests[{name}]", name, amount)
        yield from _limit_faults(place, name, amount, limits.get(name))
    names = {*limits, *requests}
    if any(name.startswith(_HUGE_PAGES) for name in names) and not names & {"cpu", "memory"}:
        yield f"{place}: Forbidden: HugePages require cpu or memory"


def _limit_faults(place: str, name: str, amount: Quantity, limit: Quantity | None) -> Iterator[str]:
    if limit is None:
        if _is_exact(name):
            yield f"{place}.limits: Required value: Limit must be set for non overcommitable resources"
    elif _is_exact(name) and amount.nanos != limit.nanos:
        reason = f"must be equal to {name} limit of {limit}"
        yield f"{place}.requests: Invalid value: {quote(str(amount))}: {reason}"
    elif amount.nanos > limit.nanos:
        reason = f"must be less than or equal to {name} limit of {limit}"
        yield f"{place}.requests: Invalid value: {quote(str(amount))}: {reason}"


def _amount_faults(place: str, name: str, amount: Quantity) -> Iterator[str]:
    for fault in _resource_name_faults(name):
        yield f"{place}: Invalid value: {quote(name)}: {fault}"
    value = f"{place}: Invalid value: {quote(str(amount))}"
    if amount.nanos < 0:
        yield f"{value}: must be greater than or equal to 0"
    if is_extended(name) and amount.nanos % 10**9:
        yield f"{value}: must be an integer"


def _resource_name_faults(name: str) -> Iterator[str]:
    """Yield what keeps a name from being that of a container's resource."""
    faults = qualified_name_faults(name)
    yield from faults
    if "/" in name:
        if _is_foreign(name) and not is_extended(name):
            yield "doesn't follow extended resource name standard"
    elif name not in _OF_CONTAINERS and not name.startswith(_HUGE_PAGES):
        if not faults and name not in _STANDARD:
            yield "must be a standard resource type or fully qualified"
        yield "must be a standard resource for containers"


def _is_exact(name: str) -> bool:
    """Return whether a container must be limited to just what it asks for."""
    return _is_foreign(name) or name.startswith(_HUGE_PAGES)


def _is_foreign(name: str) -> bool:
    """Return whether a resource is none of Kubernetes' own."""
    return "/" in name and "kubernetes.io/" not in name


def _other_faults(spec: PodSpec) -> list[str]:
    findings = Findings("")
    check_pod_spec(findings, "template.spec", spec)
    return [f"{problem.field}: {problem.message}" for problem in findings.problems]
