"""Work that is to be done later: each piece once, at the earliest instant that it was put off to.

Source: k8s.io/client-go v0.36 util/workqueue delaying_queue.go, default_rate_limiters.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.work_queue import fields_of

W = TypeVar("W", bound=tuple[Any, ...])
_FIRST_RETRY, _LAST_RETRY = 5 * 10**6, 1000 * 10**9


def retry_delay(failures: int) -> int:
    """Return how long work waits that has failed so often before, in nanoseconds: twice as long each time."""
    return min(_FIRST_RETRY << min(failures, 30), _LAST_RETRY)


class Later(Generic[W]):
    """Pieces of work with their instants, in nanoseconds since the epoch.

    Each remembers what the informers say led to it. `kind` makes a piece of work of its fields.
    """

    def __init__(self, informers: Informers, kind: Callable[..., W]) -> None:
        self._informers = informers
        self._kind = kind
        self._instants: dict[W, int] = {}
        self._causes: dict[W, int | None] = {}

    def put(self, work: W, instant: int) -> None:
        """Put work off to an instant; work that is put off already stays so until the earlier one."""
        self._instants[work] = min(instant, self._instants.get(work, instant))
        self._causes[work] = self._informers.cause

    def due(self) -> int | None:
        """Return when the first piece is due, None where nothing waits."""
        return min(self._instants.values(), default=None)

    def take(self, now: int) -> W | None:
        """Take the piece whose instant came first; None where none has come."""
        first = min(((instant, work) for work, instant in self._instants.items()), default=None)
        if first is None or first[0] > now:
            return None
        work = first[1]
        del self._instants[work]
        self._informers.cause = self._causes.pop(work)
        return work

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> list[list[Any]]:
        """Return what waits, and for when, as plain data."""
        return [[*fields_of(work), instant, self._causes[work]] for work, instant in self._instants.items()]

    def load(self, data: Iterable[list[Any]]) -> None:
        """Restore what `dump` returned."""
        self._instants, self._causes = {}, {}
        for *fields, instant, cause in data:
            work = self._kind(*fields)
            self._instants[work] = instant
            self._causes[work] = cause
