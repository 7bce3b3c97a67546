"""What controllers know of the cluster: copies of its objects, brought up to date by watch events.

A copy is older than the API server's until the event has been delivered: first the copy is brought up to
date, then who listens is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scheduler_core.volcano.controllers.api_client import NotFound, WatchEvent
from scheduler_core.volcano.controllers.kinds import Kind, Object

Handler = Callable[[WatchEvent], None]


class Informers:
    """The controllers' copies of objects, of all kinds.

    `cause` is the decision that led to what is being done: the one that wrote what was delivered last, or
    that of the work in hand.
    """

    def __init__(self) -> None:
        self.cause: int | None = None
        self.changes = 0
        """How many times copies were brought up to date or forgotten."""
        self._copies: dict[Kind, dict[str, Object]] = {}
        self._handlers: dict[Kind, list[Handler]] = {}

    def listen(self, kind: Kind, handler: Handler) -> None:
        """Have a handler told of every event of a kind."""
        self._handlers.setdefault(kind, []).append(handler)

    def deliver(self, event: WatchEvent) -> None:
        """Bring a copy up to date and tell who listens."""
        self.cause = event.cause
        self.put(event.kind, event.key, event.new)
        for handler in self._handlers.get(event.kind, ()):
            handler(event)

    def put(self, kind: Kind, key: str, item: Object | None) -> None:
        """Replace a copy, or forget it, without telling anybody."""
        self.changes += 1
        copies = self._copies.setdefault(kind, {})
        if item is None:
            copies.pop(key, None)
        else:
            copies[key] = item

    def clear(self) -> None:
        """Forget all copies."""
        self.changes += 1
        self._copies.clear()

    def get(self, kind: Kind, key: str) -> Object:
        """Return the copy of an object. Raises NotFound."""
        found = self._copies.get(kind, {}).get(key)
        if found is None:
            raise NotFound(kind, key, plural=False)
        return found

    def find(self, kind: Kind, key: str) -> Object | None:
        """Return the copy of an object, None where there is none."""
        return self._copies.get(kind, {}).get(key)

    def list(self, kind: Kind) -> Iterable[Object]:
        """Return the copies of a kind, ordered by key."""
        return [item for _, item in sorted(self._copies.get(kind, {}).items())]
