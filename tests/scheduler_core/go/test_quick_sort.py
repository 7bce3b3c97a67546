"""Go's sort before 1.19: what is sure of it, and where equals change places."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.go.quick_sort import STABLE_UP_TO, go_quick_sort

keys = st.lists(st.integers(0, 4), max_size=200)


def sorted_pairs(numbers):
    pairs = [(number, place) for place, number in enumerate(numbers)]
    go_quick_sort(pairs, lambda left, right: left[0] < right[0])
    return pairs


@given(keys)
def test_everything_is_sorted_and_nothing_is_lost(numbers):
    pairs = sorted_pairs(numbers)
    assert [number for number, _ in pairs] == sorted(numbers)
    assert sorted(place for _, place in pairs) == list(range(len(numbers)))


@given(st.lists(st.integers(0, 2), max_size=STABLE_UP_TO))
def test_equals_keep_their_order_in_short_lists(numbers):
    assert sorted_pairs(numbers) == sorted(sorted_pairs(numbers))


def test_the_seventh_element_may_jump_over_its_equals():
    # One pass with gap six exchanges the first and the seventh before insertion.
    assert sorted_pairs([1, 0, 1, 1, 1, 1, 0]) == [(0, 6), (0, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 0)]


def test_equals_alone_stay_in_place_below_thirteen():
    assert sorted_pairs([0] * 12) == [(0, place) for place in range(12)]
