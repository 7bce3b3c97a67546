"""ResourceClaims with what they were given, and the slices and classes that devices come from.

Claims change as a run goes on, through the journal; slices and classes are those of the snapshot. A claim is
kept as the object that kubectl prints, and read through a typed view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scheduler_core.objects.dynamic_resources import DeviceClass, Document, ResourceClaim, ResourceSlice
from scheduler_core.objects.kinds import DEVICE_CLASS, RESOURCE_CLAIM, RESOURCE_SLICE, kind_of
from scheduler_core.objects.types import convert
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.device_classes import classes_by_resource
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

ClaimKey = tuple[str, str]
"""Namespace and name."""


class DeviceClaims(Checkpointed):
    """The claims by key. `written` names the writes of the present decision, in order: verb and claim.

    `failing` are devices (`driver/pool/device`) whose driver says once that they can't be made ready.
    """

    remembered = {"claims": "documents", "counts": "counts", "failing": "failing"}

    def __init__(self, journal: Journal, objects: Iterable[Document], failing: Iterable[str] = ()) -> None:
        by_kind: dict[Any, list[Document]] = {}
        for item in objects:
            by_kind.setdefault(kind_of(item), []).append(item)
        claims = ((key_of(item), item) for item in by_kind.get(RESOURCE_CLAIM, ()))
        self.documents: Register[ClaimKey, Document] = Register(journal, claims)
        self.counts: Register[str, int] = Register(journal, {"shares": 0, "made": 0}.items())
        self.failing: Register[str, bool] = Register(journal, ((device, True) for device in failing))
        self.slices: Sequence[ResourceSlice] = [
            convert(item, ResourceSlice) for item in by_kind.get(RESOURCE_SLICE, ())
        ]
        classes = [convert(item, DeviceClass) for item in by_kind.get(DEVICE_CLASS, ())]
        self.classes: Mapping[str, DeviceClass] = {one.metadata.name: one for one in classes}
        self.classes_by_resource = classes_by_resource(classes)
        self.written: list[tuple[str, ClaimKey]] = []
        self._views: dict[ClaimKey, tuple[Document, ResourceClaim]] = {}

    def claim(self, key: ClaimKey) -> ResourceClaim | None:
        """Return a claim, None where there is none."""
        document = self.documents.get(key)
        if document is None:
            return None
        known = self._views.get(key)
        if known is None or known[0] is not document:
            known = self._views[key] = (document, convert(document, ResourceClaim))
        return known[1]

    def allocations(self) -> Iterator[Document]:
        """Yield what claims were given."""
        for document in self.documents.values.values():
            if allocation := (document.get("status") or {}).get("allocation"):
                yield allocation

    def write(self, verb: str, key: ClaimKey, document: Document | None) -> None:
        """Put a claim as it stands now, None where it is gone."""
        self.written.append((verb, key))
        if document is None:
            self.documents.drop(key)
        else:
            self.documents.put(key, document)

    def release(self, pod_uid: str) -> None:
        """Take back what a pod that is gone held: reservations, then what nobody needs; its own claims go.

        Source: kubernetes v1.36 pkg/controller/resourceclaim.
        """
        for key in sorted(self.documents.values):
            document = self.documents.values[key]
            if any(owner.get("uid") == pod_uid for owner in owners_of(document)):
                self.write("delete", key, None)
            elif any(one.get("uid") == pod_uid for one in reservations_of(document)):
                self.write("release", key, without_reservation(document, pod_uid, deallocates=True))


def key_of(document: Document) -> ClaimKey:
    """Return namespace and name of a claim."""
    metadata = document.get("metadata") or {}
    return metadata.get("namespace") or "default", metadata["name"]


def owners_of(document: Document) -> list[Document]:
    """Return the owner references of an object."""
    return list((document.get("metadata") or {}).get("ownerReferences") or ())


def reservations_of(document: Document) -> list[Document]:
    """Return for whom a claim is reserved."""
    return list((document.get("status") or {}).get("reservedFor") or ())


def with_status(document: Document, **fields: Any) -> Document:
    """Return the claim with other fields of its status; None takes a field away."""
    status = {**(document.get("status") or {}), **fields}
    return {**document, "status": {name: value for name, value in status.items() if value is not None}}


def without_reservation(document: Document, pod_uid: str, *, deallocates: bool) -> Document:
    """Return the claim without a pod's reservation; without any it may lose its devices, too."""
    left = [one for one in reservations_of(document) if one.get("uid") != pod_uid]
    if left or not deallocates:
        return with_status(document, reservedFor=left or None)
    return deallocated(document)


def deallocated(document: Document) -> Document:
    """Return the claim without devices."""
    return with_status(document, allocation=None, reservedFor=None, devices=None)
