"""What a try of a group found out: member by member, placement by placement.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go algorithmResult, podGroupAlgorithmResult.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler_core.events.explanation import AttemptInFull
from scheduler_core.kube.attempt_result import AttemptResult

UNSCHEDULABLE_GROUP = "pod group is unschedulable"
_WAITS = (
    "waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin"
    " rejected pod"
)


@dataclass(eq=False)
class MemberTry:
    """A member as it was tried: `node` is where it was put.

    `seen` says it by name; it is there if somebody asked, and of placements. `permitted` is what Permit said,
    if it was asked; `fault` is its error.
    """

    pod: int
    result: AttemptResult
    seen: AttemptInFull | None
    node: str = ""
    permitted: bool | None = None
    fault: str = ""

    @property
    def fits(self) -> bool:
        """Whether it has a node without evicting."""
        return self.result.outcome == "scheduled"

    @property
    def needs_preemption(self) -> bool:
        """Whether its node is one on which others must go."""
        return bool(self.node) and not self.fits

    @property
    def permit_message(self) -> str:
        """What Permit said, as messages have it."""
        return "" if self.permitted else _WAITS


@dataclass(eq=False)
class PlacementTry:
    """A group on some nodes, None for all. `error` ends it; `reason` is said beside that it doesn't fit."""

    name: str = ""
    nodes: list[str] | None = None
    members: list[MemberTry] = field(default_factory=list)
    fits: bool = False
    waits: bool = False
    error: str = ""
    said: list[str] = field(default_factory=lambda: [UNSCHEDULABLE_GROUP])

    @property
    def message(self) -> str:
        """What the group's status says."""
        return "" if self.fits else ", ".join(self.said)
