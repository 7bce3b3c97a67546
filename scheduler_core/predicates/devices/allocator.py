"""The allocator: asked node by node which devices a pod's claims would get there.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating NewAllocator, Allocate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scheduler_core.objects.dynamic_resources import DeviceClass, Document, ResourceClaim
from scheduler_core.objects.types import Node
from scheduler_core.predicates.devices.counters import AvailableCounters
from scheduler_core.predicates.devices.identity import AllocationError, InvalidPools
from scheduler_core.predicates.devices.pools import Slices
from scheduler_core.predicates.devices.requests import Request, alternatives_of
from scheduler_core.predicates.devices.results import allocation_of
from scheduler_core.predicates.devices.search import Search
from scheduler_core.predicates.devices.selecting import Selecting
from scheduler_core.predicates.devices.watched_search import WatchedSearch
from scheduler_core.state.devices_in_use import DevicesInUse


class Allocator:
    """What an attempt finds out about devices; nodes are asked one after the other, in the order of names."""

    def __init__(
        self,
        slices: Slices,
        classes: Mapping[str, DeviceClass],
        taken: DevicesInUse,
        selecting: Selecting,
    ) -> None:
        self._slices = slices
        self._classes = classes
        self._taken = taken
        self._selecting = selecting
        self._available = AvailableCounters(taken)

    def allocate(self, node: Node, claims: Sequence[ResourceClaim]) -> list[Document] | None:
        """Return the allocations of the claims on a node; None where there is no way.

        Raises AllocationError, which ends the attempt; InvalidPools, where there is no way and a pool
        contradicts itself; SchedulerPanics; SearchTooLong.
        """
        pools = self._slices.pools(node)
        search = Search(node, pools, self._taken, self._available, self._selecting)
        if self._run(search, claims):
            return [allocation_of(one, node.metadata.name) for one in search.claims]
        if any(pool.fault == "invalid" for pool in pools):
            raise InvalidPools
        return None

    def watched(self, node: Node, claims: Sequence[ResourceClaim]) -> WatchedSearch:
        """Return the same search on a node, with what came of each device."""
        pools = self._slices.pools(node)
        search = WatchedSearch(node, pools, self._taken, self._available, self._selecting)
        search.watch(lambda: self._run(search, claims))
        return search

    @property
    def slices(self) -> Slices:
        """The slices in which devices are looked for."""
        return self._slices

    def _run(self, search: Search, claims: Sequence[ResourceClaim]) -> bool:
        for claim in claims:
            search.want(claim, self._requests(claim))
        return search.run()

    def _requests(self, claim: ResourceClaim) -> list[list[Request]]:
        """Return a claim's requests, each with its alternatives. Raises AllocationError."""
        found = []
        for name, has_alternatives, asked in alternatives_of(claim):
            alternatives = []
            for one in asked:
                device_class = self._classes.get(one.device_class_name)
                if device_class is None:
                    raise _no_class(claim, one.name if has_alternatives else name, one.device_class_name)
                alternatives.append(Request(name, one, has_alternatives, device_class))
            found.append(alternatives)
        return found


def _no_class(claim: ResourceClaim, request: str, name: str) -> AllocationError:
    owner = f"claim {claim.metadata.namespace}/{claim.metadata.name}, request {request}"
    missing = f'deviceclass.resource.k8s.io "{name}" not found'
    return AllocationError(f"{owner}: could not retrieve device class {name}: {missing}")
