"""The table of claims that the log has: which devices each holds, and for which pods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scheduler_core.events.state import ClaimedDevice, ClaimRow
from scheduler_core.objects.dynamic_resources import Document, results_of
from scheduler_core.state.journal import Appear, Journal, Set, Table, Vanish
from scheduler_core.state.register import Register

ClaimKey = tuple[str, str]
Row = dict[str, Any]


class ClaimRows(Table):
    """The rows by `namespace/name`. They follow from the claims, which are what a checkpoint has."""

    told = True
    name = "claims"

    def __init__(self, journal: Journal, claims: Register[ClaimKey, Document]) -> None:
        self._journal = journal
        self._claims = claims
        self.rows: dict[str, Row] = {}
        self._read()

    def _read(self) -> None:
        self.rows = {"/".join(key): row_of(document) for key, document in self._claims.values.items()}

    def follow(self, key: ClaimKey, document: Document | None) -> None:
        """Show a claim as it stands now, None where it is gone."""
        name = "/".join(key)
        before, after = self.rows.get(name), None if document is None else row_of(document)
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
        """They need none: the claims have it all."""

    def load(self, data: None) -> None:
        """Show the claims as they were loaded, which comes before."""
        self._read()


def row_of(document: Document) -> Row:
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
