"""Watch events on their way: what was written and no controller has heard of yet."""

from __future__ import annotations

from typing import Any

from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register
from scheduler_core.volcano.controllers.api_client import WatchEvent
from scheduler_core.volcano.controllers.kinds import Kind


class Untold(Checkpointed):
    """Events in the order of the writes."""

    remembered = {"places": "_places", "events": "_events"}

    def __init__(self, journal: Journal) -> None:
        self._places: Register[str, int] = Register(journal, {"first": 0, "end": 0}.items())
        self._events: Register[int, WatchEvent] = Register(journal, read=_event)

    def add(self, event: WatchEvent) -> None:
        """Put an event at the end."""
        end = self._places.values["end"]
        self._events.put(end, event)
        self._places.put("end", end + 1)

    def first(self) -> WatchEvent | None:
        """Return the first event, which stays; None where there is none."""
        return self._events.get(self._places.values["first"])

    def take(self) -> WatchEvent | None:
        """Take the first event; None where there is none."""
        first, event = self._places.values["first"], self.first()
        if event is not None:
            self._events.drop(first)
            self._places.put("first", first + 1)
        return event

    def waiting(self) -> list[WatchEvent]:
        """Return all events, the first one first."""
        return [event for _, event in sorted(self._events.values.items())]


def _event(fields: Any) -> WatchEvent:
    kind, *rest = fields
    return WatchEvent(Kind(*kind), *rest)
