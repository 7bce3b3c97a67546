"""The controllers' process: deliver what was written, then let the controllers work, one thing at a time.

All watch events come first, in the order of the writes; with none left, one command is taken, and with none
left, one request. So a controller's own writes reach it only after the request in work is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scheduler_core.volcano.controllers.api import Server
from scheduler_core.volcano.controllers.informers import Informers
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


class Manager:
    """Several controllers over one API server, with informers that they share."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.api = Noting(server)
        self.informers = Informers()
        self.controllers: Sequence[Controller] = ()

    def step(self) -> Reconcile | None:
        """Do the next thing and return it; None when nothing is left to do."""
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
