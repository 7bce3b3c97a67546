"""The controllers' process: deliver what was written, then let the controllers work, one thing at a time.

All watch events come first, in the order of the writes; with none left, one command is taken, and with none
left, one request. So a controller's own writes reach it only after the request in work is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from scheduler_core.volcano.controllers.api_client import Server, WatchEvent
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import Object, key_of, kind_of
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile


class Controller(Protocol):
    """A controller: it listens to informers, and works off what waits."""

    name: str

    def command(self) -> Reconcile | None:
        """Take the next command; None where there is none."""

    def work(self) -> Reconcile | None:
        """Work off the next request; None where there is none."""

    def due(self) -> int | None:
        """Return when the next thing that waits is due, in nanoseconds; None where nothing waits."""

    def expire(self) -> Reconcile | None:
        """Do the next thing whose time has come; None where there is none."""

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the controller remembers."""

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned; the informers' copies are restored by then."""


class Manager:
    """Several controllers over one API server, with informers that they share."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.api = Noting(server)
        self.informers = Informers()
        self.controllers: Sequence[Controller] = ()

    def step(self) -> Reconcile | None:
        """Do the next thing and return it; None when nothing is left to do."""
        done = self._next()
        return None if done is None else replace(done, led_by=self.informers.cause)

    def _next(self) -> Reconcile | None:
        while (event := self._server.next_event()) is not None:
            self.informers.deliver(event)
            writes, told = self.api.take()
            if writes or told:
                return Reconcile("", event, writes=writes, told=told)
        for controller in self.controllers:
            if (done := controller.command()) is not None:
                return done
        for controller in self.controllers:
            if (done := controller.work()) is not None:
                return done
        for controller in self.controllers:
            if (done := controller.expire()) is not None:
                return done
        return None

    def due(self) -> int | None:
        """Return when the next thing that waits is due, in nanoseconds; None where nothing waits."""
        every = (controller.due() for controller in self.controllers)
        return min((due for due in every if due is not None), default=None)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the controllers remember, but for their copies of objects."""
        return {controller.name: controller.dump() for controller in self.controllers}

    def load(self, data: Mapping[str, Any], objects: Iterable[Object], untold: Sequence[WatchEvent]) -> None:
        """Restore what `dump` returned over these objects, of which the last writes are still untold."""
        self.informers.clear()
        for item in objects:
            self.informers.put(kind_of(item), key_of(item), item)
        for event in reversed(untold):
            self.informers.put(event.kind, event.key, event.old)
        for controller in self.controllers:
            controller.load(data[controller.name])
