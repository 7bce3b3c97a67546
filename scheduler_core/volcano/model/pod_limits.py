"""What a pod may use of cpu and memory at most.

Source: volcano v1.16 pkg/scheduler/api/pod_info.go GetPodResourceLimit.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.objects.amounts.go_quantity import GoQuantity, go_quantity
from scheduler_core.objects.types import Container, ContainerStatus, Pod
from scheduler_core.volcano.model.resource import Resource


def pod_limit(pod: Pod) -> Resource:
    """Return the sum of the containers' limits, or the biggest of the init containers', cpu and memory.

    A container without a limit adds nothing. Milli-CPU and bytes. Raises QuantityError.
    """
    spec, status = pod.spec, pod.status
    running = {one.name: one for one in status.container_statuses or ()}
    starting = {one.name: one for one in status.init_container_statuses or ()}
    whole = Resource()
    for container in spec.containers or ():
        whole.add(_limit_of(container, running.get(container.name)))
    sidecars, largest = Resource(), Resource()
    for container in spec.init_containers or ():
        if container.restart_policy == "Always":
            own = _limit_of(container, starting.get(container.name))
            whole.add(own)
            own = sidecars.add(own)
        else:
            own = _limit_of(container, None).add(sidecars)
        largest.raise_to(own)
    whole.raise_to(largest)
    return _amended(whole, pod)


def _limit_of(container: Container, status: ContainerStatus | None) -> Resource:
    """Return the larger of what a container's spec says and, once it runs, its status."""
    limits = _read(container.resources.limits if container.resources else None)
    there = None if status is None or status.resources is None else status.resources
    for name, amount in (_read(there.limits) if there is not None else {}).items():
        if name not in limits or amount > limits[name]:
            limits[name] = amount
    return Resource.of_quantities(limits)


def _read(amounts: Mapping[str, str | int | float] | None) -> dict[str, GoQuantity]:
    return {name: go_quantity(text) for name, text in (amounts or {}).items()}


def _amended(whole: Resource, pod: Pod) -> Resource:
    """Let limits of the whole pod stand before those of containers, and add the overhead to a limit."""
    of_pod = (pod.spec.resources.limits if pod.spec.resources else None) or {}
    at_pod_level, overhead = Resource.of(of_pod), Resource.of(pod.spec.overhead)
    for name in ("cpu", "memory"):
        amount = at_pod_level.get(name) if name in of_pod else whole.get(name)
        setattr(whole, name, amount + overhead.get(name) if amount else amount)
    return whole
