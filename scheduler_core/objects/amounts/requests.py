"""A pod's effective requests: what it takes on a node, in the scheduler's units.

Containers are summed, sidecars (restartable init containers) add to the sum and to every later init
container, other init containers set a minimum, pod-level requests replace cpu, memory and huge pages,
overhead is added last. Amounts are added exactly and rounded up once; where a sum is more than 64 bits hold,
it is added up again as Go does, which goes on with what is left.

Source: k8s.io/component-helpers v0.36 resource.PodRequests; kubernetes v1.36 pkg/scheduler/framework
PodInfo.CalculateResource, noderesources.calculatePodResourceRequest.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

import msgspec

from scheduler_core.objects.amounts.go_quantity import GoQuantity, go_quantity, unit_of
from scheduler_core.objects.amounts.quantity import Quantity, QuantityError, parse_quantity
from scheduler_core.objects.types import (
    Container,
    ContainerStatus,
    Pod,
    ResourceList,
    ResourceRequirements,
)

A = TypeVar("A", int, GoQuantity)
"""An amount: exactly in units of 10^-9, or as Go holds it."""
Reader = Callable[[str | int | float | None], A]
Amounts = dict[str, int]
"""Resource name to milli-CPU (`cpu`), bytes or whole units (all others)."""

_FILL: ResourceList = {"cpu": "100m", "memory": 200 * 1024 * 1024}
"""What a container without a request counts as in scores."""
_NOTHING: ResourceList = {}
_RESIZE_PENDING = "PodResizePending"

_QUALIFIED_PART = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\Z")
_DNS_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")


def pod_requests(pod: Pod, *, running: bool = False) -> Amounts:
    """Return what the pod requests for Filter and, with `running`, what it takes once it has a node.

    A running pod counts the larger of spec and status of a container that is being resized.
    """
    return _counted(pod, use_status=running, pod_level=True, fill=_NOTHING)


def asked_for(pod: Pod) -> bytes | None:
    """Return what decides the amounts here and host ports: pods for which it is the same ask for the same.

    None for a pod with numbers that nothing holds.
    """
    spec, status = pod.spec, pod.status
    resizing = [one for one in status.conditions or () if one.type == _RESIZE_PENDING]
    asked = spec.containers, spec.init_containers, spec.overhead, spec.resources
    given = status.container_statuses, status.init_container_statuses
    try:
        return msgspec.msgpack.encode((asked, given, status.resources, status.allocated_resources, resizing))
    except OverflowError:
        return None


def running_milli_requests(pod: Pod) -> Amounts:
    """Return what the pod takes once it has a node, every resource in thousandths, as 64 bits hold them."""
    exact = _requests(pod, go_quantity, use_status=True, pod_level=True, fill=_NOTHING)
    return {name: amount.in_units_of(-3) for name, amount in exact.items()}


def resized_requests(pod: Pod, container: Container) -> dict[str, GoQuantity]:
    """Return what a container requests: while it is being resized the larger of spec and status."""
    return _one_container(pod, container, _container_statuses(pod), go_quantity)


def scored_requests(pod: Pod) -> Amounts:
    """Return what NodeResourcesFit scores the incoming pod by.

    Containers without a cpu or memory request count as 100m and 200 MiB; pod-level requests are ignored.
    """
    return _counted(pod, use_status=False, pod_level=False, fill=_FILL)


def non_zero_requests(pod: Pod) -> tuple[int, int]:
    """Return (milli-CPU, bytes of memory) by which a pod on a node weighs in scores.

    Missing container requests are filled with 100m and 200 MiB, except where pod-level requests are
    set and name the resource, or a container does.
    """
    fill = _FILL
    if _pod_level_requests(pod):
        requested = _requests(pod, _nanos, use_status=True, pod_level=True, fill=_NOTHING)
        fill = {name: amount for name, amount in _FILL.items() if name not in requested}
    amounts = _counted(pod, use_status=True, pod_level=True, fill=fill)
    return amounts.get("cpu", 0), amounts.get("memory", 0)


def _counted(pod: Pod, *, use_status: bool, pod_level: bool, fill: ResourceList) -> Amounts:
    """Return the sums in the scheduler's units, as 64 bits hold them."""
    exact = _requests(pod, _nanos, use_status=use_status, pod_level=pod_level, fill=fill)
    try:
        return {name: _in_units(name, amount) for name, amount in exact.items()}
    except QuantityError:
        as_go = _requests(pod, go_quantity, use_status=use_status, pod_level=pod_level, fill=fill)
        return {name: amount.in_units_of(unit_of(name)) for name, amount in as_go.items()}


def _in_units(name: str, nanos: int) -> int:
    exact = Quantity(nanos, "DecimalSI")
    return exact.milli_value() if name == "cpu" else exact.value()


def _nanos(text: str | int | float | None) -> int:
    return parse_quantity(text).nanos


@lru_cache(maxsize=1024)
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


def _requests(
    pod: Pod, read: Reader[A], *, use_status: bool, pod_level: bool, fill: ResourceList
) -> dict[str, A]:
    total = _container_requests(pod, read, use_status=use_status, fill=_read(fill, read))
    if pod_level:
        total.update(_pod_level_amounts(pod, read, use_status=use_status))
    add_to(total, _read(pod.spec.overhead, read))
    return total


def _container_requests(pod: Pod, read: Reader[A], *, use_status: bool, fill: dict[str, A]) -> dict[str, A]:
    statuses = _container_statuses(pod) if use_status else {}
    total: dict[str, A] = {}
    for container in pod.spec.containers or ():
        add_to(total, _filled(_one_container(pod, container, statuses, read), fill))
    sidecars: dict[str, A] = {}
    peak: dict[str, A] = {}
    for container in pod.spec.init_containers or ():
        if container.restart_policy == "Always":
            requests = _filled(_one_container(pod, container, statuses, read), fill)
            add_to(total, requests)
            add_to(sidecars, requests)
            raise_to(peak, sidecars)
        else:
            requests = _filled(_read(_requests_of(container.resources), read), fill)
            add_to(requests, sidecars)
            raise_to(peak, requests)
    raise_to(total, peak)
    return total


def _one_container(
    pod: Pod, container: Container, statuses: Mapping[str, ContainerStatus], read: Reader[A]
) -> dict[str, A]:
    spec = _read(_requests_of(container.resources), read)
    status = statuses.get(container.name)
    if status is None or status.resources is None:
        return spec
    reported = (_read(status.resources.requests, read), _read(status.allocated_resources, read))
    return _effective(pod, spec, *reported)


def _effective(pod: Pod, spec: dict[str, A], actuated: dict[str, A], allocated: dict[str, A]) -> dict[str, A]:
    result: dict[str, A] = {} if _resize_is_infeasible(pod) else dict(spec)
    raise_to(result, actuated)
    raise_to(result, allocated)
    return result


def _resize_is_infeasible(pod: Pod) -> bool:
    for condition in pod.status.conditions or ():
        if condition.type == _RESIZE_PENDING:
            return condition.reason == "Infeasible"
    return False


def _pod_level_requests(pod: Pod) -> bool:
    return any(is_pod_level(name) for name in _requests_of(pod.spec.resources) or ())


def _pod_level_amounts(pod: Pod, read: Reader[A], *, use_status: bool) -> dict[str, A]:
    if not _pod_level_requests(pod):
        return {}
    requests = _read(_requests_of(pod.spec.resources), read)
    if use_status and pod.status.resources is not None:
        actuated = _read(pod.status.resources.requests, read)
        effective = _effective(pod, requests, actuated, _read(pod.status.allocated_resources, read))
        requests = {name: effective[name] if name in effective else read(None) for name in requests}
    return {name: amount for name, amount in requests.items() if is_pod_level(name)}


def _container_statuses(pod: Pod) -> dict[str, ContainerStatus]:
    statuses: Iterable[ContainerStatus] = (
        *(pod.status.container_statuses or ()),
        *(pod.status.init_container_statuses or ()),
    )
    return {status.name: status for status in statuses}


def _requests_of(resources: ResourceRequirements | None) -> ResourceList | None:
    return resources.requests if resources is not None else None


def _read(resources: ResourceList | None, read: Reader[A]) -> dict[str, A]:
    return {name: read(text) for name, text in (resources or {}).items()}


def _filled(requests: dict[str, A], fill: dict[str, A]) -> dict[str, A]:
    return {**fill, **requests} if fill else requests


def add_to(total: dict[str, A], more: dict[str, A]) -> None:
    """Add amounts to a total, which changes."""
    for name, amount in more.items():
        total[name] = total[name] + amount if name in total else amount


def raise_to(total: dict[str, A], least: dict[str, A]) -> None:
    """Raise a total, which changes, to amounts where it is less."""
    for name, amount in least.items():
        if name not in total or amount > total[name]:
            total[name] = amount
