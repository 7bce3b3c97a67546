"""What an operation on the scheduling queue did: the events that it became, and who moved where and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scheduler_core.kube.queueing.queued_pod import Part
from scheduler_core.kube.queueing.worth_requeuing import HintAnswer

Place = Part | Literal["none"]
NOWHERE: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class EventHeard:
    """A cluster event by its label; `ignored` if no plugin listens.

    `hints` maps each waiting pod (`namespace/name`) to what its rejecting plugins said that listen.
    """

    event: str
    ignored: bool = False
    hints: Mapping[str, Mapping[str, HintAnswer]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wake:
    """An event in an attempt's own time that calls for another one."""

    event: str
    hints: Mapping[str, HintAnswer]


@dataclass(frozen=True, slots=True)
class Move:
    """A pod's way from one part of the queue to another; `event` is the label of what caused it.

    `hints` are the answers to that event; `during` has the events that call a pod back that was in flight.
    """

    uid: str
    key: str
    source: Place
    target: Place
    event: str
    hints: Mapping[str, HintAnswer] = field(default_factory=dict)
    during: tuple[Wake, ...] = ()

    @property
    def is_of_attempt(self) -> bool:
        """Whether the pod is only popped, or done: what its attempt itself tells."""
        return self.target == "in_flight" or (self.source, self.target) == ("in_flight", NOWHERE)


@dataclass
class Report:
    """Events in the order in which they came, moves in the order of their causes, then by name."""

    events: list[EventHeard] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)

    def extend(self, more: "Report") -> None:
        """Append what happened after."""
        self.events += more.events
        self.moves += more.moves
