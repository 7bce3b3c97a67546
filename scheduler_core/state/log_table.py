"""A table of rows of one kind that the log tells, such as pod groups or cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from scheduler_core.state.journal import Appear, Journal, Set, Table, Vanish

R = TypeVar("R", bound=msgspec.Struct)


class Rows(Table, Generic[R]):
    """A table of rows of one `kind`, told in the log under its name. `rows` is to be read only."""

    told = True

    def __init__(
        self, journal: Journal, name: str, kind: type[R], rows: Iterable[tuple[str, R]] = ()
    ) -> None:
        self.name = name
        self._kind = kind
        self._journal = journal
        self.rows: dict[str, R] = dict(rows)

    def put(self, key: str, row: R) -> None:
        """Add a row, or give it what is new."""
        old = self.rows.get(key)
        if old is None:
            self._journal.do(Appear(self, key, row))
            return
        for field in row.__struct_fields__:
            before, after = getattr(old, field), getattr(row, field)
            if before != after:
                self._journal.do(Set(self, key, field, before, after))

    def drop(self, key: str) -> None:
        """Take a row away."""
        self._journal.do(Vanish(self, key, self.rows[key]))

    def write(self, key: Any, field: str, value: Any) -> None:
        self.rows[key] = msgspec.structs.replace(self.rows[key], **{field: value})

    def insert(self, key: Any, content: Any) -> None:
        self.rows[key] = content

    def remove(self, key: Any, content: Any) -> None:
        del self.rows[key]

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {field: msgspec.to_builtins(old)}, {field: msgspec.to_builtins(new)}

    def row(self, key: Any) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(self.rows[key])
        return plain

    def told_rows(self) -> dict[str, dict[str, Any]]:
        """Return all rows as the log has them."""
        return {key: self.row(key) for key in self.rows}

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return the rows as plain data, in the order of their keys."""
        return dict(sorted(self.told_rows().items()))

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self.rows = {key: msgspec.convert(row, self._kind) for key, row in data.items()}
