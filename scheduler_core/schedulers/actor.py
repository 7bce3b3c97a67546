"""Who acts in a cluster: schedulers, the eviction API, controllers. What the world asks of each of them.

An actor decides in two steps, so that a decision can be explained at the moment before it is carried
out: `look` says what would be done and changes nothing, `apply` does it, through the journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision


class Stamp(NamedTuple):
    """What the world says of every decision: its number, the clock, the decision that led to it."""

    seq: int
    time: int | None
    cause: int | None


EndedBy = Literal["quiet", "until", "limit"]
"""What ended a run: nothing was left to happen, the clock's end, or a limit of attempts or decisions."""


class ApiServer(Protocol):
    """What an actor may ask the cluster to do. Pods and nodes are named by row."""

    @property
    def cycles(self) -> int:
        """How many attempts there have been, of all schedulers."""

    @property
    def victims_vanish(self) -> bool:
        """Whether who is asked to go is gone at once."""

    def bind(self, pod: int, node: int) -> None:
        """Put the pod on the node."""

    def evict(self, pod: int) -> None:
        """Ask the pod to go."""

    def nominate(self, pod: int, node: str) -> None:
        """Write the node into the pod's status that room is made on for it."""

    def is_leaving(self, pod: int) -> bool:
        """Return whether the pod was asked to go earlier and hasn't gone yet."""


class Actor(Protocol):
    """Somebody who acts, one decision at a time."""

    name: str

    def look(self) -> Any | None:
        """Decide what to do next and change nothing; None where there is nothing to do."""

    def apply(self, look: Any) -> None:
        """Carry out what was decided."""

    def tell(self, look: Any, stamp: Stamp, changes: list[Change]) -> Decision:
        """Return the decision for the log, after it was carried out."""

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the actor remembers."""

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
