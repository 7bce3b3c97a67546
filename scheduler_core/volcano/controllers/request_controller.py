"""What controllers have in common that only work off requests: no commands, a queue, and maybe a time.

Source: the worker loops of volcano v1.16 pkg/controllers (jobflow, jobtemplate, cronjob, podgroup,
garbagecollector).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.later import Later
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.work_queue import WorkQueue

W = TypeVar("W", bound=tuple[Any, ...])


class RequestController(ABC, Generic[W]):
    """A controller that takes no commands, and for which nothing waits for a time.

    `request` makes a request of its fields.
    """

    name: str

    def __init__(self, api: Noting, informers: Informers, request: Callable[..., W]) -> None:
        self._api = api
        self._informers = informers
        self._queue: WorkQueue[W] = WorkQueue(informers, request)

    @abstractmethod
    def _see_to(self, request: W) -> Reconcile:
        """Work off a request that has been taken, and say what came of it."""

    def command(self) -> Reconcile | None:
        """Take no command."""
        return None

    def work(self) -> Reconcile | None:
        """Work off the next request; None where there is none."""
        return self._see_to(self._queue.take()) if len(self._queue) else None

    def due(self) -> int | None:
        """Return None: nothing waits for its time."""
        return None

    def expire(self) -> Reconcile | None:
        """Do nothing: nothing waits for its time."""
        return None

    def dump(self) -> dict[str, Any]:
        """Return as plain data what waits."""
        return {"queue": self._queue.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._queue.load(data["queue"])


class DelayingController(RequestController[W]):
    """A controller of which requests may be put off to a time."""

    def __init__(self, api: Noting, informers: Informers, request: Callable[..., W]) -> None:
        super().__init__(api, informers, request)
        self._later: Later[W] = Later(informers, request)

    def due(self) -> int | None:
        """Return when the first request is due that was put off, in nanoseconds; None where none was."""
        return self._later.due()

    def expire(self) -> Reconcile | None:
        """Work off the request whose time came first; None where none has come."""
        request = self._later.take(self._api.now)
        return None if request is None else self._see_to(request)

    def dump(self) -> dict[str, Any]:
        """Return as plain data what waits, and for when."""
        return super().dump() | {"later": self._later.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        super().load(data)
        self._later.load(data["later"])
