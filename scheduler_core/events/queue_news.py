"""What queues made of what happened."""

from scheduler_core.events.changes import Event


class Wake(Event, frozen=True):
    """A pod's way from one part of the queue to another, by a cluster event's label.

    `hints` are the answers of the plugins that were asked; `during` the events in an attempt's own time that
    call the pod back. Outside of the queue the part is `none`.
    """

    pod: str
    source: str
    target: str
    event: str
    hints: dict[str, str]
    during: list[str]


class Heard(Event, frozen=True):
    """A cluster event that a queue heard: whether no plugin listens; for how many pods hints were asked."""

    event: str
    ignored: bool
    asked: int
