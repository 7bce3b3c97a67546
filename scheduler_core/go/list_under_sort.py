"""What Go's sorts, old and new, have in common: a list whose places are compared and swapped.

Source: Go 1.26 sort (insertionSort, heapSort, siftDown), unchanged since the first releases.
"""

from collections.abc import Callable
from typing import Any


class ListUnderSort:
    """A list under sorting. Ranges are [start, end); comparisons name places, as Go's do."""

    def __init__(self, items: list[Any], less: Callable[[Any, Any], bool]) -> None:
        self.items = items
        self._less = less

    def less(self, left: int, right: int) -> bool:
        return self._less(self.items[left], self.items[right])

    def swap(self, left: int, right: int) -> None:
        self.items[left], self.items[right] = self.items[right], self.items[left]

    def insertion(self, start: int, end: int) -> None:
        for place in range(start + 1, end):
            while place > start and self.less(place, place - 1):
                self.swap(place, place - 1)
                place -= 1

    def heap(self, start: int, end: int) -> None:
        length = end - start
        for root in range((length - 1) // 2, -1, -1):
            self.sift_down(root, length, start)
        for last in range(length - 1, -1, -1):
            self.swap(start, start + last)
            self.sift_down(0, last, start)

    def sift_down(self, root: int, length: int, start: int) -> None:
        while (child := 2 * root + 1) < length:
            if child + 1 < length and self.less(start + child, start + child + 1):
                child += 1
            if not self.less(start + root, start + child):
                return
            self.swap(start + root, start + child)
            root = child
