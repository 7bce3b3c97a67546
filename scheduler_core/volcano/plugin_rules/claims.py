"""What a plugin adds up before it lets a job into its queue or a task onto a node; to be told."""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler_core.events.explanation import Figure
from scheduler_core.events.sums import Sum
from scheduler_core.predicates.resource_figures import figure
from scheduler_core.volcano.model.resource import CPU, MAX_INT64, MEMORY, PODS, Resource

_THOUSANDTHS = 1000


@dataclass(frozen=True)
class Claim:
    """More than `allowed` is refused: `held` is in use, `promised` to jobs in a queue that hold it not yet.

    queue: of which queue that is the limit, empty for the whole cluster's.
    """

    queue: str
    allowed: Resource
    held: Resource
    asked: Resource
    promised: Resource = field(default_factory=Resource)

    def sums(self) -> list[Sum]:
        """Return the sums of what is asked for and limited, those that are too much before all."""
        found = [
            Sum(
                name,
                unit_of(name),
                *(whole(name, one.get(name)) for one in (self.allowed, self.held, self.promised, self.asked)),
            )
            for name in self.asked.names()
            if name != PODS and self.allowed.get(name) < MAX_INT64
        ]
        return sorted(found, key=lambda one: one.held + one.promised + one.asked <= one.allowed)


def whole(name: str, amount: float) -> float:
    """Return an amount of a session in the units of the log."""
    return amount if name in (CPU, MEMORY, PODS) else amount / _THOUSANDTHS


def unit_of(name: str) -> str:
    """Return the unit of a resource as figures name it."""
    shown: Figure = figure(name, 0, 0, 0)
    return shown.unit
