"""What vendors remember from one pass or pod to the next, beside what pods hold."""

from __future__ import annotations

from typing import Any

from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register


class Memory(Register[str, int | str]):
    """Values by a key that begins with the vendor's. `version` changes with every change."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.version = 0

    def keep(self, key: str, value: int | str) -> None:
        """Set a value, unless it is the one that is there."""
        if self.values.get(key) != value:
            self.put(key, value)

    def forget(self, key: str) -> None:
        """Take a value out, if it is there."""
        if key in self.values:
            self.drop(key)

    def write(self, key: Any, field: str, value: Any) -> None:
        super().write(key, field, value)
        self.version += 1
