"""What PreBind writes into a pod's claims, and what PostFilter takes away from one.

The driver of a device that must be made ready answers at once, as in the recordings.

Source: kubernetes v1.36 plugins/dynamicresources PreBind, bindClaim, Unreserve, PostFilter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scheduler_core.kube.dynamic_resources.claims_state import ClaimsOfPod, ClaimWrite, is_ready
from scheduler_core.kube.dynamic_resources.extended_resources import IN_MEMORY, RequestsOnNode
from scheduler_core.objects.dynamic_resources import Document, ResourceClaim, results_of
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.objects.types import Pod, convert
from scheduler_core.state.claim_documents import (
    ClaimKey,
    deallocated,
    reservations_of,
    with_status,
    without_reservation,
)
from scheduler_core.state.device_claims import DeviceClaims

MOST_RESERVATIONS = 256
"""Pods that a claim may be reserved for. Source: resource/v1 ResourceClaimReservedForMaxSize."""
FINALIZER = "resource.kubernetes.io/delete-protection"


class BindingFault(Exception):
    """PreBind ends with an error; the text is kube-scheduler's."""


class ClaimBinding:
    """PreBind of one pod on one node; `writes` are the calls so far."""

    def __init__(self, state: ClaimsOfPod, pod: Pod, node: int, claims: DeviceClaims) -> None:
        self.writes: list[ClaimWrite] = []
        self._state = state
        self._pod = pod
        self._claims = claims
        self._documents = {key: claims.documents.values[key] for key in state.own}
        self._keys = list(state.own)
        wanted = [state.keys[place] for place in state.to_allocate]
        given = dict(zip(wanted, state.given_on(node), strict=False))
        self._made = self._claim_to_make(node) if wanted and wanted[-1] in given else None
        self._given = self._with_shares(given)
        self.status_of_pod: Document | None = None

    def bind(self) -> None:
        """Write allocations and reservations, then wait for devices. Raises BindingFault."""
        for key in self._state.own:
            if not self._is_reserved(key):
                self._bind_claim(key)
        if self._made is not None:
            self._make_claim(*self._made)
        for key in self._keys:
            ready = is_ready(convert(self._documents[key], ResourceClaim))
            if isinstance(ready, str):
                raise BindingFault(ready)

    def unreserve(self) -> None:
        """Take the pod's reservations back; allocations stay."""
        uid = self._pod.metadata.uid or ""
        for key in self._state.own:
            document = self._documents[key]
            if (document.get("status") or {}).get("allocation") and self._is_reserved(key):
                self._write("unreserve", key, without_reservation(document, uid, deallocates=False))
        for key in self._keys[len(self._state.own) :]:
            self.writes += deletion_of(key, self._documents[key])

    def _claim_to_make(self, node: int) -> tuple[ClaimKey, Document, RequestsOnNode] | None:
        """Return the claim for extended resources as it will be made on the node, None without one."""
        extended = self._state.extended
        if extended is None or node not in extended.on_nodes:
            return None
        asked = extended.on_nodes[node]
        namespace, number = self._state.keys[-1][0], self._claims.counts.values["made"] + 1
        name = f"{extended.document['metadata']['generateName']}{number:05}"
        metadata = {**extended.document["metadata"], "name": name}
        devices = {"requests": asked.requests} if asked.requests else {}
        document = {**extended.document, "metadata": metadata, "spec": {"devices": devices}, "status": {}}
        return (namespace, name), document, asked

    def _make_claim(self, key: ClaimKey, document: Document, asked: RequestsOnNode) -> None:
        self._given[key] = self._given.pop(self._state.keys[-1])
        self._keys.append(key)
        self._write("create", key, document)
        self._bind_claim(key)
        if not asked.mappings:
            raise BindingFault(
                f"nil or empty request mappings, no update of pod {key[0]}/{self._pod.metadata.name}"
                " ExtendedResourceClaimStatus"
            )
        self.status_of_pod = {"requestMappings": asked.mappings, "resourceClaimName": key[1]}

    def _bind_claim(self, key: ClaimKey) -> None:
        document, allocation = self._documents[key], self._given.get(key)
        name = f"{key[0]}/{key[1]}"
        if allocation is not None and FINALIZER not in (document["metadata"].get("finalizers") or ()):
            metadata = document["metadata"]
            finalizers = [*(metadata.get("finalizers") or ()), FINALIZER]
            document = {**document, "metadata": {**metadata, "finalizers": finalizers}}
            self._write("update", key, document)
        reserved = [*reservations_of(document), self._reference()]
        if len(reserved) > MOST_RESERVATIONS:
            raise BindingFault(
                f"add {'allocation and ' if allocation is not None else ''}reservation to claim {name}:"
                f' ResourceClaim.resource.k8s.io "{key[1]}" is invalid: status.reservedFor: Too many:'
                f" {len(reserved)}: must have at most {MOST_RESERVATIONS} items"
            )
        document = with_status(document, reservedFor=reserved)
        if allocation is not None:
            document = with_status(document, allocation=allocation)
        self._write("status", key, self._answered(document))

    def _reference(self) -> Document:
        metadata = self._pod.metadata
        return {"resource": "pods", "name": metadata.name, "uid": metadata.uid or ""}

    def _is_reserved(self, key: ClaimKey) -> bool:
        return any(one.get("uid") == self._pod.metadata.uid for one in reservations_of(self._documents[key]))

    def _write(self, verb: str, key: ClaimKey, document: Document) -> None:
        self._documents[key] = document
        self.writes.append(ClaimWrite(verb, key, document))

    def _with_shares(self, given: dict[ClaimKey, Document]) -> dict[ClaimKey, Document]:
        """Return the allocations with a share ID for each shared device, by the claims' names."""
        drawn, named = self._claims.counts.values["shares"], {}
        for key in sorted(given):
            results = []
            for result in results_of(given[key]):
                if "shareID" in result:
                    drawn += 1
                    result = {**result, "shareID": f"share-{drawn}"}
                results.append(result)
            named[key] = {**given[key], "devices": {**given[key]["devices"], "results": results}}
        return named

    def _answered(self, document: Document) -> Document:
        """Return the claim with what drivers say of its devices, where these must be made ready."""
        said = list((document.get("status") or {}).get("devices") or ())
        known = {(one.get("driver"), one.get("pool"), one.get("device")) for one in said}
        for result in results_of(document["status"].get("allocation")):
            device = (result["driver"], result["pool"], result["device"])
            if result.get("bindingConditions") and device not in known:
                said.append(self._answer(result, device))
        return with_status(document, devices=said or None)

    def _answer(self, result: Document, device: tuple[str, str, str]) -> Document:
        fails = self._claims.failing.get("/".join(device)) and result.get("bindingFailureConditions")
        types = result["bindingFailureConditions"][:1] if fails else result["bindingConditions"]
        reason = "AttachFailed" if fails else "Attached"
        message = "the device could not be attached" if fails else "the device is attached"
        at = format_timestamp(self._state.now)
        driver, pool, name = device
        conditions = [
            {"type": kind, "status": "True", "lastTransitionTime": at, "reason": reason, "message": message}
            for kind in types
        ]
        return {"driver": driver, "pool": pool, "device": name, "conditions": conditions}


def deallocation(state: ClaimsOfPod, pod: Pod, claims: DeviceClaims) -> tuple[list[ClaimWrite], str]:
    """Return the writes that may help a pod which fits nowhere, and what PostFilter says of them.

    A claim that some node can't use loses its devices, if it is reserved for nobody or for this pod alone. Of
    several the real scheduler takes one by chance, this one the pod's first. Else a claim that an earlier
    attempt made for extended resources is deleted.
    """
    left = state.extended is not None and state.extended.document["metadata"]["name"] != IN_MEMORY
    own = len(state.own)
    for place in sorted(place for place in state.unavailable if place < own):
        document = claims.documents.values[state.keys[place]]
        reserved = [one.get("uid") for one in reservations_of(document)]
        if not reserved or reserved == [pod.metadata.uid]:
            write = ClaimWrite("deallocate", state.keys[place], deallocated(document))
            return [write], "deallocation of ResourceClaim completed"
    if left:
        key = state.keys[-1]
        return deletion_of(key, claims.documents.values[key]), "deletion of ResourceClaim completed"
    return [], "still not schedulable"


def deletion_of(key: ClaimKey, document: Document) -> list[ClaimWrite]:
    """Return the writes that delete a claim: without its finalizer it goes at once."""
    metadata = document["metadata"]
    finalizers = [one for one in metadata.get("finalizers") or () if one != FINALIZER]
    freed = {**document, "metadata": {**metadata, "finalizers": finalizers}}
    return [ClaimWrite("update", key, freed), ClaimWrite("delete", key, None)]


def carry_out(state: ClaimsOfPod, claims: DeviceClaims) -> None:
    """Write what was decided into the claims; what was drawn and what failed once counts from now on."""
    for write in state.writes:
        _write(write.verb, write.key, claims.documents.get(write.key), write.document, claims)


def plain_writes(state: ClaimsOfPod | None) -> list[list[Any]]:
    """Return what was decided as plain data, for an attempt that is carried out later."""
    return [] if state is None else [[one.verb, list(one.key), one.document] for one in state.writes]


def carry_out_later(pod: Pod, writes: Iterable[Sequence[Any]], claims: DeviceClaims) -> str | None:
    """Write what an attempt decided into the claims as they are by now; return the error of one that is gone.

    What others have written since stays: only the pod's own reservation and the devices are added.
    """
    for verb, (namespace, name), document in writes:
        key = (namespace, name)
        before = claims.documents.get(key)
        if before is None and verb != "create":
            if verb == "delete":
                continue
            return f'resourceclaims.resource.k8s.io "{name}" not found'
        after = document if before is None or document is None else _rebased(verb, before, document, pod)
        _write(verb, key, before, after, claims)
    return None


def unreserve_later(pod: Pod, writes: Iterable[Sequence[Any]], claims: DeviceClaims) -> None:
    """Take back what a pod reserved whose binding failed after all; allocations stay.

    A claim that was made for the attempt goes.
    """
    uid = pod.metadata.uid or ""
    made = {tuple(key) for verb, key, _ in writes if verb == "create"}
    for key in dict.fromkeys(tuple(key) for verb, key, _ in writes if verb == "status"):
        document = claims.documents.get((key[0], key[1]))
        if document is None:
            continue
        kept = None if key in made else without_reservation(document, uid, deallocates=False)
        claims.write("delete" if key in made else "unreserve", (key[0], key[1]), kept)


def _rebased(verb: str, before: Document, decided: Document, pod: Pod) -> Document:
    if verb != "status":
        status = {"status": before["status"]} if "status" in before and verb == "update" else {}
        return {**decided, **status}
    own = [one for one in reservations_of(decided) if one.get("uid") == (pod.metadata.uid or "")]
    others = [one for one in reservations_of(before) if one not in own]
    status = decided.get("status") or {}
    given = {name: status.get(name) for name in ("allocation", "devices")}
    return with_status(before, reservedFor=[*others, *own], **given)


def _write(
    verb: str, key: ClaimKey, before: Document | None, after: Document | None, claims: DeviceClaims
) -> None:
    claims.write(verb, key, after)
    if verb == "create":
        claims.counts.put("made", claims.counts.values["made"] + 1)
    if verb == "status":
        _note(before, after, claims)


def _note(before: Document | None, after: Document | None, claims: DeviceClaims) -> None:
    if ((before or {}).get("status") or {}).get("allocation"):
        return
    for result in results_of(((after or {}).get("status") or {}).get("allocation")):
        if "shareID" in result:
            claims.counts.put("shares", claims.counts.values["shares"] + 1)
        device = f"{result['driver']}/{result['pool']}/{result['device']}"
        if result.get("bindingConditions") and claims.failing.get(device):
            claims.failing.drop(device)
