"""The audit log as people read it: newest first, some of it, page by page or whole as a file."""

from collections.abc import Iterator
from datetime import datetime

import msgspec
from django.db.models import QuerySet

from dashboard.csv_lines import csv_line, plain_cell
from dashboard.models import AuditEntry
from dashboard.shapes.audit import AuditRow

COLUMNS = AuditRow.__struct_fields__
_BATCH = 1_000


def audit_entries(
    *, who: str = "", action: str = "", since: datetime | None = None, until: datetime | None = None
) -> QuerySet[AuditEntry]:
    """Return the entries of a person, of an action, from a moment on and before another, newest first."""
    found = AuditEntry.objects.order_by("-pk")
    if who:
        found = found.filter(who=who)
    if action:
        found = found.filter(action=action)
    if since is not None:
        found = found.filter(at__gte=since)
    return found if until is None else found.filter(at__lt=until)


def row_of(entry: AuditEntry) -> AuditRow:
    """Return an entry as it is shown."""
    return AuditRow(
        entry.pk, entry.at, entry.who, entry.address, entry.action, entry.thing, dict(entry.details)
    )


def json_lines(entries: QuerySet[AuditEntry]) -> Iterator[bytes]:
    """Yield a line of JSON for each entry."""
    for entry in entries.iterator(_BATCH):
        yield msgspec.json.encode(row_of(entry)) + b"\n"


def csv_lines(entries: QuerySet[AuditEntry]) -> Iterator[bytes]:
    """Yield the columns' names and a line for each entry; `details` are JSON."""
    yield csv_line(COLUMNS).encode()
    for entry in entries.iterator(_BATCH):
        row = row_of(entry)
        told = msgspec.json.encode(row.details).decode() if row.details else ""
        cells = (row.id, row.at.isoformat(), row.who, row.address, row.action, row.thing, told)
        yield csv_line(map(plain_cell, cells)).encode()
