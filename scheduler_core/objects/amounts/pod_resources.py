"""A pod's summed requests and limits as admission counts them, and the API server's rules about them.

In come pods as kubectl prints them, out go exact amounts in units of 10^-9, by resource name.

Source: kubernetes v1.36 plugin/pkg/admission/limitranger podRequests and podLimits, pkg/apis/core/v1
SetDefaults_Pod, pkg/apis/core/validation validateContainerResourceRequirements.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.amounts.requests import add_to, is_extended, is_pod_level, raise_to

Object = dict[str, Any]
Amounts = dict[str, int]
Side = Literal["requests", "limits"]
Fault = tuple[str, str]
"""A field and what is wrong with it."""

_NANOS = 10**9
_HUGE_PAGES = "hugepages-"
_CONTAINERS = ("containers", "initContainers")


def containers_of(spec: Object) -> Iterator[tuple[str, Object]]:
    """Yield each container with its path, main containers first."""
    for field in _CONTAINERS:
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
        add_to(total, amounts(container.get("resources"), side))
    sidecars: Amounts = {}
    peak: Amounts = {}
    for container in spec.get("initContainers") or ():
        own = amounts(container.get("resources"), side)
        if container.get("restartPolicy") == "Always":
            add_to(total, own)
            add_to(sidecars, own)
            raise_to(peak, sidecars)
        else:
            add_to(own, sidecars)
            raise_to(peak, own)
    raise_to(total, peak)
    return total


def faults(spec: Object) -> list[Fault]:
    """Return fields and reasons of a pod's resources that the API server refuses."""
    found = []
    for path, container in [*containers_of(spec), ("", spec)]:
        resources = container.get("resources") or {}
        for field, message in (*resource_faults(resources), *unlimited_faults(resources)):
            found.append((f"{path}.resources.{field}".removeprefix("."), message))
    return found


def resource_faults(resources: Object) -> list[Fault]:
    """Return what is wrong with amounts, and with requests beside the limits that are given.

    Source: ValidateResourceQuantityValue, validateResourceQuantityHugePageValue, IsOvercommitAllowed.
    """
    requests, limits = _side(resources, "requests"), _side(resources, "limits")
    found = [
        (f"requests.{name}", fault)
        for name, text in requests.items()
        if (fault := _request_fault(name, text, limits.get(name)))
    ]
    for name, text in limits.items():
        if name not in requests and (fault := _amount_fault(name, text)):
            found.append((f"limits.{name}", fault))
    return found


def unlimited_faults(resources: Any) -> list[Fault]:
    """Return what is asked for without the limit or the other resources that it needs.

    Of pods a LimitRange may still add these, so that nobody can tell from the pod alone.
    """
    if not isinstance(resources, dict):
        return []
    requests, limits = _side(resources, "requests"), _side(resources, "limits")
    found = [
        (f"limits.{name}", "is required: what is asked for of it must be equal to the limit")
        for name in requests
        if name not in limits and _is_whole(name)
    ]
    asked = {*requests, *limits}
    if asked.isdisjoint(("cpu", "memory")) and any(name.startswith(_HUGE_PAGES) for name in asked):
        found.append(("requests", "must have cpu or memory beside huge pages"))
    return found


def pod_level_faults(spec: Object) -> list[Fault]:
    """Return what whole pods have less of than their containers (validatePodResourceConsistency)."""
    resources = spec["resources"] if isinstance(spec.get("resources"), dict) else {}
    found = [("claims", "must be absent: only containers have claims")] if resources.get("claims") else []
    try:
        asked = container_totals({field: _filled(spec, field) for field in _CONTAINERS}, "requests")
        requests, limits = amounts(resources, "requests"), amounts(resources, "limits")
        most = [(name, amount, _largest(spec, name)) for name, amount in limits.items()]
    except QuantityError:  # others tell
        return found
    for name, amount in requests.items():
        if amount < asked.get(name, 0):
            found.append((f"requests.{name}", "must not be less than the containers ask for"))
    for name, amount, largest in most:
        if amount < largest or (name not in requests and amount < asked.get(name, 0)):
            found.append((f"limits.{name}", "must not be less than the containers ask for or may take"))
    return found


def _filled(spec: Object, field: str) -> list[Object]:
    """Return containers that ask for their limits where they ask for nothing."""
    return [
        {**container, "resources": {"requests": _side(own, "limits") | _side(own, "requests")}}
        for container in spec.get(field) or ()
        for own in [container.get("resources") or {}]
    ]


def _largest(spec: Object, name: str) -> int:
    """Return the largest limit of one of a pod's containers."""
    every = (amounts(container.get("resources"), "limits") for _, container in containers_of(spec))
    return max((limits.get(name, 0) for limits in every), default=0)


def _side(resources: Object, side: Side) -> Object:
    listed = resources.get(side)
    return listed if isinstance(listed, dict) else {}


def _request_fault(name: str, text: Any, limit: Any) -> str | None:
    if fault := _amount_fault(name, text):
        return fault
    if limit is None:
        return None
    amount, most = nanos_of(text), nanos_of(limit)
    if amount is None or most is None:
        return None
    if _is_whole(name) and amount != most:
        return f"must be equal to the limit: {name} cannot be overcommitted"
    return f"must not be greater than the limit of {limit}" if amount > most else None


def _amount_fault(name: str, text: Any) -> str | None:
    if not _is_whole(name):
        return None
    amount = nanos_of(text)
    if amount is None:
        return None
    if is_extended(name) and amount % _NANOS:
        return "must be a whole number"
    if name.startswith(_HUGE_PAGES):
        size = nanos_of(name.removeprefix(_HUGE_PAGES)) or 0
        if size < _NANOS or amount % size:
            return f"must be a multiple of the page size {name.removeprefix(_HUGE_PAGES)}"
    return None


@lru_cache(maxsize=1024)
def _is_whole(name: str) -> bool:
    return is_extended(name) or name.startswith(_HUGE_PAGES)


def nanos_of(text: Any) -> int | None:
    """Return an amount in units of 10^-9; None for what is no quantity, which others tell."""
    try:
        return parse_quantity(text).nanos if isinstance(text, str | int | float) else None
    except QuantityError:
        return None
