"""A priority queue on Go's heap: whose order changes while things wait in it pops as Go pops.

Source: Go container/heap; volcano v1.16 pkg/scheduler/util/priority_queue.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class InOrder(Generic[T]):
    """What is popped by a key that tells all things apart and never changes: there every heap is the same."""

    def __init__(self, items: Iterable[T], key: Callable[[T], Any]) -> None:
        self._key = key
        self._left = sorted(items, key=key, reverse=True)

    def __len__(self) -> int:
        return len(self._left)

    def pop(self) -> T:
        """Take the first out. Raises IndexError if there is none."""
        return self._left.pop()

    def copy(self) -> InOrder[T]:
        """Return one with the same things, from which others can be taken."""
        other: InOrder[T] = InOrder((), self._key)
        other._left = list(self._left)
        return other


class PriorityQueue(Generic[T]):
    """`pop` returns what `less` puts before all others, as far as that held when things were moved."""

    def __init__(self, less: Callable[[T, T], bool], items: Iterable[T] = ()) -> None:
        self._less = less
        self._items: list[T] = []
        for item in items:
            self.push(item)

    def __len__(self) -> int:
        return len(self._items)

    def copy(self) -> PriorityQueue[T]:
        """Return one with the same things in the same places."""
        other = PriorityQueue(self._less)
        other._items = list(self._items)
        return other

    def push(self, item: T) -> None:
        """Put something in."""
        self._items.append(item)
        self._up(len(self._items) - 1)

    def pop(self) -> T:
        """Take the first out. Raises IndexError if there is none."""
        items = self._items
        last = len(items) - 1
        items[0], items[last] = items[last], items[0]
        self._down(0, last)
        return items.pop()

    def _up(self, child: int) -> None:
        items = self._items
        while True:
            parent = int((child - 1) / 2)
            if parent == child or not self._less(items[child], items[parent]):
                return
            items[parent], items[child] = items[child], items[parent]
            child = parent

    def _down(self, parent: int, end: int) -> None:
        items = self._items
        while (left := 2 * parent + 1) < end:
            child = left
            if left + 1 < end and self._less(items[left + 1], items[left]):
                child = left + 1
            if not self._less(items[child], items[parent]):
                return
            items[parent], items[child] = items[child], items[parent]
            parent = child
