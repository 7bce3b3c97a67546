"""One piece of a controller's work as a value: what was asked, what it did, what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.kinds import Kind, Object, key_of, kind_of

Verb = Literal["create", "update", "patch", "delete"]
Outcome = Literal["done", "delayed", "dropped", "requeued", "failed"]


class Write(NamedTuple):
    """A write that the API server has accepted; `item` is what was stored, None for a deletion."""

    verb: Verb
    kind: Kind
    key: str
    item: Object | None


class Told(NamedTuple):
    """An event that was recorded of an object."""

    kind: Kind
    key: str
    type: str
    reason: str
    message: str


@dataclass(frozen=True)
class Reconcile:
    """What a controller did about one thing.

    `cause` is what asked for it: a request, a command that was taken, an action that came due, a watch event.
    `phase` is that of the job, or the state of the queue, before; None where it isn't known. `action` is what
    was done, `delay` in how many nanoseconds it is to be done, `error` why it failed. `led_by` is the
    decision that led to it, where there are decisions.
    """

    controller: str
    cause: Any
    phase: str | None = None
    action: str = ""
    outcome: Outcome = "done"
    delay: int = 0
    error: str = ""
    writes: list[Write] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    led_by: int | None = None


class Noting:
    """An API server that notes what a controller has written and told."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._writes: list[Write] = []
        self._told: list[Told] = []

    def take(self) -> tuple[list[Write], list[Told]]:
        """Return what was noted since the last time."""
        taken = self._writes, self._told
        self._writes, self._told = [], []
        return taken

    def count(self) -> tuple[int, int]:
        """Return how much is noted by now: writes and events."""
        return len(self._writes), len(self._told)

    def since(self, before: tuple[int, int]) -> tuple[list[Write], list[Told]]:
        """Return what was noted since there was so much."""
        writes, told = before
        return self._writes[writes:], self._told[told:]

    def tell_again(self, told: Iterable[Told]) -> None:
        """Note events that were recorded before, and are recorded once more."""
        self._told += told

    def noted(self, reconcile: Reconcile) -> Reconcile:
        """Return a piece of work with what was written and told in it."""
        writes, told = self.take()
        return replace(reconcile, writes=writes, told=told)

    @property
    def now(self) -> int:
        return self._api.now

    def get(self, kind: Kind, key: str) -> Object:
        return self._api.get(kind, key)

    def list(self, kind: Kind) -> list[Object]:
        return self._api.list(kind)

    def create(self, item: Object) -> Object:
        return self._note("create", self._api.create(item))

    def update(self, item: Object) -> Object:
        return self._note("update", self._api.update(item))

    def update_status(self, item: Object) -> Object:
        return self._note("update", self._api.update_status(item))

    def patch(self, kind: Kind, key: str, changes: Mapping[str, Any]) -> Object:
        return self._note("patch", self._api.patch(kind, key, changes))

    def delete(self, kind: Kind, key: str, *, foreground: bool = False, uid: str | None = None) -> None:
        self._api.delete(kind, key, foreground=foreground, uid=uid)
        self._writes.append(Write("delete", kind, key, None))

    def tell(self, item: Object, type_: str, reason: str, message: str) -> None:
        self._api.tell(item, type_, reason, message)
        self._told.append(Told(kind_of(item), key_of(item), type_, reason, message))

    def _note(self, verb: Verb, stored: Object) -> Object:
        self._writes.append(Write(verb, kind_of(stored), key_of(stored), stored))
        return stored
