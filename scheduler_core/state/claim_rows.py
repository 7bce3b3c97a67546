"""The tables of claims and slices that the log has: which devices there are, and which claims hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from scheduler_core.events.state import ClaimedDevice, ClaimRow, OfferedDevice, SliceRow
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.dynamic_resources import Document, results_of
from scheduler_core.state.journal import Appear, Journal, Set, Table, Vanish

Row = dict[str, Any]


class DocumentRows(Table):
    """Rows that follow from documents, which are what a checkpoint has.

    `documents` returns those of now by the ids of their rows, `row_of` makes a row of one.
    """

    told = True

    def __init__(
        self,
        journal: Journal,
        name: str,
        documents: Callable[[], Iterable[tuple[str, Document]]],
        row_of: Callable[[Document], Row],
    ) -> None:
        self.name = name
        self._journal, self._documents, self._row_of = journal, documents, row_of
        self.rows: dict[str, Row] = {}
        self.load(None)

    def follow(self, name: str, document: Document | None) -> None:
        """Show a document as it stands now, None where it is gone."""
        before, after = self.rows.get(name), None if document is None else self._row_of(document)
        if before is None and after is not None:
            self._journal.do(Appear(self, name, after))
        elif before is not None and after is None:
            self._journal.do(Vanish(self, name, before))
        elif before is not None and after is not None and before != after:
            changed = [field for field in after if before[field] != after[field]]
            old, new = ({field: row[field] for field in changed} for row in (before, after))
            self._journal.do(Set(self, name, "", old, new))

    def write(self, key: Any, field: str, value: Any) -> None:
        self.rows[key] = self.rows[key] | value

    def insert(self, key: Any, content: Any) -> None:
        self.rows[key] = content

    def remove(self, key: Any, content: Any) -> None:
        del self.rows[key]

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[Row, Row]:
        return old, new

    def row(self, key: Any) -> Row:
        return self.rows[key]

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> None:
        """They need none: the documents have it all."""

    def load(self, data: None) -> None:
        """Show the documents as they were loaded, which comes before."""
        self.rows = {name: self._row_of(document) for name, document in self._documents()}


def claim_row(document: Document) -> Row:
    """Return a claim's row."""
    metadata, status = document.get("metadata") or {}, document.get("status") or {}
    owner: Row = next((one for one in metadata.get("ownerReferences") or () if one.get("controller")), {})
    row = ClaimRow(
        namespace=metadata.get("namespace") or "default",
        name=metadata["name"],
        owner=str(owner.get("uid") or ""),
        pods=[str(one.get("uid") or "") for one in status.get("reservedFor") or ()],
        allocated=bool(status.get("allocation")),
        devices=claimed_devices(status.get("allocation")),
    )
    built: Row = msgspec.to_builtins(row)
    return built


def claimed_devices(allocation: Mapping[str, Any] | None) -> list[ClaimedDevice]:
    """Return the devices of an allocation as events name them."""
    return [
        ClaimedDevice(
            str(result.get("request") or ""),
            str(result.get("driver") or ""),
            str(result.get("pool") or ""),
            str(result.get("device") or ""),
            bool(result.get("adminAccess")),
            {name: str(amount) for name, amount in (result.get("consumedCapacity") or {}).items()},
        )
        for result in results_of(dict(allocation) if allocation else None)
    ]


def slice_row(document: Document) -> Row:
    """Return a slice's row."""
    spec = document.get("spec") or {}
    row = SliceRow(
        name=document["metadata"]["name"],
        node=str(spec.get("nodeName") or ""),
        driver=str(spec.get("driver") or ""),
        pool=str((spec.get("pool") or {}).get("name") or ""),
        generation=int((spec.get("pool") or {}).get("generation") or 0),
        devices=[_device(item) for item in spec.get("devices") or ()],
        counters=_counters(spec.get("sharedCounters"), "name"),
    )
    built: Row = msgspec.to_builtins(row)
    return built


def _device(item: Document) -> OfferedDevice:
    attributes = item.get("attributes") or {}
    kind = attributes.get("type") or {}
    model = attributes.get("productName") or attributes.get("model") or {}
    amounts = {name: str(one.get("value")) for name, one in (item.get("capacity") or {}).items()}
    consumes = _counters(item.get("consumesCounters"), "counterSet")
    said = " ".join(str(one["string"]) for one in (model, kind) if one.get("string"))
    return OfferedDevice(item["name"], said, amounts, bool(item.get("taints")), consumes)


def _counters(sets: Iterable[Document] | None, named: str) -> dict[str, int]:
    """Return amounts by `set/counter`, in whole units; the set's name is in the field `named`."""
    return {
        f"{one.get(named)}/{name}": parse_quantity(counter.get("value")).value()
        for one in sets or ()
        for name, counter in (one.get("counters") or {}).items()
    }
