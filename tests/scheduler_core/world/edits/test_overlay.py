"""A mapping over another one is what a changed copy of that one would be."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.world.edits.overlay import Overlay

_KEYS = st.integers(0, 7)
_STEPS = st.lists(st.tuples(st.sampled_from(["set", "drop"]), _KEYS, st.integers(0, 99)))


@given(st.dictionaries(_KEYS, st.integers(0, 99)), _STEPS)
def test_an_overlay_is_as_a_changed_copy(below: dict[int, int], steps: list[tuple[str, int, int]]) -> None:
    before, copy = list(below.items()), dict(below)
    over = Overlay(below)
    for verb, key, value in steps:
        if verb == "set":
            over[key] = copy[key] = value
        else:
            assert over.pop(key, None) == copy.pop(key, None)
        assert list(over.items()) == list(copy.items())
        assert (len(over), key in over) == (len(copy), key in copy)
    assert list(below.items()) == before
