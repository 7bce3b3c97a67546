"""Why a task fits on no node.

Source: volcano v1.16 pkg/scheduler/api/unschedule_info.go, api/types.go StatusSets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Code = Literal["Error", "Unschedulable", "UnschedulableAndUnresolvable"]
FOR_GOOD: frozenset[Code] = frozenset({"UnschedulableAndUnresolvable", "Error"})
"""What no eviction helps against."""


class Refusal(NamedTuple):
    """One reason of one node."""

    code: Code
    reason: str
    plugin: str = ""


Refusals = tuple[Refusal, ...]
Whys = NDArray[Any]
"""Refusals in an array of objects."""


def for_good(refusals: Refusals) -> bool:
    """Return whether preemption need not look at a node that says so."""
    return any(refusal.code in FOR_GOOD for refusal in refusals)


def unresolvable(refusals: Refusals) -> bool:
    """Return whether some reason is UnschedulableAndUnresolvable."""
    return any(refusal.code == "UnschedulableAndUnresolvable" for refusal in refusals)


class FitErrors:
    """By a node's name why it refuses; `text_before` replaces the count of nodes.

    `hyper_node` is the one whose nodes were looked at, empty where all were.
    """

    def __init__(self, nodes: dict[str, Refusals] | None = None, text_before: str = "") -> None:
        self.text_before = text_before
        self.hyper_node = ""
        if nodes is not None:
            self.nodes = nodes

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: NDArray[np.int64], why: Whys) -> FitErrors:
        """Return the refusals of some rows of a table of names; what is never read is never looked up."""
        errors = cls()
        errors._rows = names, rows, why
        return errors

    _rows: tuple[Sequence[str], NDArray[np.int64], Whys] | None = None

    @cached_property
    def nodes(self) -> dict[str, Refusals]:
        """The refusals by the nodes' names."""
        if self._rows is None:
            return {}
        names, rows, why = self._rows
        return {names[row]: refusals for row, refusals in zip(rows.tolist(), why, strict=True)}

    def text(self) -> str:
        """Return Volcano's sentence: how many nodes have which reason."""
        begin = self.text_before or f"0/{len(self.nodes)} nodes are unavailable"
        if not self.nodes:
            return begin
        reasons = Counter(
            refusal.reason for refusals in self.nodes.values() for refusal in refusals if refusal.reason
        )
        counted = ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))
        where = f"In hyperNode {self.hyper_node}: " if self.hyper_node else ""
        return f"{where}{begin}: {counted}."
