"""The rows of one table while the decisions go by, for those who look at no other."""

from collections.abc import Iterable
from typing import Any

from scheduler_core.events.changes import Appear, Change, Set


def follow_rows(rows: dict[str, dict[str, Any]], table: str, changes: Iterable[Change]) -> None:
    """Bring a table's rows, by id, to what they are after the changes; who vanishes stays as it was last."""
    for change in changes:
        if isinstance(change, Appear) and change.table == table:
            rows[change.id] = dict(change.row)
        elif isinstance(change, Set) and change.table == table:
            rows[change.id].update(change.new)
