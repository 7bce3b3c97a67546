"""The equivalence cache by itself: its bound, its list of changes, and how answers are checked."""

import pytest

from scheduler_core.equivalence.cache import EquivalenceCache, KeptDiffers, classes_within
from scheduler_core.equivalence.invalidation import ChangeList


def test_the_class_that_was_asked_for_longest_ago_is_forgotten_first():
    cache = EquivalenceCache()
    for known in "ab":
        assert cache.keep(known, known.upper(), 2) == known.upper()
    assert cache.find("a") == "A"
    cache.keep("c", "C", 2)
    assert [cache.find(known) for known in "abc"] == ["A", None, "C"]
    cache.keep("d", "D", 1)
    assert len(cache) == 1
    cache.drop("d")
    cache.drop("unknown")
    assert len(cache) == 0


def test_at_least_one_class_is_kept():
    assert [classes_within(100, size) for size in (0, 30, 100, 1000)] == [100, 3, 1, 1]


@pytest.mark.parametrize(("every", "checked"), [(0, []), (1, [1, 2, 3, 4]), (3, [3])])
def test_each_kth_answer_is_checked(every, checked):
    cache = EquivalenceCache(every)
    assert [number for number in range(1, 5) if cache.count_given()] == checked
    assert cache.given == 4


def test_an_answer_that_differs_is_named():
    EquivalenceCache().require(True, "default/p")
    with pytest.raises(KeptDiffers, match="an answer kept for default/p has changed"):
        EquivalenceCache().require(False, "default/p")


def test_each_reads_the_changes_on_from_where_it_stopped():
    changes = ChangeList()
    assert changes.end == 0
    assert changes.since(-1) is None
    changes.note("a")
    place = changes.end
    changes.note("b")
    changes.note("a")
    assert list(changes.since(0)) == ["a", "b", "a"]
    assert list(changes.since(place)) == ["b", "a"]
    assert list(changes.since(changes.end)) == []


def test_places_stay_the_same_when_the_older_half_is_forgotten():
    changes = ChangeList(most=4)
    for number in range(4):
        changes.note(number)
    assert list(changes.since(0)) == [0, 1, 2, 3]
    changes.note(4)
    assert list(changes.since(2)) == [2, 3, 4]
    assert changes.since(1) is None
    assert changes.end == 5
    changes.clear()
    assert changes.since(4) is None
    changes.note(5)
    assert list(changes.since(5)) == [5]
