"""ResourceClaims with what they were given, and the slices, classes and templates that there are.

All of it changes through the journal. Objects are kept as kubectl prints them, and read through typed views.
Claims are made of templates for pods that name these, and go with their pods.

Source: kubernetes v1.36 pkg/controller/resourceclaim.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from scheduler_core.events.state import CLAIMS, SLICES
from scheduler_core.objects.device_asks import pod_asks
from scheduler_core.objects.dynamic_resources import DeviceClass, Document, ResourceClaim, ResourceSlice
from scheduler_core.objects.kinds import (
    DEVICE_CLASS,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RESOURCE_SLICE,
    Kind,
    kind_of,
)
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.types import Pod, convert
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.claim_documents import (
    ClaimKey,
    claim_of,
    is_for,
    key_of,
    owners_of,
    reservations_of,
    without_reservation,
)
from scheduler_core.state.claim_rows import DocumentRows, claim_row, slice_row
from scheduler_core.state.claim_tables import ClaimTable, Imported, NumberedTable
from scheduler_core.state.devices_in_use import DevicesInUse
from scheduler_core.state.journal import Journal, Table
from scheduler_core.state.register import Register

RECORDED_NOW = parse_timestamp("2026-06-01T00:00:00Z", 0)


class ClaimWritten(NamedTuple):
    """A write: the verb, the claim's key, and the claim before and after it, None where there is none."""

    verb: str
    key: ClaimKey
    before: Document | None
    after: Document | None


class DeviceClaims(Checkpointed):
    """The claims by key. `written` are the writes of the present decision, in order.

    `failing` are devices (`driver/pool/device`) whose driver says once that they can't be made ready. Claims
    are only made of templates where `makes_claims`: then the controller of claims acts. Without
    `class_resources` no class stands behind an extended resource.
    """

    remembered = {
        "claims": "documents",
        "templates": "templates",
        "counts": "counts",
        "failing": "failing",
        "slices": "_slices",
        "classes": "_classes",
        "rows": "rows",
        "slice_rows": "slice_rows",
    }

    def __init__(
        self,
        journal: Journal,
        objects: Iterable[Document],
        failing: Iterable[str] = (),
        *,
        class_resources: bool = True,
    ) -> None:
        by_kind: dict[Kind, list[Document]] = {}
        for item in objects:
            by_kind.setdefault(kind_of(item), []).append(item)
        self.makes_claims = False
        self._class_resources = class_resources
        self.now = RECORDED_NOW
        """What counts as the present instant, in nanoseconds since 1970."""
        claims = [(key_of(item), item) for item in by_kind.get(RESOURCE_CLAIM, ())]
        templates = [(key_of(item), item) for item in by_kind.get(RESOURCE_CLAIM_TEMPLATE, ())]
        self.documents = ClaimTable(journal, claims)
        self.templates: Register[ClaimKey, Document] = Imported(journal, templates)
        self.counts: Register[str, int] = Register(journal, {"shares": 0, "made": 0}.items())
        self.failing: Register[str, bool] = Register(journal, ((device, True) for device in failing))
        self._slices = NumberedTable(journal, by_kind.get(RESOURCE_SLICE, ()))
        self._classes = NumberedTable(journal, by_kind.get(DEVICE_CLASS, ()))
        self.rows = DocumentRows(
            journal,
            CLAIMS,
            lambda: (("/".join(key), item) for key, item in self.documents.values.items()),
            claim_row,
        )
        self.slice_rows = DocumentRows(
            journal,
            SLICES,
            lambda: ((name, item) for name, (_, item) in self._slices.values.items()),
            slice_row,
        )
        self.written: list[ClaimWritten] = []
        self._views: dict[ClaimKey, tuple[Document, ResourceClaim]] = {}

    @property
    def journaled(self) -> tuple[Table, ...]:
        """All tables that change through the journal."""
        registers = (self.documents, self.templates, self.counts, self.failing, self._slices, self._classes)
        return (*registers, self.rows, self.slice_rows)

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows."""
        return {one.name: one.rows for one in (self.rows, self.slice_rows)}

    # -- what there is -------------------------------------------------------------------------------

    @property
    def slices(self) -> list[ResourceSlice]:
        """The slices, in the order in which they came: the same list until one changes."""
        return self._slices.slices

    @property
    def classes(self) -> Mapping[str, DeviceClass]:
        """The classes by name."""
        return self._classes.classes

    @property
    def classes_by_resource(self) -> Mapping[str, str]:
        """The class behind each extended resource."""
        return self._classes.by_resource if self._class_resources else {}

    def claim(self, key: ClaimKey) -> ResourceClaim | None:
        """Return a claim, None where there is none."""
        document = self.documents.get(key)
        if document is None:
            return None
        known = self._views.get(key)
        if known is None or known[0] is not document:
            known = self._views[key] = (document, convert(document, ResourceClaim))
        return known[1]

    @property
    def in_use(self) -> DevicesInUse:
        """What claims were given: another object after a checkpoint was loaded."""
        return self.documents.in_use

    # -- changes -------------------------------------------------------------------------------------

    def write(self, verb: str, key: ClaimKey, document: Document | None) -> None:
        """Put a claim as it stands now, None where it is gone."""
        before = self.documents.get(key)
        self.written.append(ClaimWritten(verb, key, before, document))
        if document is None:
            self.documents.drop(key)
        else:
            self.documents.put(key, document)
        self.rows.follow("/".join(key), document)

    def put(self, item: Document) -> Document | None:
        """Let an object of these kinds come, or take the place of its older self; return that."""
        kind, key = kind_of(item), key_of(item)
        if kind == RESOURCE_CLAIM:
            before = self.documents.get(key)
            self.write("put", key, item)
            return before
        if kind == RESOURCE_CLAIM_TEMPLATE:
            before = self.templates.get(key)
            self.templates.put(key, item)
            return before
        if kind == RESOURCE_SLICE:
            self.slice_rows.follow(key[1], item)
        return self._table(kind).place(item)

    def drop(self, kind: Kind, key: ClaimKey) -> Document | None:
        """Let an object go; return it, None where there is none. Those without a namespace have none here."""
        if kind == RESOURCE_CLAIM:
            if (before := self.documents.get(key)) is not None:
                self.write("delete", key, None)
            return before
        if kind == RESOURCE_CLAIM_TEMPLATE:
            if (before := self.templates.get(key)) is not None:
                self.templates.drop(key)
            return before
        if kind == RESOURCE_SLICE:
            self.slice_rows.follow(key[1], None)
        return self._table(kind).take(key[1])

    def _table(self, kind: Kind) -> NumberedTable:
        return {RESOURCE_SLICE: self._slices, DEVICE_CLASS: self._classes}[kind]

    # -- pods that come and go -----------------------------------------------------------------------

    def with_claims(self, pod: Pod) -> Pod:
        """Make the claims of templates that a pod lacks; return the pod with their names in its status."""
        if not self.makes_claims or not pod.spec.resource_claims:
            return pod
        known = list(pod.status.resource_claim_statuses or ())
        named = {one.get("name") for one in known}
        made = [
            {"name": entry["name"], "resourceClaimName": name}
            for entry in pod.spec.resource_claims
            if entry.get("resourceClaimTemplateName") and entry.get("name") not in named
            if (name := self._made_of(entry, pod)) is not None
        ]
        if not made:
            return pod
        status = msgspec.structs.replace(pod.status, resource_claim_statuses=[*known, *made])
        return msgspec.structs.replace(pod, status=status)

    def _made_of(self, entry: Document, pod: Pod) -> str | None:
        """Return the name of the claim for an entry, made if there is none; None without the template."""
        namespace = pod.metadata.namespace or "default"
        template = self.templates.get((namespace, entry["resourceClaimTemplateName"]))
        if template is None:
            return None
        number, line = 1, f"{pod.metadata.name}-{entry['name']}-"
        while (document := self.documents.get((namespace, f"{line}{number:05}"))) is not None:
            if is_for(document, entry["name"], pod):
                return f"{line}{number:05}"
            number += 1
        name = f"{line}{number:05}"
        self.write("create", (namespace, name), claim_of(template, name, entry["name"], pod))
        return name

    def release(self, pod_uid: str) -> None:
        """Take back what a pod that is gone held: reservations, then what nobody needs; its own claims go."""
        for key in self.documents.of_pod(pod_uid):
            document = self.documents.values[key]
            if any(owner.get("uid") == pod_uid for owner in owners_of(document)):
                self.write("delete", key, None)
            elif any(one.get("uid") == pod_uid for one in reservations_of(document)):
                self.write("release", key, without_reservation(document, pod_uid, deallocates=True))

    def asks_of(self, pod: Pod) -> list[str]:
        """Return what a pod's claims ask for, in words; nothing for a pod without any."""
        if not pod.spec.resource_claims:
            return []
        namespace = pod.metadata.namespace or "default"

        def find(name: str, of_template: bool) -> Document | None:
            document = (self.templates if of_template else self.documents).get((namespace, name))
            spec = (document or {}).get("spec")
            return (spec or {}).get("spec") if of_template else spec

        return pod_asks(pod.spec.resource_claims, pod.status.resource_claim_statuses or (), find)

    def may_hold(self, pod: Pod, resources: Iterable[str]) -> bool:
        """Return whether some claim may be a pod's, which asks for these resources."""
        return bool(pod.spec.resource_claims) or any(one in self.classes_by_resource for one in resources)
