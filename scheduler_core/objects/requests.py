"""A pod's effective requests: what it takes on a node, in the scheduler's units.

Containers are summed, sidecars (restartable init containers) add to the sum and to every later init
container, other init containers set a minimum, pod-level requests replace cpu, memory and huge pages,
overhead is added last. Amounts are added exactly and rounded up once.

Source: k8s.io/component-helpers v0.36 resource.PodRequests; kubernetes v1.36 pkg/scheduler/framework
PodInfo.CalculateResource, noderesources.calculatePodResourceRequest.
"""

import re
from collections.abc import Iterable, Mapping

from scheduler_core.objects.quantity import MAX_INT64, Quantity, QuantityError, parse_quantity
from scheduler_core.objects.types import (
    Container,
    ContainerStatus,
    Pod,
    ResourceList,
    ResourceRequirements,
)

Nanos = dict[str, int]
"""Resource name to the exact amount in units of 10^-9."""
Amounts = dict[str, int]
"""Resource name to milli-CPU (`cpu`), bytes or whole units (all others)."""

DEFAULT_MILLI_CPU_REQUEST = 100
DEFAULT_MEMORY_REQUEST = 200 * 1024 * 1024
_NANOS_PER_MILLI = 10**6
_FILL: Nanos = {"cpu": DEFAULT_MILLI_CPU_REQUEST * 10**6, "memory": DEFAULT_MEMORY_REQUEST * 10**9}

_QUALIFIED_PART = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\Z")
_DNS_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")


def pod_requests(pod: Pod, *, running: bool = False) -> Amounts:
    """Return what the pod requests for Filter and, with `running`, what it takes once it has a node.

    A running pod counts the larger of spec and status of a container that is being resized.
    """
    return in_scheduler_units(_requests(pod, use_status=running, pod_level=True, fill={}))


def running_milli_requests(pod: Pod) -> Amounts:
    """Return what the pod takes once it has a node, of every resource in thousandths rounded up."""
    exact = _requests(pod, use_status=True, pod_level=True, fill={})
    return {name: Quantity(amount, "DecimalSI").milli_value() for name, amount in exact.items()}


def scored_requests(pod: Pod) -> Amounts:
    """Return what NodeResourcesFit scores the incoming pod by.

    Containers without a cpu or memory request count as 100m and 200 MiB; pod-level requests are ignored.
    """
    return in_scheduler_units(_requests(pod, use_status=False, pod_level=False, fill=_FILL))


def balanced_requests(pod: Pod) -> Amounts:
    """Return what NodeResourcesBalancedAllocation scores the incoming pod by."""
    return in_scheduler_units(_requests(pod, use_status=True, pod_level=True, fill={}))


def non_zero_requests(pod: Pod) -> tuple[int, int]:
    """Return (milli-CPU, bytes of memory) by which a pod on a node weighs in scores.

    Missing container requests are filled with 100m and 200 MiB, except where pod-level requests are
    set and name the resource, or a container does.
    """
    fill = _FILL
    if _pod_level_requests(pod):
        requested = _requests(pod, use_status=True, pod_level=True, fill={})
        fill = {name: amount for name, amount in _FILL.items() if name not in requested}
    amounts = in_scheduler_units(_requests(pod, use_status=True, pod_level=True, fill=fill))
    return amounts.get("cpu", 0), amounts.get("memory", 0)


def sums_fault(pod: Pod) -> str | None:
    """Return why one of the sums above cannot be counted, None if all can; the amounts must be in order."""
    if _amounts_together(pod) <= MAX_INT64 * _NANOS_PER_MILLI:
        return None
    try:
        for running in (False, True):
            pod_requests(pod, running=running)
        scored_requests(pod)
        balanced_requests(pod)
        non_zero_requests(pod)
    except QuantityError as error:
        return str(error)
    return None


def _amounts_together(pod: Pod) -> int:
    """Return more than any of the sums can be: every amount of every resource, added up."""
    statuses = (
        *(pod.status.container_statuses or ()),
        *(pod.status.init_container_statuses or ()),
        pod.status,
    )
    containers = (*(pod.spec.containers or ()), *(pod.spec.init_containers or ()))
    lists = [
        pod.spec.overhead,
        _requests_of(pod.spec.resources),
        *(_requests_of(container.resources) for container in containers),
        *(_requests_of(status.resources) for status in statuses),
        *(status.allocated_resources for status in statuses),
    ]
    filled = len(containers) * sum(_FILL.values())
    texts = (text for listed in lists if listed for text in listed.values())
    return filled + sum(parse_quantity(text).nanos for text in texts)


def in_scheduler_units(nanos: Nanos) -> Amounts:
    """Round exact amounts up to milli-CPU and whole units. Raises QuantityError beyond int64."""
    return {
        name: Quantity(amount, "DecimalSI").milli_value()
        if name == "cpu"
        else Quantity(amount, "DecimalSI").value()
        for name, amount in nanos.items()
    }


def counted_by_scheduler(name: str) -> bool:
    """Return whether the scheduler tracks this resource at all.

    Source: kubernetes v1.36 pkg/scheduler/util.IsScalarResourceName (extended resources, huge pages,
    attachable volumes, `kubernetes.io/`-prefixed native ones), beside the three that have own fields.
    """
    if name in ("cpu", "memory", "ephemeral-storage"):
        return True
    return (
        name.startswith(("hugepages-", "attachable-volumes-"))
        or _is_prefixed_native(name)
        or is_extended(name)
    )


def is_extended(name: str) -> bool:
    """Return whether this is an extended resource such as `nvidia.com/gpu`.

    Source: kubernetes v1.36 pkg/apis/core/v1/helper.IsExtendedResourceName.
    """
    if "/" not in name or _is_prefixed_native(name) or name.startswith("requests."):
        return False
    # The quota for it is called "requests.<name>", which must be a qualified name as well.
    prefix, _, part = f"requests.{name}".partition("/")
    return len(prefix) <= 253 and bool(_DNS_SUBDOMAIN.match(prefix) and _QUALIFIED_PART.match(part))


def _is_prefixed_native(name: str) -> bool:
    return "kubernetes.io/" in name


def is_pod_level(name: str) -> bool:
    """Return whether a pod-level request of this resource is honoured."""
    return name in ("cpu", "memory") or name.startswith("hugepages-")


def _requests(pod: Pod, *, use_status: bool, pod_level: bool, fill: Nanos) -> Nanos:
    total = _container_requests(pod, use_status=use_status, fill=fill)
    if pod_level:
        total.update(_pod_level_amounts(pod, use_status=use_status))
    _add(total, _exact(pod.spec.overhead))
    return total


def _container_requests(pod: Pod, *, use_status: bool, fill: Nanos) -> Nanos:
    statuses = _container_statuses(pod) if use_status else {}
    total: Nanos = {}
    for container in pod.spec.containers or ():
        _add(total, _filled(_one_container(pod, container, statuses), fill))
    sidecars: Nanos = {}
    peak: Nanos = {}
    for container in pod.spec.init_containers or ():
        if container.restart_policy == "Always":
            requests = _filled(_one_container(pod, container, statuses), fill)
            _add(total, requests)
            _add(sidecars, requests)
            _raise_to(peak, sidecars)
        else:
            requests = _filled(_exact(_requests_of(container.resources)), fill)
            _add(requests, sidecars)
            _raise_to(peak, requests)
    _raise_to(total, peak)
    return total


def _one_container(pod: Pod, container: Container, statuses: Mapping[str, ContainerStatus]) -> Nanos:
    spec = _exact(_requests_of(container.resources))
    status = statuses.get(container.name)
    if status is None or status.resources is None:
        return spec
    return _effective(pod, spec, status.resources.requests, status.allocated_resources)


def _effective(pod: Pod, spec: Nanos, actuated: ResourceList | None, allocated: ResourceList | None) -> Nanos:
    result = {} if _resize_is_infeasible(pod) else dict(spec)
    _raise_to(result, _exact(actuated))
    _raise_to(result, _exact(allocated))
    return result


def _resize_is_infeasible(pod: Pod) -> bool:
    for condition in pod.status.conditions or ():
        if condition.type == "PodResizePending":
            return condition.reason == "Infeasible"
    return False


def _pod_level_requests(pod: Pod) -> bool:
    return any(is_pod_level(name) for name in _requests_of(pod.spec.resources) or ())


def _pod_level_amounts(pod: Pod, *, use_status: bool) -> Nanos:
    if not _pod_level_requests(pod):
        return {}
    requests = _exact(_requests_of(pod.spec.resources))
    if use_status and pod.status.resources is not None:
        effective = _effective(pod, requests, pod.status.resources.requests, pod.status.allocated_resources)
        requests = {name: effective.get(name, 0) for name in requests}
    return {name: amount for name, amount in requests.items() if is_pod_level(name)}


def _container_statuses(pod: Pod) -> dict[str, ContainerStatus]:
    statuses: Iterable[ContainerStatus] = (
        *(pod.status.container_statuses or ()),
        *(pod.status.init_container_statuses or ()),
    )
    return {status.name: status for status in statuses}


def _requests_of(resources: ResourceRequirements | None) -> ResourceList | None:
    return resources.requests if resources is not None else None


def _exact(resources: ResourceList | None) -> Nanos:
    return {name: parse_quantity(text).nanos for name, text in (resources or {}).items()}


def _filled(requests: Nanos, fill: Nanos) -> Nanos:
    return {**fill, **requests} if fill else requests


def _add(total: Nanos, more: Nanos) -> None:
    for name, amount in more.items():
        total[name] = total.get(name, 0) + amount


def _raise_to(total: Nanos, least: Nanos) -> None:
    for name, amount in least.items():
        if name not in total or amount > total[name]:
            total[name] = amount
