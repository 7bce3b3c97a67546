"""A controller's queue of work: what waits already isn't added again, and how often each has failed.

Source: k8s.io/client-go v0.36 util/workqueue queue.go. Work that has failed comes again at once, behind what
waits; a real queue lets a growing delay pass first.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

W = TypeVar("W", bound=Hashable)


class WorkQueue(Generic[W]):
    """Pieces of work, first come, first served. Equal pieces are one piece while they wait."""

    def __init__(self) -> None:
        self._waiting: deque[W] = deque()
        self._known: set[W] = set()
        self._failures: Counter[W] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, work: W) -> None:
        """Put work at the end, unless it waits already."""
        if work not in self._known:
            self._known.add(work)
            self._waiting.append(work)

    def take(self) -> W:
        """Take the first piece of work."""
        work = self._waiting.popleft()
        self._known.discard(work)
        return work

    def failures(self, work: W) -> int:
        """Return how often the work has come again since it was last forgotten."""
        return self._failures[work]

    def again(self, work: W) -> None:
        """Put work that has failed at the end."""
        self._failures[work] += 1
        self.add(work)

    def forget(self, work: W) -> None:
        """Forget how often the work has failed."""
        self._failures.pop(work, None)
