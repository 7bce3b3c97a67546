"""What Volcano's controllers ask of an API server, and what they are told by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from scheduler_core.volcano.controllers.kinds import Kind, Object, resource_name, split


class ApiError(Exception):
    """The API server has refused; the message is its own."""


class NotFound(ApiError):
    """There is no such object; the API server words it in the plural, a copy's keeper in the singular."""

    def __init__(self, kind: Kind, key: str, *, plural: bool) -> None:
        super().__init__(f'{resource_name(kind, plural=plural)} "{split(key)[1]}" not found')


class AlreadyExists(ApiError):
    """There is an object of that name."""

    def __init__(self, kind: Kind, key: str) -> None:
        super().__init__(f'{resource_name(kind, plural=True)} "{split(key)[1]}" already exists')


class Conflict(ApiError):
    """The object was changed since it was read, or isn't the one that was meant."""

    def __init__(self, kind: Kind, key: str) -> None:
        super().__init__(
            f'Operation cannot be fulfilled on {resource_name(kind, plural=True)} "{split(key)[1]}": '
            "the object has been modified; please apply your changes to the latest version and try again"
        )


class WatchEvent(NamedTuple):
    """What the API server tells of one write: `old` is None for a new object, `new` for one that is gone.

    `cause` is the decision that wrote, where there are decisions.
    """

    kind: Kind
    key: str
    old: Object | None
    new: Object | None
    cause: int | None = None


class Api(Protocol):
    """An API server as a controller uses it. Keys are `namespace/name`, or the name alone.

    What is returned is what is stored: to be read only.
    """

    @property
    def now(self) -> int:
        """The time, in nanoseconds since the epoch."""

    def get(self, kind: Kind, key: str) -> Object:
        """Return an object. Raises NotFound."""

    def list(self, kind: Kind) -> list[Object]:
        """Return all objects of a kind, ordered by key."""

    def create(self, item: Object) -> Object:
        """Store a new object and return it as stored. Raises AlreadyExists."""

    def update(self, item: Object) -> Object:
        """Replace an object all but a status that is a subresource. Raises NotFound, Conflict."""

    def update_status(self, item: Object) -> Object:
        """Replace an object's status. Raises NotFound, Conflict."""

    def patch(self, kind: Kind, key: str, changes: Mapping[str, Any]) -> Object:
        """Merge changes into an object (JSON merge patch). Raises NotFound."""

    def delete(self, kind: Kind, key: str, *, foreground: bool = False, uid: str | None = None) -> None:
        """Delete an object; in the foreground after all it owns. Raises NotFound, Conflict."""

    def tell(self, item: Object, type_: str, reason: str, message: str) -> None:
        """Record an event of an object."""


class Server(Api, Protocol):
    """An API server that a process of controllers watches."""

    def next_event(self) -> WatchEvent | None:
        """Take the oldest event that wasn't taken yet; None where there is none."""
