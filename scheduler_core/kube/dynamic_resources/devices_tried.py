"""Why devices of a node were passed over for a pod's claims: the notes of the search, in words and grouped.

kube-scheduler has no words for it, so these are our own. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from scheduler_core.events.devices_tried import (
    ClaimHeld,
    DevicesAlike,
    DevicesTried,
    DeviceTried,
    DeviceVerdict,
    RequestTried,
)
from scheduler_core.kube.dynamic_resources.claims_state import ClaimsOfPod
from scheduler_core.objects.dynamic_resources import DeviceId, Document, results_of
from scheduler_core.predicates.devices.pools import Pool
from scheduler_core.predicates.devices.watched_search import Note, RequestKey, WatchedSearch
from scheduler_core.state.claim_documents import reservations_of
from scheduler_core.state.device_claims import DeviceClaims

NAMED = 200
"""So many devices of a group are named."""
_WORDS: dict[DeviceVerdict, str] = {
    "node": "for other nodes",
    "class": "not of class {of_class}",
    "request": "not selected by the request",
    "in-use": "held by other claims",
    "error": "at which a selector ends with an error",
    "tainted": "with a taint that is not tolerated",
    "capacity": "with too little capacity left",
    "too-small": "that never give the capacity that is asked for",
    "constraint": "kept out by a constraint",
    "counters": "short of a shared counter",
    "fits": "that would do, with too few others",
    "chosen": "tried for another request of the pod",
    "unseen": "not looked at",
    "taken": "given to the request",
    "incomplete": "in a pool of which slices are missing",
    "invalid": "in a pool that contradicts itself",
}


def devices_tried(state: ClaimsOfPod, node: int) -> DevicesTried | None:
    """Return what came of each device of a node; None where the node needs no devices for the pod."""
    claims = state.state.device_claims
    held = [
        _held(state, place, node)
        for place in range(len(state.claims))
        if _allocation(state, place) is not None
    ]
    search = state.watched_on(node)
    if search is None or claims is None:
        return DevicesTried(all(one.usable for one in held), held=held) if held else None
    assert state.allocator is not None
    elsewhere, replaced = state.allocator.slices.unseen(state.state.nodes.objects[node])
    told = _Told(search, claims)
    return DevicesTried(
        search.has_way and all(one.usable for one in held),
        [told.request(state, key) for key in search.requests],
        held,
        [_unusable(pool, state) for pool in search.pools if pool.fault],
        elsewhere,
        replaced,
        search.error,
    )


def _allocation(state: ClaimsOfPod, place: int) -> Document | None:
    return state.claims[place].status.allocation or None


def _held(state: ClaimsOfPod, place: int, node: int) -> ClaimHeld:
    devices = [str(_device(result)) for result in results_of(_allocation(state, place))]
    return ClaimHeld("/".join(state.keys[place]), devices, state.is_available(place, node))


def _unusable(pool: Pool, state: ClaimsOfPod) -> DevicesAlike:
    """Return the devices of a pool of which none is taken, as far as there are slices of it."""
    assert state.allocator is not None
    slices = state.allocator.slices.newest(pool.id)
    found = [DeviceId(*pool.id, device.name) for one in slices for device in one.spec.devices or ()]
    verdict: DeviceVerdict = "incomplete" if pool.fault == "incomplete" else "invalid"
    wanted = slices[0].spec.pool.resource_slice_count
    about = f"{pool.id}: {len(slices)} of {wanted} there" if verdict == "incomplete" else str(pool.id)
    named = [DeviceTried(str(one)) for one in found[:NAMED]]
    return DevicesAlike(verdict, _WORDS[verdict], len(found), named, about)


class _Told:
    """The notes of a search as what is told."""

    def __init__(self, search: WatchedSearch, claims: DeviceClaims) -> None:
        self._search = search
        self._claims = claims

    def request(self, state: ClaimsOfPod, key: RequestKey) -> RequestTried:
        """Return a request with what came of each device."""
        request = self._search.requests[key]
        claim = "/".join(state.keys[state.to_allocate[key[0]]])
        is_made = state.extended is not None and state.to_allocate[key[0]] == len(state.claims) - 1
        is_tried = key in self._search.notes
        return RequestTried(
            claim,
            request.full_name,
            request.device_class.metadata.name,
            None if request.is_for_all else request.asked.count,
            is_tried,
            list(self._groups(key)) if is_tried else [],
            self._resource(request.device_class.metadata.name) if is_made else "",
        )

    def _resource(self, device_class: str) -> str:
        named = self._claims.classes_by_resource.items()
        return next((resource for resource, one in named if one == device_class), "")

    def _groups(self, key: RequestKey) -> Iterator[DevicesAlike]:
        groups: dict[Note, list[DeviceTried]] = {}
        for device, note in self._notes(key):
            groups.setdefault(note._replace(said=""), []).append(self._tried(device, note))
        of_class = self._search.requests[key].device_class.metadata.name
        for note, devices in groups.items():
            reason = _WORDS[note.verdict].format(of_class=of_class)
            yield DevicesAlike(note.verdict, reason, len(devices), devices[:NAMED], note.about)

    def _notes(self, key: RequestKey) -> Iterable[tuple[DeviceId, Note]]:
        notes, given = self._search.notes[key], self._search.given_to(key)
        for one in self._search.offered:
            note = notes.get(one.id, Note("unseen"))
            yield one.id, Note("taken") if one.id in given else note

    def _tried(self, device: DeviceId, note: Note) -> DeviceTried:
        if note.verdict not in ("in-use", "capacity"):
            return DeviceTried(str(device), note.said)
        holders = self._holders.get(device, {})
        pods = [pod for pods in holders.values() for pod in pods]
        return DeviceTried(str(device), note.said, list(holders), list(dict.fromkeys(pods)))

    @cached_property
    def _holders(self) -> Mapping[DeviceId, dict[str, list[str]]]:
        """The claims that hold each device, with the pods that they are reserved for."""
        found: dict[DeviceId, dict[str, list[str]]] = {}
        for (namespace, name), document in self._claims.documents.values.items():
            for result in results_of((document.get("status") or {}).get("allocation")):
                if not result.get("adminAccess"):
                    pods = [f"{namespace}/{one.get('name')}" for one in reservations_of(document)]
                    found.setdefault(_device(result), {})[f"{namespace}/{name}"] = pods
        return found


def _device(result: Document) -> DeviceId:
    return DeviceId(result["driver"], result["pool"], result["device"])
