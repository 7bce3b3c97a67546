"""What all decisions have in common, and how they name pods. See `decisions.py`."""

from scheduler_core.events.changes import Change, Event


class PodRef(Event, frozen=True):
    """Who a decision is about. `priority` is the pod's effective priority."""

    uid: str
    namespace: str
    name: str
    priority: int


class Victim(Event, frozen=True):
    """A pod that a preemption would evict, with what the choice of a node looks at."""

    uid: str
    namespace: str
    name: str
    priority: int
    start_time: str | None
    violates_budget: bool


class Decided(Event, frozen=True):
    """What every decision says.

    `time` is the clock in milliseconds since the run's start, null where no clock moves. `cause` is the
    decision that led to this one, null where none did.
    """

    seq: int
    time: int | None
    actor: str
    cause: int | None
    changes: list[Change]
