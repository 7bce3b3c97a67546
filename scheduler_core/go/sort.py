"""The order in which Go's sort.Slice leaves a list, equal elements included.

The real scheduler sorts potential victims with it, and it is not stable: beyond twelve elements, the
order of equals follows from its pattern-defeating quicksort. Which pod is evicted can depend on that.

Source: Go 1.26 sort.Slice (pattern-defeating quicksort: insertion sort up to 12, heap sort when the
recursion limit is used up).
"""

from collections.abc import Callable
from typing import TypeVar

from scheduler_core.go.list_under_sort import ListUnderSort

T = TypeVar("T")

_INSERTION_LIMIT = 12
_NINTHER_LENGTH = 50
_SHIFT_LENGTH = 50
_MAX_SHIFTS = 5
_MASK = (1 << 64) - 1


def go_sort(items: list[T], less: Callable[[T, T], bool]) -> None:
    """Sort in place as sort.Slice does. `less` is asked about elements, in Go's order of questions."""
    _Sorter(items, less).quick(0, len(items), len(items).bit_length())


class _Sorter(ListUnderSort):
    """The pattern-defeating quicksort."""

    def quick(self, start: int, end: int, limit: int) -> None:
        balanced = partitioned = True
        while end - start > _INSERTION_LIMIT:
            if limit == 0:
                self.heap(start, end)
                return
            if not balanced:
                self.scatter(start, end)
                limit -= 1
            pivot, swaps = self.choose_pivot(start, end)
            ascending = swaps == 0
            if swaps == 12:
                self.items[start:end] = self.items[start:end][::-1]
                pivot = (end - 1) - (pivot - start)
                ascending = True
            if balanced and partitioned and ascending and self.almost_sorted(start, end):
                return
            if start > 0 and not self.less(start - 1, pivot):
                start = self.split_equal(start, end, pivot)
                continue
            middle, partitioned = self.split(start, end, pivot)
            left, right = middle - start, end - middle
            balanced = min(left, right) >= (end - start) // 8
            if left < right:
                self.quick(start, middle, limit)
                start = middle + 1
            else:
                self.quick(middle + 1, end, limit)
                end = middle
        self.insertion(start, end)

    def scatter(self, start: int, end: int) -> None:
        length = end - start
        if length < 8:
            return
        random = length
        middle = start + length // 4 * 2
        for place in range(middle - 1, middle + 2):
            random ^= random << 13 & _MASK
            random ^= random >> 7
            random ^= random << 17 & _MASK
            other = random & ((1 << length.bit_length()) - 1)
            self.swap(place, start + (other - length if other >= length else other))

    def choose_pivot(self, start: int, end: int) -> tuple[int, int]:
        """Return the pivot's place and how many pairs were found out of order."""
        quarter = (end - start) // 4
        first, second, third = start + quarter, start + 2 * quarter, start + 3 * quarter
        swaps = 0
        if end - start >= 8:
            if end - start >= _NINTHER_LENGTH:
                first, more = self.median(first - 1, first, first + 1)
                second, more2 = self.median(second - 1, second, second + 1)
                third, more3 = self.median(third - 1, third, third + 1)
                swaps = more + more2 + more3
            second, more = self.median(first, second, third)
            swaps += more
        return second, swaps

    def median(self, one: int, two: int, three: int) -> tuple[int, int]:
        swaps = 0
        if self.less(two, one):
            one, two, swaps = two, one, swaps + 1
        if self.less(three, two):
            two, three, swaps = three, two, swaps + 1
        if self.less(two, one):
            one, two, swaps = two, one, swaps + 1
        return two, swaps

    def almost_sorted(self, start: int, end: int) -> bool:
        """Repair up to five misplaced pairs; return whether the range is sorted then."""
        place = start + 1
        for _ in range(_MAX_SHIFTS):
            while place < end and not self.less(place, place - 1):
                place += 1
            if place == end:
                return True
            if end - start < _SHIFT_LENGTH:
                return False
            self.swap(place, place - 1)
            self._shift_left(start, place)
            self._shift_right(place, end)
        return False

    def _shift_left(self, start: int, place: int) -> None:
        if place - start >= 2:
            for lower in range(place - 1, 0, -1):
                if not self.less(lower, lower - 1):
                    break
                self.swap(lower, lower - 1)

    def _shift_right(self, place: int, end: int) -> None:
        if end - place >= 2:
            for upper in range(place + 1, end):
                if not self.less(upper, upper - 1):
                    break
                self.swap(upper, upper - 1)

    def split(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """Put smaller elements before the pivot; return its place and whether they already were."""
        self.swap(start, pivot)
        low, high = self._narrow(start + 1, end - 1, start)
        if low > high:
            self.swap(high, start)
            return high, True
        while low <= high:
            self.swap(low, high)
            low, high = self._narrow(low + 1, high - 1, start)
        self.swap(high, start)
        return high, False

    def _narrow(self, low: int, high: int, pivot: int) -> tuple[int, int]:
        while low <= high and self.less(low, pivot):
            low += 1
        while low <= high and not self.less(high, pivot):
            high -= 1
        return low, high

    def split_equal(self, start: int, end: int, pivot: int) -> int:
        """Put elements equal to the pivot first; return where the greater ones begin."""
        self.swap(start, pivot)
        low, high = start + 1, end - 1
        while True:
            while low <= high and not self.less(start, low):
                low += 1
            while low <= high and self.less(start, high):
                high -= 1
            if low > high:
                return low
            self.swap(low, high)
            low, high = low + 1, high - 1
