"""Rows of cards, and of what pods hold of them, that are found by their node.

Whatever is written, undone or read from a checkpoint, a node's rows are known without a look at the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from scheduler_core.schedulers.card_tables import CardRow, HoldingRow
from scheduler_core.state.journal import Journal
from scheduler_core.state.log_table import Rows

R = TypeVar("R", bound=HoldingRow | CardRow)


class RowsByNode(Rows[R]):
    """Rows of which each is on a node: `on_node` has their keys. A change of a row is one of its node."""

    def __init__(
        self, journal: Journal, name: str, kind: type[R], touch: Callable[[str, str], None] | None = None
    ) -> None:
        super().__init__(journal, name, kind)
        self._touch = touch
        self.on_node: dict[str, set[str]] = {}

    def begin(self, rows: Mapping[str, R]) -> None:
        """Take over rows of the start, of which the journal doesn't hear."""
        self.rows |= rows
        for key in rows:
            self._join(key)

    def write(self, key: Any, field: str, value: Any) -> None:
        if field != "node":
            super().write(key, field, value)
            self._tell(self.rows[key].node, key)
            return
        self._leave(key)
        super().write(key, field, value)
        self._join(key)

    def insert(self, key: Any, content: Any) -> None:
        super().insert(key, content)
        self._join(key)

    def remove(self, key: Any, content: Any) -> None:
        self._leave(key)
        super().remove(key, content)

    def load(self, data: Mapping[str, Any]) -> None:
        super().load(data)
        self.on_node.clear()
        for key in self.rows:
            self._join(key)

    def _join(self, key: str) -> None:
        node = self.rows[key].node
        self.on_node.setdefault(node, set()).add(key)
        self._tell(node, key)

    def _leave(self, key: str) -> None:
        node = self.rows[key].node
        self.on_node[node].discard(key)
        self._tell(node, key)

    def _tell(self, node: str, key: str) -> None:
        if self._touch is not None:
            self._touch(node, key)
