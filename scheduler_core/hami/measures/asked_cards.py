"""What pods ask of cards: read container by container from the pods as the webhook let them in.

Of a pod that nobody has at hand the log has the sums of its containers' requests, read as one container.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scheduler_core.events.state import PodRow
from scheduler_core.hami.configuration.kube_scheduler import KubeWithHami
from scheduler_core.hami.devices.all_vendors import Vendors, reading_vendors
from scheduler_core.hami.extender.device_requests import container_requests
from scheduler_core.hami.rules.cards import ALL_MEMORY_UNSET, Request
from scheduler_core.hami.rules.pod_request import Object, containers_of, init_containers_of
from scheduler_core.schedulers.paper_fragmentation import Shape

_OTHERS = ("cpu", "memory", "ephemeral-storage")


def asked_by(pod: Object, vendors: Vendors) -> dict[str, list[Request]]:
    """Return by vendor what a pod's containers ask for, or its greatest init container if that is more."""
    together: dict[str, list[Request]] = {}
    for container in containers_of(pod):
        for vendor, request in container_requests(container, vendors).items():
            together.setdefault(vendor, []).append(request)
    for container in init_containers_of(pod):
        for vendor, request in container_requests(container, vendors).items():
            together[vendor] = max(together.get(vendor, []), [request], key=_size)
    return together


def _size(requests: Iterable[Request]) -> tuple[int, int, int]:
    known = list(requests)
    number, memory = sum(one.nums for one in known), sum(one.nums * one.memory for one in known)
    return number, memory, sum(one.nums * one.percentage for one in known)


class Asked:
    """Reads what pods ask for as HAMi does under these settings; `pods` are those that are at hand."""

    def __init__(self, built: KubeWithHami, pods: Iterable[Object] = ()) -> None:
        self.schedulers = frozenset(built)
        """The `schedulerName`s of pods that it is asked about."""
        self._vendors = reading_vendors(built.hami)
        self._known = {str(pod["metadata"]["uid"]): asked_by(pod, self._vendors) for pod in pods}

    def parts(self, row: PodRow) -> dict[str, list[Shape]]:
        """Return by vendor what each container of a pod asks for; nothing of one without cards."""
        asked = self._known.get(row.uid)
        if asked is None:
            asked = asked_by({"spec": {"containers": [_as_one_container(row.requests)]}}, self._vendors)
        cpu = row.requests.get("cpu", 0)
        return {vendor: [_shape(request, cpu) for request in requests] for vendor, requests in asked.items()}

    def shapes(self, row: PodRow) -> dict[str, Shape]:
        """Return the parts put together: all the cards, with as much of each as the first part asks for."""
        return {
            vendor: parts[0]._replace(number=sum(part.number for part in parts))
            for vendor, parts in self.parts(row).items()
        }


def _as_one_container(requests: Mapping[str, int]) -> Object:
    limits = {name: str(amount) for name, amount in requests.items() if name not in _OTHERS}
    return {"name": "", "resources": {"limits": limits}}


def _shape(request: Request, cpu: int) -> Shape:
    share = 0 if request.memory or request.percentage == ALL_MEMORY_UNSET else request.percentage
    return Shape(cpu, request.nums, 10 * max(share, request.cores), request.memory)
