"""The requests that the API server sets where a pod gives limits alone.

Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go SetDefaults_Pod, setDefaultPodLevelResources.
"""

from copy import deepcopy
from typing import Any

from scheduler_core.objects.amounts import pod_resources
from scheduler_core.objects.amounts.quantity import Quantity, parse_quantity
from scheduler_core.objects.amounts.requests import is_pod_level
from scheduler_core.objects.identity import spec_of

Object = dict[str, Any]


def with_default_requests(pod: Object) -> Object:
    """Return a pod that never saw an API server with the requests that it would be stored with."""
    if (pod.get("metadata") or {}).get("uid") or not _has_limits(spec_of(pod)):
        return pod
    spec = deepcopy(spec_of(pod))
    for _, container in pod_resources.containers_of(spec):
        requests_from_limits(container)
    pod_level_requests(spec)
    return {**pod, "spec": spec}


def _has_limits(spec: Object) -> bool:
    inside = [spec, *(container for _, container in pod_resources.containers_of(spec))]
    return any((one.get("resources") or {}).get("limits") for one in inside)


def requests_from_limits(container: Object) -> list[str]:
    """Let a container request its limits where it requests nothing; return that in words."""
    resources = container.get("resources") or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    missing = {name: text for name, text in limits.items() if name not in requests}
    if not missing:
        return []
    container["resources"] = {**resources, "requests": {**requests, **missing}}
    values = ", ".join(f"{name} {text}" for name, text in sorted(missing.items()))
    return [f"container {container.get('name')}: requests {values} from its limits"]


def pod_level_requests(spec: Object) -> list[str]:
    """Default pod-level requests: the containers' sum where they request, else the pod-level limits."""
    resources = spec.get("resources") or {}
    limits = resources.get("limits") or {}
    if not limits:
        return []
    requests = dict(resources.get("requests") or {})
    before = set(requests)
    for name, amount in pod_resources.container_totals(spec, "requests").items():
        if name in ("cpu", "memory") and name not in requests:
            requests[name] = str(Quantity(amount, parse_quantity(limits.get(name)).format))
    for name, text in limits.items():
        if is_pod_level(name) and name not in requests:
            requests[name] = text
    if set(requests) == before:
        return []
    spec["resources"] = {**resources, "requests": requests}
    values = ", ".join(f"{name} {requests[name]}" for name in sorted(set(requests) - before))
    return [f"pod-level requests {values}"]
