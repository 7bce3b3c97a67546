"""A pod's summed requests and limits as admission counts them, and the API server's rules about them.

In come pods as kubectl prints them, out go exact amounts in units of 10^-9, by resource name.

Source: kubernetes v1.36 plugin/pkg/admission/limitranger podRequests and podLimits, pkg/apis/core/v1
SetDefaults_Pod, pkg/apis/core/validation validateContainerResourceRequirements.
"""

from collections.abc import Iterator
from typing import Any, Literal

from scheduler_core.objects.quantity import parse_quantity
from scheduler_core.objects.requests import is_extended, is_pod_level

Object = dict[str, Any]
Amounts = dict[str, int]
Side = Literal["requests", "limits"]

_NANOS = 10**9


def containers_of(spec: Object) -> Iterator[tuple[str, Object]]:
    """Yield each container with its path, main containers first."""
    for field in ("containers", "initContainers"):
        for index, container in enumerate(spec.get(field) or ()):
            yield f"{field}[{index}]", container


def amounts(resources: Any, side: Side) -> Amounts:
    """Return one side of a container's resources, exactly."""
    listed = (resources or {}).get(side) or {}
    return {name: parse_quantity(text).nanos for name, text in listed.items()}


def pod_totals(spec: Object, side: Side, *, with_overhead: bool) -> Amounts:
    """Return what a pod requests, or its limits, with all its containers and pod-level resources."""
    total = container_totals(spec, side)
    for name, amount in amounts(spec.get("resources"), side).items():
        if is_pod_level(name):
            total[name] = amount
    if with_overhead:
        for name, text in (spec.get("overhead") or {}).items():
            if side == "requests" or total.get(name):
                total[name] = total.get(name, 0) + parse_quantity(text).nanos
    return total


def container_totals(spec: Object, side: Side) -> Amounts:
    """Return the containers' sum, and at least what any init container needs beside the sidecars."""
    total: Amounts = {}
    for container in spec.get("containers") or ():
        _add(total, amounts(container.get("resources"), side))
    sidecars: Amounts = {}
    peak: Amounts = {}
    for container in spec.get("initContainers") or ():
        own = amounts(container.get("resources"), side)
        if container.get("restartPolicy") == "Always":
            _add(total, own)
            _add(sidecars, own)
            _raise_to(peak, sidecars)
        else:
            _add(own, sidecars)
            _raise_to(peak, own)
    _raise_to(total, peak)
    return total


def faults(spec: Object) -> list[tuple[str, str]]:
    """Return fields and reasons of a pod's resources that the API server refuses."""
    found = []
    for path, container in containers_of(spec):
        found += _list_faults(f"{path}.resources", container.get("resources"))
    return found + _list_faults("resources", spec.get("resources"))


def _list_faults(path: str, resources: Any) -> list[tuple[str, str]]:
    requests, limits = amounts(resources, "requests"), amounts(resources, "limits")
    found = []
    for name, amount in requests.items():
        field = f"{path}.requests.{name}"
        whole_only = is_extended(name) or name.startswith("hugepages-")
        if is_extended(name) and amount % _NANOS:
            found.append((field, "must be a whole number"))
        elif whole_only and limits.get(name) != amount:
            found.append((field, f"must be equal to the limit: {name} cannot be overcommitted"))
        elif name in limits and amount > limits[name]:
            found.append((field, f"must not be greater than the limit of {resources['limits'][name]}"))
    return found


def _add(total: Amounts, more: Amounts) -> None:
    for name, amount in more.items():
        total[name] = total.get(name, 0) + amount


def _raise_to(total: Amounts, least: Amounts) -> None:
    for name, amount in least.items():
        if name not in total or amount > total[name]:
            total[name] = amount
