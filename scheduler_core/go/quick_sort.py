"""The order in which sort.Sort left a list before Go 1.19, equal elements included.

A quicksort with the median of three (of nine beyond forty elements), and below thirteen elements one pass
with gap six before insertion: equals keep their order only up to six.

Source: Go 1.8 to 1.18 sort.Sort (after Bentley and McIlroy, "Engineering a Sort Function").
"""

from collections.abc import Callable
from typing import TypeVar

from scheduler_core.go.list_under_sort import ListUnderSort

T = TypeVar("T")

STABLE_UP_TO = 6
"""Equals keep their order in lists of at most so many elements."""
_SMALL = 12
_GAP = 6
_MEDIAN_OF_NINE = 40


def go_quick_sort(items: list[T], less: Callable[[T, T], bool]) -> None:
    """Sort in place as sort.Sort did; `less` is asked about elements."""
    _Sorter(items, less).quick(0, len(items), 2 * len(items).bit_length())


class _Sorter(ListUnderSort):
    """The quicksort before Go 1.19."""

    def quick(self, start: int, end: int, depth: int) -> None:
        while end - start > _SMALL:
            if depth == 0:
                self.heap(start, end)
                return
            depth -= 1
            left_end, right_start = self.split(start, end)
            if left_end - start < end - right_start:
                self.quick(start, left_end, depth)
                start = right_start
            else:
                self.quick(right_start, end, depth)
                end = left_end
        for place in range(start + _GAP, end):
            if self.less(place, place - _GAP):
                self.swap(place, place - _GAP)
        self.insertion(start, end)

    def median(self, one: int, middle: int, two: int) -> None:
        """Move the median of three to the place `one`."""
        if self.less(one, middle):
            self.swap(one, middle)
        if self.less(two, one):
            self.swap(two, one)
            if self.less(one, middle):
                self.swap(one, middle)

    def choose_pivot(self, start: int, end: int) -> int:
        """Bring the pivot to the start; return the middle place."""
        middle = (start + end) // 2
        if end - start > _MEDIAN_OF_NINE:
            step = (end - start) // 8
            self.median(start, start + step, start + 2 * step)
            self.median(middle, middle - step, middle + step)
            self.median(end - 1, end - 1 - step, end - 1 - 2 * step)
        self.median(start, middle, end - 1)
        return middle

    def split(self, start: int, end: int) -> tuple[int, int]:
        """Part the range around a pivot; return where the smaller ones end and the greater ones begin."""
        middle = self.choose_pivot(start, end)
        pivot, first, right = start, start + 1, end - 1
        while first < right and self.less(first, pivot):
            first += 1
        left, right = self._part(pivot, first, right)
        crowded = end - right < 5
        if not crowded and end - right < (end - start) // 4:
            left, right, crowded = self._probe(pivot, left, right, middle, end)
        if crowded:
            left = self._gather_equals(pivot, first, left)
        self.swap(pivot, left - 1)
        return left - 1, right

    def _part(self, pivot: int, left: int, right: int) -> tuple[int, int]:
        while True:
            while left < right and not self.less(pivot, left):
                left += 1
            while left < right and self.less(pivot, right - 1):
                right -= 1
            if left >= right:
                return left, right
            self.swap(left, right - 1)
            left, right = left + 1, right - 1

    def _probe(self, pivot: int, left: int, right: int, middle: int, end: int) -> tuple[int, int, bool]:
        """Look for equals of the pivot at three places; return whether there are many."""
        equals = 0
        if not self.less(pivot, end - 1):
            self.swap(right, end - 1)
            right, equals = right + 1, equals + 1
        if not self.less(left - 1, pivot):
            left, equals = left - 1, equals + 1
        if not self.less(middle, pivot):
            self.swap(middle, left - 1)
            left, equals = left - 1, equals + 1
        return left, right, equals > 1

    def _gather_equals(self, pivot: int, first: int, left: int) -> int:
        while True:
            while first < left and not self.less(left - 1, pivot):
                left -= 1
            while first < left and self.less(first, pivot):
                first += 1
            if first >= left:
                return left
            self.swap(first, left - 1)
            first, left = first + 1, left - 1
