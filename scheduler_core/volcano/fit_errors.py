"""Why a task fits on no node.

Source: volcano v1.16 pkg/scheduler/api/unschedule_info.go, api/types.go StatusSets.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Code = Literal["Error", "Unschedulable", "UnschedulableAndUnresolvable"]
FOR_GOOD: frozenset[Code] = frozenset({"UnschedulableAndUnresolvable", "Error"})
"""What no eviction helps against."""


class Refusal(NamedTuple):
    """One reason of one node."""

    code: Code
    reason: str
    plugin: str = ""


Refusals = tuple[Refusal, ...]


def for_good(refusals: Refusals) -> bool:
    """Return whether preemption need not look at a node that says so."""
    return any(refusal.code in FOR_GOOD for refusal in refusals)


def unresolvable(refusals: Refusals) -> bool:
    """Return whether some reason is UnschedulableAndUnresolvable."""
    return any(refusal.code == "UnschedulableAndUnresolvable" for refusal in refusals)


@dataclass
class FitErrors:
    """By a node's name why it refuses; `text_before` replaces the count of nodes."""

    nodes: dict[str, Refusals] = field(default_factory=dict)
    text_before: str = ""

    def text(self) -> str:
        """Return Volcano's sentence: how many nodes have which reason."""
        begin = self.text_before or f"0/{len(self.nodes)} nodes are unavailable"
        if not self.nodes:
            return begin
        reasons = Counter(
            refusal.reason for refusals in self.nodes.values() for refusal in refusals if refusal.reason
        )
        counted = ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))
        return f"{begin}: {counted}."
