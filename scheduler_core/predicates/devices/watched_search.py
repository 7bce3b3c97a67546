"""The search for devices, watched: what came of each device that a request was tried with.

It is the search itself, which notes what its own steps answer. A device may be tried several times, beside
others that were chosen before it; then what stands against it longest is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, get_args

from scheduler_core.events.devices_tried import DeviceVerdict
from scheduler_core.objects.dynamic_resources import Device, DeviceAttribute, DeviceId
from scheduler_core.predicates.devices import capacity
from scheduler_core.predicates.devices.constraints import Constraint
from scheduler_core.predicates.devices.identity import (
    AllocationError,
    SchedulerPanics,
    SearchTooLong,
    UnreadableSelector,
)
from scheduler_core.predicates.devices.pools import Candidate, Pool
from scheduler_core.predicates.devices.requests import Request
from scheduler_core.predicates.devices.search import Refusal, Search, Wanted, untolerated

RequestKey = tuple[int, int, int]
"""The places of a claim, of its request, and of the alternative."""
_RANK = {verdict: place for place, verdict in enumerate(get_args(DeviceVerdict))}


class Note(NamedTuple):
    """What came of a device: `about` names a taint, an attribute, a counter or the like.

    `said` is what the device itself has of it.
    """

    verdict: DeviceVerdict
    about: str = ""
    said: str = ""


class WatchedSearch(Search):
    """A search with its notes: by request what came of each device, None for what was not looked at.

    `has_way`: each request has its devices. `error` is what ended the search, else empty.
    """

    most_tries = 100_000

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.requests: dict[RequestKey, Request] = {}
        self.notes: dict[RequestKey, dict[DeviceId, Note]] = {}
        self.has_way = False
        self.error = ""
        self._at: RequestKey = (0, 0, 0)

    def watch(self, run: Callable[[], bool]) -> None:
        """Run the search, and keep what ends it."""
        try:
            self.has_way = run()
        except (AllocationError, SchedulerPanics, UnreadableSelector) as error:
            self.error = str(error)
        except SearchTooLong:
            self.error = "the search is too long to be told"

    @property
    def offered(self) -> list[Candidate]:
        """All devices of sound pools, in the order in which they are tried."""
        return self._offered

    def given_to(self, key: RequestKey) -> set[DeviceId]:
        """Return the devices that a request gets; none where there is no way."""
        if not self.has_way:
            return set()
        wanted = self.requests[key]
        return {one.candidate.id for one in self.claims[key[0]].given if one.request is wanted}

    # -- what is noted ---------------------------------------------------------------------------------

    def _note(self, device: DeviceId, verdict: DeviceVerdict, about: str = "", said: str = "") -> None:
        notes = self.notes.setdefault(self._at, {})
        known = notes.get(device)
        if known is None or _RANK[verdict] < _RANK[known.verdict]:
            notes[device] = Note(verdict, about, said)

    def _wanted(self, claim: int, place: int, alternative: int, request: Request) -> Wanted:
        self.requests[claim, place, alternative] = request
        return super()._wanted(claim, place, alternative, request)

    def _all_devices(self, claim: int, place: int, alternative: int, request: Request) -> Iterator[Candidate]:
        self._at = claim, place, alternative
        self.notes.setdefault(self._at, {})
        yield from super()._all_devices(claim, place, alternative, request)

    def _may_be_taken(self, claim: int, key: RequestKey, request: Request, candidate: Candidate) -> bool:
        self._at = key
        may = super()._may_be_taken(claim, key, request, candidate)
        if not may:
            self._note(candidate.id, "chosen")
            self._ask_beyond_use(key, request, candidate)
        return may

    def _ask_beyond_use(self, key: RequestKey, request: Request, candidate: Candidate) -> None:
        """Ask of a device in use whether it would be selected at all, which the search leaves out."""
        if self.notes[key][candidate.id].verdict != "in-use":
            return
        try:
            self._is_selectable(key, request, candidate)
        except (AllocationError, UnreadableSelector):
            return

    def _is_in_use(self, device: DeviceId) -> bool:
        if device in self._taken.devices:
            self._note(device, "in-use")
        return super()._is_in_use(device)

    def _refused_by(self, claim: int, request: Request, candidate: Candidate) -> Refusal | None:
        try:
            refusal = super()._refused_by(claim, request, candidate)
        except (AllocationError, UnreadableSelector) as error:
            self._note(candidate.id, "error", str(error))
            raise
        if refusal is not None:
            self._note(candidate.id, refusal.by, self._expression(refusal, request))
        return refusal

    @staticmethod
    def _expression(refusal: Refusal, request: Request) -> str:
        if refusal.by == "node":
            return ""
        of_class = refusal.by == "class"
        selectors = request.device_class.spec.selectors if of_class else request.asked.selectors
        cel = (selectors or [])[refusal.place].cel
        return "" if cel is None else cel.expression

    def _lacking(self, request: Request, candidate: Candidate) -> str | None:
        lacking = super()._lacking(request, candidate)
        if lacking is not None:
            never = capacity.lacking(candidate.device, request.asked.capacity)
            self._note(candidate.id, "too-small" if never else "capacity", never or lacking)
        return lacking

    def _take(self, claim: int, request: Request, candidate: Candidate) -> bool:
        taint = untolerated(candidate.device, request)
        if taint is not None:
            value = f"={taint.value}" if taint.value else ""
            self._note(candidate.id, "tainted", f"{taint.key}{value}:{taint.effect}")
        takes = super()._take(claim, request, candidate)
        self._note(candidate.id, "fits" if takes else "chosen")
        return takes

    def _overdrawn(self, pool: Pool, device: Device) -> str | None:
        counter = super()._overdrawn(pool, device)
        if counter is not None:
            self._note(DeviceId(*pool.id, device.name), "counters", counter)
        return counter

    def _accepts(self, constraint: Constraint, request: Request, candidate: Candidate) -> bool:
        accepts = super()._accepts(constraint, request, candidate)
        if not accepts:
            value = constraint.value_of(candidate.id.driver, candidate.device)
            about = f"{constraint.kind} {constraint.attribute}"
            self._note(candidate.id, "constraint", about, _said(value))
        return accepts


def _said(value: DeviceAttribute | None) -> str:
    """Return an attribute as text; empty where a device has none."""
    if value is None:
        return ""
    found = (value.string, value.int_, value.bool_, value.version)
    said = next((one for one in found if one is not None), "")
    return str(said).lower() if isinstance(said, bool) else str(said)
