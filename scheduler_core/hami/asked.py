"""What pods ask of cards, told from what the log has of them: the sums of their containers' requests."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.hami.cards import ALL_MEMORY_UNSET, Request
from scheduler_core.hami.devices.table import make_vendors
from scheduler_core.hami.kube_scheduler import KubeWithHami
from scheduler_core.hami.memory import Memory
from scheduler_core.hami.paper_fragmentation import Shape
from scheduler_core.hami.quota import Quotas
from scheduler_core.hami.requests import container_requests
from scheduler_core.state.journal import Journal

_OTHERS = ("cpu", "memory", "ephemeral-storage")


class Asked:
    """Reads requests as HAMi does under these settings, a pod's containers taken as one."""

    def __init__(self, built: KubeWithHami) -> None:
        self.schedulers = frozenset(built)
        """The `schedulerName`s of pods that it is asked about."""
        journal = Journal()
        self._vendors = make_vendors(built.hami, Quotas(journal), Memory(journal))
        self._known: dict[frozenset[tuple[str, int]], dict[str, Shape]] = {}

    def shapes(self, requests: Mapping[str, int]) -> dict[str, Shape]:
        """Return by vendor what somebody with these requests asks for; nothing of one without cards."""
        key = frozenset(requests.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._shapes(requests)
        return found

    def _shapes(self, requests: Mapping[str, int]) -> dict[str, Shape]:
        limits = {name: str(amount) for name, amount in requests.items() if name not in _OTHERS}
        asked = container_requests({"name": "", "resources": {"limits": limits}}, self._vendors)
        return {vendor: _shape(request, requests.get("cpu", 0)) for vendor, request in asked.items()}


def _shape(request: Request, cpu: int) -> Shape:
    share = 0 if request.memory or request.percentage == ALL_MEMORY_UNSET else request.percentage
    return Shape(cpu, request.nums, 10 * max(share, request.cores), request.memory)
