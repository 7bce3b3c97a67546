"""What PreFilter and Filter find out of a pod's claims: on which nodes there are devices for them.

Source: kubernetes v1.36 plugins/dynamicresources PreFilter, Filter, computeScore.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.go.quote import quote
from scheduler_core.kube.dynamic_resources.extended_resources import (
    CannotFit,
    RequestsOnNode,
    requests_for,
    resources_on,
)
from scheduler_core.kube.dynamic_resources.kept_searches import UNKNOWN, KeptSearch
from scheduler_core.kube.framework import Cycle, NotModelled
from scheduler_core.objects.dynamic_resources import Document, ResourceClaim, results_of
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.types import NodeSelector, convert
from scheduler_core.predicates.devices.allocator import Allocator
from scheduler_core.predicates.devices.identity import (
    AllocationError,
    InvalidPools,
    SchedulerPanics,
    SearchTooLong,
    UnreadableSelector,
)
from scheduler_core.predicates.devices.node_match import selector_matches
from scheduler_core.predicates.devices.watched_search import WatchedSearch
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.claim_documents import ClaimKey
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo

NOT_ALLOCATED, NOT_AVAILABLE, INVALID_POOLS, CLAIM_IS_LEFT, CANNOT_FIT, FIRST_FAULT = 1, 2, 3, 4, 5, 6
"""Filter's codes; from the last on they number the errors."""
REASONS = {
    NOT_ALLOCATED: "cannot allocate all claims",
    NOT_AVAILABLE: "resourceclaim not available on the node",
    INVALID_POOLS: "invalid resource pools were encountered",
    CLAIM_IS_LEFT: "cannot schedule extended resource claim",
    CANNOT_FIT: "cannot fit resource",
}
BINDING_TIMEOUT = 600 * 10**9
"""Nanoseconds that a device may take to be ready. Source: config DynamicResourcesBindingTimeoutDefault."""
_BEST_ALTERNATIVE = 8
"""Points of a request's first alternative. Source: resource/v1 FirstAvailableDeviceRequestMaxSize."""


@dataclass(frozen=True)
class ClaimWrite:
    """A call about a claim: the verb and the claim as it stands afterwards, None where it is gone."""

    verb: str
    key: ClaimKey
    document: Document | None


@dataclass(eq=False)
class ExtendedAsk:
    """Extended resources of a pod for which it may need devices; its claim is the last.

    `document` is that claim, `on_nodes` what it would ask for on each node that needs it.
    """

    pod: PodInfo
    amounts: dict[str, int]
    document: Document
    known: DeviceClaims
    on_nodes: dict[int, RequestsOnNode] = field(default_factory=dict)


@dataclass(eq=False)
class ClaimsOfPod(FilterState):
    """A pod's claims, in its order; `allocator` is missing where all have their devices.

    `now` is in nanoseconds since 1970. By node `allocations` has what claims without devices would get there,
    in their order. `unavailable` are places of claims that some node can't use. `writes` and `fault` are what
    PostFilter or PreBind came to.
    """

    state: ClusterState
    now: int
    keys: list[ClaimKey]
    claims: list[ResourceClaim]
    allocator: Allocator | None
    allocations: dict[int, list[Document]] = field(default_factory=dict)
    unavailable: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    writes: list[ClaimWrite] = field(default_factory=list)
    fault: Status | None = None
    extended: ExtendedAsk | None = None
    status_of_pod: Document | None = None
    """What the pod's status gets to know of a claim that was made for its extended resources."""
    kept: KeptSearch | None = None
    """What is known from pods whose claims ask for the same."""
    _codes: dict[int, int] = field(default_factory=dict)

    @property
    def own(self) -> list[ClaimKey]:
        """The claims that the pod itself names."""
        return self.keys if self.extended is None else self.keys[:-1]

    @property
    def to_allocate(self) -> list[int]:
        """Return the places of the claims that have no devices yet."""
        return [place for place, claim in enumerate(self.claims) if not claim.status.allocation]

    def codes(self, nodes: IntArray) -> IntArray:
        """Return the codes of nodes, which are asked in the order of their names."""
        if self.kept is not None and self._keep(self.kept, nodes):
            return self.kept.codes[nodes]
        for node in sorted(nodes.tolist(), key=self.state.nodes.names.__getitem__):
            if node not in self._codes:
                self._codes[node] = self._code(node)
        return np.array([self._codes[node] for node in nodes.tolist()], dtype=np.int64)

    def _keep(self, kept: KeptSearch, nodes: IntArray) -> bool:
        """Ask about nodes of which nothing is kept; return whether all can be kept."""
        unknown = nodes[kept.codes[nodes] == UNKNOWN]
        for node in sorted(unknown.tolist(), key=self.state.nodes.names.__getitem__):
            code = self._code(node)
            if code >= FIRST_FAULT:
                kept.is_spoilt, self.kept = True, None
                self.faults.clear()
                return False
            kept.codes[node] = code
            kept.points[node] = self._points(self.allocations.pop(node, ()))
        return True

    def watched_on(self, node: int) -> WatchedSearch | None:
        """Return the search on a node once more, with what came of each device; None where none is needed."""
        if self.allocator is None:
            return None
        if self.extended is not None and self._ask_for_extended(self.extended, node):
            return None
        wanted = [self._on_node(place, node) for place in self.to_allocate]
        return self.allocator.watched(self.state.nodes.objects[node], wanted)

    def is_available(self, place: int, node: int) -> bool:
        """Return whether a claim that has its devices can be used on a node."""
        allocation = self.claims[place].status.allocation
        if not allocation:
            return True
        selector = allocation.get("nodeSelector")
        if selector and not selector_matches(convert(selector, NodeSelector), self.state.nodes.objects[node]):
            return False
        ready = is_ready(self.claims[place])
        return ready is True or (ready is None and not self._is_timed_out(allocation))

    def given_on(self, node: int) -> list[Document]:
        """Return what claims without devices would get on a node, in their order."""
        if self.kept is not None and node not in self.allocations and self.kept.codes[node] != UNKNOWN:
            self._code(node)
        return self.allocations.get(node, [])

    def _code(self, node: int) -> int:
        if self.extended is not None and (code := self._ask_for_extended(self.extended, node)):
            return code
        if self.extended is not None and not self.own and node not in self.extended.on_nodes:
            return 0
        unavailable = {place for place in range(len(self.claims)) if not self.is_available(place, node)}
        code = 0 if self.allocator is None else self._allocate(self.allocator, node)
        if code:
            return code
        self.unavailable |= unavailable
        if unavailable:
            self.allocations.pop(node, None)
            return NOT_AVAILABLE
        return 0

    def _ask_for_extended(self, extended: ExtendedAsk, node: int) -> int:
        """Note what the claim for extended resources would ask for on a node, if it needs one there."""
        claim = self.claims[-1]
        if claim.spec.devices.requests is not None:
            return CLAIM_IS_LEFT
        try:
            resources = resources_on(self.state.nodes.objects[node], extended.amounts, extended.known)
        except CannotFit:
            return CANNOT_FIT
        if (self.own or resources) and not claim.status.allocation:
            extended.on_nodes[node] = requests_for(extended.pod, resources, extended.known)
        return 0

    def _is_timed_out(self, allocation: Document) -> bool:
        stamp = allocation.get("allocationTimestamp")
        waits = any(result.get("bindingConditions") is not None for result in results_of(allocation))
        return bool(stamp) and waits and parse_timestamp(stamp, 0) + BINDING_TIMEOUT < self.now

    def _allocate(self, allocator: Allocator, node: int) -> int:
        wanted = [self._on_node(place, node) for place in self.to_allocate]
        try:
            found = allocator.allocate(self.state.nodes.objects[node], wanted)
        except InvalidPools:
            return INVALID_POOLS
        except AllocationError as error:
            self.faults.append(str(error))
            return FIRST_FAULT + len(self.faults) - 1
        except SchedulerPanics as error:
            raise NotModelled(f"the scheduler panics over {error}") from error
        except UnreadableSelector as error:
            raise NotModelled(f"the selector of devices {error}") from error
        except SearchTooLong as error:
            raise NotModelled("a search for devices that doesn't end") from error
        if found is None:
            return NOT_ALLOCATED
        self.allocations[node] = found
        return 0

    def _on_node(self, place: int, node: int) -> ResourceClaim:
        """Return a claim as it would be on a node: that for extended resources has other requests on each."""
        if self.extended is None or place != len(self.claims) - 1 or node not in self.extended.on_nodes:
            return self.claims[place]
        requests = self.extended.on_nodes[node].requests
        document = {**self.extended.document, "spec": {"devices": {"requests": requests}}}
        return convert(document, ResourceClaim)

    # -- scores ----------------------------------------------------------------------------------------

    def points(self, nodes: IntArray) -> IntArray:
        """Return the points of nodes, shape (nodes,): more for an earlier alternative of a request."""
        if self.kept is not None:
            return self.kept.points[nodes]
        given = (self.allocations.get(node, ()) for node in nodes.tolist())
        return np.array([self._points(allocations) for allocations in given], dtype=np.int64)

    def _points(self, allocations: Sequence[Document]) -> int:
        total, new = 0, iter(allocations)
        for claim in self.claims:
            allocation = claim.status.allocation or next(new, None)
            given = {result["request"] for result in results_of(allocation)}
            for request in claim.spec.devices.requests or ():
                for number, alternative in enumerate(request.first_available or ()):
                    if f"{request.name}/{alternative.name}" in given:
                        total += _BEST_ALTERNATIVE - number
        return total


def claims_in(cycle: Cycle) -> ClaimsOfPod | None:
    """Return what was found out of the claims of an attempt's pod, None where it has none."""
    state = cycle.states.get("DynamicResources")
    return state if isinstance(state, ClaimsOfPod) else None


def is_ready(claim: ResourceClaim) -> bool | str | None:
    """Return whether all devices are ready that must be; the error of one that failed; None: not yet."""
    for result in results_of(claim.status.allocation):
        wanted = result.get("bindingConditions")
        if not wanted:
            continue
        conditions = _conditions_of(claim, result)
        if conditions is None:
            return None
        for name in result.get("bindingFailureConditions") or ():
            failed = conditions.get(name)
            if failed is not None and failed.get("status") == "True":
                return (
                    f"device binding failed: claim={claim.metadata.name}, reason={failed.get('reason', '')},"
                    f" message={quote(failed.get('message', ''))}"
                )
        if any(conditions.get(name, {}).get("status") != "True" for name in wanted):
            return None
    return True


def _conditions_of(claim: ResourceClaim, result: Document) -> dict[str, Document] | None:
    """Return a device's conditions by type, None where its driver has said nothing."""
    device = (result["driver"], result["pool"], result["device"])
    for said in claim.status.devices or ():
        if (said.get("driver"), said.get("pool"), said.get("device")) == device:
            return {condition["type"]: condition for condition in said.get("conditions") or ()}
    return None
