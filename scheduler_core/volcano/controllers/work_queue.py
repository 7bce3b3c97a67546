"""A controller's queue of work: what waits already isn't added again, and how often each has failed.

Source: k8s.io/client-go v0.36 util/workqueue queue.go. Work that has failed comes again at once, behind what
waits; a real queue lets a growing delay pass first.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar

from scheduler_core.volcano.controllers.informers import Informers

W = TypeVar("W", bound=Hashable)


class WorkQueue(Generic[W]):
    """Pieces of work, first come, first served. Equal pieces are one piece while they wait.

    Each remembers what the informers say led to it, and lets them say so again when it is taken. `kind` makes
    a piece of work of its fields.
    """

    def __init__(self, informers: Informers, kind: Callable[..., W]) -> None:
        self._informers = informers
        self._kind = kind
        self._causes: dict[W, int | None] = {}
        self._failures: Counter[W] = Counter()

    def __len__(self) -> int:
        return len(self._causes)

    def add(self, work: W) -> None:
        """Put work at the end, unless it waits already."""
        self._causes.setdefault(work, self._informers.cause)

    def take(self) -> W:
        """Take the first piece of work."""
        work = next(iter(self._causes))
        self._informers.cause = self._causes.pop(work)
        return work

    def failures(self, work: W) -> int:
        """Return how often the work has come again since it was last forgotten."""
        return self._failures[work]

    def again(self, work: W) -> None:
        """Put work that has failed at the end."""
        self.fail(work)
        self.add(work)

    def fail(self, work: W) -> int:
        """Count a failure of work, and return how many there were before."""
        before = self._failures[work]
        self._failures[work] = before + 1
        return before

    def forget(self, work: W) -> None:
        """Forget how often the work has failed."""
        self._failures.pop(work, None)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return what waits, in order, and what has failed, as plain data."""
        waiting = [[fields_of(work), cause, self._failures[work]] for work, cause in self._causes.items()]
        others = [[fields_of(work), n] for work, n in self._failures.items() if work not in self._causes]
        return {"waiting": waiting, "failures": others}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._causes, self._failures = {}, Counter()
        for fields, cause, failures in data["waiting"]:
            work = self._kind(*fields)
            self._causes[work] = cause
            if failures:
                self._failures[work] = failures
        for fields, failures in data["failures"]:
            self._failures[self._kind(*fields)] = failures


def fields_of(work: Any) -> list[Any]:
    """Return the fields of a piece of work, of which it can be made again."""
    return list(work) if isinstance(work, tuple) else list(dataclasses.astuple(work))
