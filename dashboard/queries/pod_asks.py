"""What pods ask for, read from the objects themselves, and which of it tables show as columns."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.amounts.requests import counted_by_scheduler, pod_requests

ELSEWHERE = frozenset(("cpu", "memory", "ephemeral-storage"))
"""Resources that have columns of their own, or that nobody tells pods apart by."""
KEPT = 4096
"""For so many different specs what they ask for is kept."""
_OF_PODS = ("overhead", "resources")
_OF_CONTAINERS = ("name", "resources", "restartPolicy")
"""What of specs says how much a pod asks for."""


def asks_of(pod: dict[str, Any]) -> dict[str, int]:
    """Return what a pod asks for; as an API server has it, a limit without a request is one.

    Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go SetDefaults_Pod.
    """
    spec = pod.get("spec") or {}
    told = {name: spec[name] for name in _OF_PODS if spec.get(name)}
    for part in ("containers", "initContainers"):
        told[part] = [
            {name: one[name] for name in _OF_CONTAINERS if name in one} for one in spec.get(part) or ()
        ]
    return dict(_asks_of_spec(msgspec.json.encode(told)))


@lru_cache(maxsize=KEPT)
def _asks_of_spec(told: bytes) -> Mapping[str, int]:
    """Return it for pods whose specs say the same about amounts: those of a workload do."""
    spec = msgspec.json.decode(told)
    for part in ("containers", "initContainers"):
        spec[part] = [_with_requests(one) for one in spec[part]]
    amounts = pod_requests(types.convert({"metadata": {}, "spec": spec}, types.Pod))
    return {name: amount for name, amount in amounts.items() if amount and counted_by_scheduler(name)}


def _with_requests(container: dict[str, Any]) -> dict[str, Any]:
    resources = container.get("resources") or {}
    requests = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    return {**container, "resources": {**resources, "requests": requests}}


def asks_of_each(workload: dict[str, Any]) -> dict[str, int]:
    """Return what each pod of a workload asks for, by its template; nothing where it has none."""
    spec = workload.get("spec") or {}
    spec = (spec.get("jobTemplate") or {}).get("spec") or spec
    template = (spec.get("template") or {}).get("spec")
    return asks_of({"metadata": {}, "spec": template}) if template else {}


def devices_in(asks: Iterable[Mapping[str, int]]) -> list[str]:
    """Return the devices and other resources of no node's own that any of these asks for, by name."""
    return sorted({name for one in asks for name in one} - ELSEWHERE)
