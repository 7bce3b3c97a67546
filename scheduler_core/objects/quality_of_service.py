"""The quality of service that a pod gets by what it asks for.

Source: kubernetes v1.36 pkg/apis/core/v1/helper/qos/qos.go GetPodQOS, ComputePodQOS.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.types import Container, Pod, ResourceList

_COUNTED = ("cpu", "memory")


def is_guaranteed(pod: Pod) -> bool:
    """Return whether every container has limits of cpu and memory and asks for just these.

    What the status says goes first. Raises QuantityError for an amount that can't be read.
    """
    if pod.status.qos_class:
        return pod.status.qos_class == "Guaranteed"
    spec = pod.spec
    if spec.resources is not None and (spec.resources.requests or spec.resources.limits):
        requests, limits = _counted(spec.resources.requests), _counted(spec.resources.limits)
        return len(limits) == len(_COUNTED) and requests == limits
    containers = [*(spec.containers or ()), *(spec.init_containers or ())]
    limited = [_counted(one.resources.limits if one.resources else None) for one in containers]
    if not containers or any(len(limits) < len(_COUNTED) for limits in limited):
        return False
    return _summed(_requests(containers)) == _summed(limited)


def qos_class(pod: Pod) -> str:
    """Return `Guaranteed`, `Burstable`, or `BestEffort` for a pod that asks for nothing and has no limits.

    What the status says goes first. Raises QuantityError for an amount that can't be read.
    """
    if pod.status.qos_class:
        return pod.status.qos_class
    if is_guaranteed(pod):
        return "Guaranteed"
    spec = pod.spec
    whole = [spec.resources] if spec.resources and (spec.resources.requests or spec.resources.limits) else []
    parts = whole or [one.resources for one in (*(spec.containers or ()), *(spec.init_containers or ()))]
    asks = any(_counted(part.requests) or _counted(part.limits) for part in parts if part is not None)
    return "Burstable" if asks else "BestEffort"


def _requests(containers: Iterable[Container]) -> list[dict[str, int]]:
    return [_counted(one.resources.requests if one.resources else None) for one in containers]


def _counted(amounts: ResourceList | None) -> dict[str, int]:
    """Return cpu and memory above zero, in billionths."""
    exact = {name: parse_quantity(amounts[name]).nanos for name in _COUNTED if name in (amounts or {})}  # type: ignore[index]
    return {name: amount for name, amount in exact.items() if amount > 0}


def _summed(amounts: Iterable[dict[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in amounts:
        for name, amount in one.items():
            found[name] = found.get(name, 0) + amount
    return found
