"""What a pod counts as against a quota, which is what pod groups ask for as their least resources.

Source: volcano v1.16 pkg/controllers/util/util.go; kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go
PodUsageFunc; k8s.io/component-helpers v0.36 resource.PodRequests, PodLimits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.objects.amounts.quantity import Quantity, parse_quantity
from scheduler_core.objects.amounts.requests import is_extended, is_pod_level

Amounts = dict[str, Quantity]
_COMPUTE = ("cpu", "memory", "ephemeral-storage")
_ONE = parse_quantity("1")
_REQUESTS = "requests."


def quota_usage(spec: Mapping[str, Any]) -> Amounts:
    """Return what a pod of this spec counts as: `pods`, `count/pods`, requests and limits.

    Extended resources are counted under their own names, too.
    """
    requests, limits = _requests(spec), _limits(spec)
    usage = {"count/pods": _ONE, "pods": _ONE}
    for name in _COMPUTE:
        if name in requests:
            usage[name] = usage[_REQUESTS + name] = requests[name]
        if name in limits:
            usage[f"limits.{name}"] = limits[name]
    for name, amount in requests.items():
        if name.startswith("hugepages-"):
            usage[name] = usage[_REQUESTS + name] = amount
        if is_extended(name):
            usage[name] = usage[_REQUESTS + name] = amount
    return usage


def times(usage: Amounts, count: int) -> Amounts:
    """Return the usage of so many pods; of none it is empty."""
    if count <= 0:
        return {}
    return {name: Quantity(amount.nanos * count, amount.format) for name, amount in usage.items()}


def add(total: Amounts, more: Amounts) -> None:
    """Add amounts to a total; a sum is written as what was there first."""
    for name, amount in more.items():
        before = total.get(name)
        if before is None or not before.nanos:
            total[name] = amount
        else:
            total[name] = Quantity(before.nanos + amount.nanos, before.format)


def text_of(amounts: Amounts) -> dict[str, str]:
    """Return amounts as the API server writes them."""
    return {name: str(amount) for name, amount in sorted(amounts.items())}


def read_amounts(resources: Mapping[str, Any] | None) -> Amounts:
    """Read a resource list. Raises QuantityError."""
    return {name: parse_quantity(text) for name, text in (resources or {}).items()}


def same_amounts(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Return whether two resource lists hold the same amounts, however they are written."""
    if not one or not other:
        return not one and not other
    return {name: amount.nanos for name, amount in read_amounts(one).items()} == {
        name: amount.nanos for name, amount in read_amounts(other).items()
    }


def _requests(spec: Mapping[str, Any]) -> Amounts:
    total = _of_containers(spec, "requests")
    own = read_amounts((spec.get("resources") or {}).get("requests"))
    total.update({name: amount for name, amount in own.items() if is_pod_level(name)})
    add(total, read_amounts(spec.get("overhead")))
    return total


def _limits(spec: Mapping[str, Any]) -> Amounts:
    total = _of_containers(spec, "limits")
    own = read_amounts((spec.get("resources") or {}).get("limits"))
    total.update({name: amount for name, amount in own.items() if is_pod_level(name)})
    overhead = read_amounts(spec.get("overhead"))
    add(total, {name: amount for name, amount in overhead.items() if name in total and total[name].nanos})
    return total


def _of_containers(spec: Mapping[str, Any], field: str) -> Amounts:
    total: Amounts = {}
    for container in spec.get("containers") or ():
        add(total, _of_container(container, field))
    sidecars: Amounts = {}
    peak: Amounts = {}
    for container in spec.get("initContainers") or ():
        amounts = _of_container(container, field)
        if container.get("restartPolicy") == "Always":
            add(total, amounts)
            add(sidecars, amounts)
            amounts = sidecars
        else:
            add(amounts, sidecars)
        _raise_to(peak, amounts.items())
    _raise_to(total, peak.items())
    return total


def _of_container(container: Mapping[str, Any], field: str) -> Amounts:
    return read_amounts((container.get("resources") or {}).get(field))


def _raise_to(total: Amounts, least: Iterable[tuple[str, Quantity]]) -> None:
    for name, amount in least:
        if name not in total or amount.nanos > total[name].nanos:
            total[name] = amount
