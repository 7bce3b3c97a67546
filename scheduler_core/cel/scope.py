"""The names that an expression sees, and how much it may still do.

Source of the bound: kubernetes v1.36 resource/v1 CELSelectorExpressionMaxCost; its costs are not counted as
there, but one for each operation and for each part of a value that gets a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.cel.syntax import CompileError

MOST_STEPS = 1_000_000


class TooCostlyError(CompileError):
    """The expression does more than may be done; no other operation makes this good."""


class Scope(dict[str, Any]):
    """Values by name. All scopes of one evaluation share the steps that are left."""

    __slots__ = ("_left",)

    def __init__(self, variables: Mapping[str, Any], left: list[int] | None = None) -> None:
        super().__init__(variables)
        self._left = [MOST_STEPS] if left is None else left

    def step(self, number: int = 1) -> None:
        """Count operations. Raises TooCostlyError."""
        self._left[0] -= number
        if self._left[0] < 0:
            raise TooCostlyError(f"it takes more than {MOST_STEPS:,} steps")

    def naming(self, name: str, value: Any) -> Scope:
        """Return this scope with one more name. Raises TooCostlyError."""
        self._measure(value)
        inner = Scope(self, self._left)
        inner[name] = value
        return inner

    def _measure(self, value: Any) -> None:
        """Count the parts of a value that an expression made: it may double with every name."""
        left = [value]
        while left:
            one = left.pop()
            self.step(1 + len(one) if isinstance(one, str | bytes) else 1)
            if isinstance(one, tuple):
                left += one
