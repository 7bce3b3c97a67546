"""The search for devices on one node: depth first, the first way that gives each request its devices.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating allocateOne,
allocateDevice. What looks odd is so there: counters that a refused device took stay taken, and devices of
requests for All aren't undone where their capacity turns out too small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from scheduler_core.objects.amounts.quantity import Quantity
from scheduler_core.objects.dynamic_resources import Device, DeviceId, DeviceTaint, ResourceClaim
from scheduler_core.objects.types import Node
from scheduler_core.predicates.devices import capacity
from scheduler_core.predicates.devices.constraints import Constraint, constraint_of
from scheduler_core.predicates.devices.counters import AvailableCounters, ConsumedCounters
from scheduler_core.predicates.devices.identity import (
    MOST_DEVICES,
    AllocationError,
    SchedulerPanics,
    SearchTooLong,
)
from scheduler_core.predicates.devices.node_match import reaches
from scheduler_core.predicates.devices.pools import Candidate, Pool
from scheduler_core.predicates.devices.requests import Request
from scheduler_core.predicates.devices.selecting import Selecting
from scheduler_core.predicates.tolerations import tolerates
from scheduler_core.state.devices_in_use import DevicesInUse

MOST_TRIES = 1_000_000
"""Devices that a search looks at before it is given up."""


@dataclass(eq=False)
class Given:
    """A device that a request gets; `consumed` is what it takes of one that is shared."""

    request: Request
    candidate: Candidate
    consumed: dict[str, Quantity] | None = None


@dataclass(eq=False)
class Wanted:
    """A request or an alternative, with how many devices it needs; `all` are those of a request for All."""

    request: Request
    count: int
    all: list[Candidate] = field(default_factory=list)


@dataclass(eq=False)
class ClaimSearch:
    """What a claim wants: by request its alternatives, one if it has none; and what it has got so far."""

    claim: ResourceClaim
    wanted: list[list[Wanted]] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    chosen: dict[int, int] = field(default_factory=dict)


class Refusal(NamedTuple):
    """What does not take a device: a selector, at its place, of its class or request, or the node."""

    by: Literal["class", "request", "node"]
    place: int = 0


class _TooMany(Exception):
    """The claim would get more devices than it may; this way is given up."""


class Search:
    """One search, on one node, for all claims of a pod that have no devices yet."""

    most_tries = MOST_TRIES

    def __init__(
        self,
        node: Node,
        pools: Sequence[Pool],
        taken: DevicesInUse,
        available: AvailableCounters,
        selecting: Selecting,
    ) -> None:
        self.node = node
        self.pools = pools
        self.claims: list[ClaimSearch] = []
        self._taken = taken
        self._counters = ConsumedCounters(available)
        self._selecting = selecting
        self._matches: dict[tuple[int, int, int, DeviceId], bool] = {}
        self._chosen: dict[DeviceId, set[int]] = {}
        self._shared: dict[DeviceId, dict[str, int]] = {}
        self._tries = 0

    # -- before the search -----------------------------------------------------------------------------

    def want(self, claim: ResourceClaim, requests: Sequence[Sequence[Request]]) -> None:
        """Add a claim with its requests, each with its alternatives. Raises AllocationError."""
        number, search = len(self.claims), ClaimSearch(claim)
        self.claims.append(search)
        for place, alternatives in enumerate(requests):
            search.wanted.append([self._wanted(number, place, *one) for one in enumerate(alternatives)])
        least = sum(min(one.count for one in alternatives) for alternatives in search.wanted)
        if least > MOST_DEVICES:
            raise AllocationError(
                f"claim {_name(claim)}: number of requested devices {least}"
                f" exceeds the claim limit of {MOST_DEVICES}"
            )
        for place, said in enumerate(claim.spec.devices.constraints or ()):
            constraint = constraint_of(said)
            if constraint is None:
                fault = "empty constraint (unsupported constraint type?)"
                raise AllocationError(f"claim {_name(claim)}, constraint #{place}: {fault}")
            search.constraints.append(constraint)

    def _wanted(self, claim: int, place: int, alternative: int, request: Request) -> Wanted:
        if not request.is_for_all:
            return Wanted(request, request.asked.count)
        found = list(self._all_devices(claim, place, alternative, request))
        return Wanted(request, len(found), found)

    def _all_devices(self, claim: int, place: int, alternative: int, request: Request) -> Iterator[Candidate]:
        """Yield all devices that match, in use or not; every pool must be sound. Raises AllocationError."""
        for pool in self.pools:
            if pool.fault:
                state = "being updated" if pool.fault == "incomplete" else "invalid"
                raise AllocationError(
                    f"claim {_name(self.claims[claim].claim)}, request {request.name}: asks for all devices,"
                    f" but resource pool {pool.id} is currently {state}"
                )
            for candidate in pool.candidates:
                if self._is_selectable((claim, place, alternative), request, candidate) and self._has_left(
                    request, candidate
                ):
                    yield Candidate(candidate.id, candidate.device, candidate.slice)

    # -- the search ------------------------------------------------------------------------------------

    def run(self) -> bool:
        """Return whether there is a way. Raises AllocationError, SchedulerPanics and SearchTooLong."""
        try:
            return self._claim(0)
        except _TooMany as error:
            raise AllocationError("allocation max size exceeded") from error

    def _claim(self, claim: int) -> bool:
        return claim == len(self.claims) or self._request(claim, 0)

    def _request(self, claim: int, place: int) -> bool:
        """Give a request and all that come after it their devices; return whether there is a way."""
        search = self.claims[claim]
        if place == len(search.wanted):
            try:
                return self._claim(claim + 1)
            except _TooMany:
                return False
        alternatives = search.wanted[place]
        if not alternatives[0].request.is_alternative:
            return self._devices(claim, place, 0, 0, 0)
        too_many = 0
        for number in range(len(alternatives)):
            try:
                if self._devices(claim, place, number, 0, 0):
                    search.chosen[place] = number
                    return True
            except _TooMany:
                too_many += 1
        if too_many == len(alternatives):
            raise _TooMany
        return False

    def _devices(self, claim: int, place: int, alternative: int, number: int, start: int) -> bool:
        """Give a request its devices from `number` on, of the candidates from `start` on."""
        search = self.claims[claim]
        wanted = search.wanted[place][alternative]
        if wanted.request.is_for_all and not wanted.all:
            return False
        if number >= wanted.count:
            return self._request(claim, place + 1)
        if len(search.given) + wanted.count - number > MOST_DEVICES:
            raise _TooMany
        if wanted.request.is_for_all:
            candidates: Sequence[Candidate] = wanted.all[number : number + 1]
        else:
            candidates = self._offered[start:]
        for offset, candidate in enumerate(candidates, start=1):
            if not self._may_be_taken(claim, (claim, place, alternative), wanted.request, candidate):
                continue
            if not self._take(claim, wanted.request, candidate):
                continue
            try:
                done = self._devices(claim, place, alternative, number + 1, start + offset)
            except (_TooMany, AllocationError):
                self._give_back(claim, wanted.request, candidate)
                raise
            if done:
                return True
            self._give_back(claim, wanted.request, candidate)
        return False

    @property
    def _offered(self) -> list[Candidate]:
        """All devices of sound pools, in the order in which they are tried."""
        if not hasattr(self, "_all"):
            self._all = [one for pool in self.pools if not pool.fault for one in pool.candidates]
        return self._all

    def _may_be_taken(
        self, claim: int, key: tuple[int, int, int], request: Request, candidate: Candidate
    ) -> bool:
        """Return whether a candidate is looked at further; those of a request for All were before."""
        self._tries += 1
        if self._tries > self.most_tries:
            raise SearchTooLong
        if request.is_for_all:
            return True
        if request.admin_access and claim in self._chosen.get(candidate.id, ()):
            return False
        if not request.admin_access and self._is_in_use(candidate.id):
            return False
        return self._is_selectable(key, request, candidate) and self._has_left(request, candidate)

    def _is_in_use(self, device: DeviceId) -> bool:
        return device in self._taken.devices or bool(self._chosen.get(device))

    def _is_selectable(self, key: tuple[int, int, int], request: Request, candidate: Candidate) -> bool:
        """Return whether class, request and node selection take a device. Raises AllocationError."""
        known = self._matches.get((*key, candidate.id))
        if known is None:
            known = self._refused_by(key[0], request, candidate) is None
            self._matches[(*key, candidate.id)] = known
        return known

    def _refused_by(self, claim: int, request: Request, candidate: Candidate) -> Refusal | None:
        """Return what does not take a device, None where all do. Raises AllocationError."""
        device, driver, of_class = candidate.device, candidate.id.driver, request.device_class
        owner = f"class {of_class.metadata.name}"
        place = self._selecting.refusing(of_class.spec.selectors, driver, device, owner)
        if place is not None:
            return Refusal("class", place)
        owner = f"claim {_name(self.claims[claim].claim)}"
        place = self._selecting.refusing(request.asked.selectors, driver, device, owner)
        if place is not None:
            return Refusal("request", place)
        if candidate.slice.spec.per_device_node_selection and not reaches(device, self.node):
            return Refusal("node")
        return None

    def _has_left(self, request: Request, candidate: Candidate) -> bool:
        """Return whether a device has the capacity that is asked for."""
        return self._lacking(request, candidate) is None

    def _lacking(self, request: Request, candidate: Candidate) -> str | None:
        taken = (self._taken.shared.get(candidate.id, {}), self._shared.get(candidate.id, {}))
        return capacity.lacking(candidate.device, request.asked.capacity, *taken)

    # -- one device ------------------------------------------------------------------------------------

    def _take(self, claim: int, request: Request, candidate: Candidate) -> bool:
        """Give a device to a request, if nothing stands against it. Raises AllocationError."""
        device, search = candidate.device, self.claims[claim]
        shared = bool(device.allow_multiple_allocations)
        if not shared and request.admin_access and claim in self._chosen.get(candidate.id, ()):
            return False
        if not request.admin_access and self._is_in_use(candidate.id):
            return False
        if not self._take_counters(candidate, shared=shared) or untolerated(device, request) is not None:
            return False
        if not self._satisfies(search, request, candidate):
            return False
        chosen = self._chosen.setdefault(candidate.id, set())
        if not shared:
            chosen.add(claim)
        if not self._has_left(request, candidate):
            return False
        consumed = capacity.consumption(device, request.asked.capacity) if shared else {}
        if shared:
            taken = self._shared.setdefault(candidate.id, {})
            for name, amount in consumed.items():
                taken[name] = taken.get(name, 0) + amount.nanos
        search.given.append(Given(request, candidate, consumed if shared else None))
        return True

    def _take_counters(self, candidate: Candidate, *, shared: bool) -> bool:
        if not candidate.device.consumes_counters:
            return True
        if shared and (candidate.id in self._taken.shared or candidate.id in self._shared):
            return True
        if candidate.pool is None:
            raise SchedulerPanics("a request for all devices, of which some consume counters")
        return self._overdrawn(candidate.pool, candidate.device) is None

    def _overdrawn(self, pool: Pool, device: Device) -> str | None:
        return self._counters.take(pool, device)

    def _satisfies(self, search: ClaimSearch, request: Request, candidate: Candidate) -> bool:
        for number, constraint in enumerate(search.constraints):
            if self._accepts(constraint, request, candidate):
                continue
            if request.is_for_all:
                raise AllocationError(
                    f"claim {_name(search.claim)}, request {request.name}: cannot add device {candidate.id}"
                    " because a claim constraint would not be satisfied"
                )
            for before in search.constraints[:number]:
                before.remove(request)
            return False
        return True

    def _accepts(self, constraint: Constraint, request: Request, candidate: Candidate) -> bool:
        return constraint.add(request, candidate.id.driver, candidate.device)

    def _give_back(self, claim: int, request: Request, candidate: Candidate) -> None:
        search, device = self.claims[claim], candidate.device
        for constraint in search.constraints:
            constraint.remove(request)
        self._chosen[candidate.id].discard(claim)
        given = search.given.pop()
        if given.consumed is not None:
            self._give_capacity_back(candidate.id, given.consumed)
        elif device.consumes_counters:
            assert candidate.pool is not None
            self._counters.give_back(candidate.pool, device)

    def _give_capacity_back(self, device: DeviceId, consumed: dict[str, Quantity]) -> None:
        taken = self._shared.get(device)
        if taken is None or not consumed:
            return
        for name, amount in consumed.items():
            taken[name] -= amount.nanos
        if not any(taken.values()):
            del self._shared[device]


def untolerated(device: Device, request: Request) -> DeviceTaint | None:
    """Return the first taint that keeps pods away and is not tolerated, None where there is none."""
    return next((taint for taint in device.taints or () if not _is_tolerated(taint, request)), None)


def _is_tolerated(taint: DeviceTaint, request: Request) -> bool:
    if taint.effect not in ("NoSchedule", "NoExecute"):
        return True
    return tolerates(request.asked.tolerations or (), (taint.key, taint.value, taint.effect))


def _name(claim: ResourceClaim) -> str:
    return f"{claim.metadata.namespace}/{claim.metadata.name}"
