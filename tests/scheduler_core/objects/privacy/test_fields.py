"""Fields beside the plainest way to say what they keep: one name after the other, everything copied."""

from collections import Counter
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields

NAMES = st.sampled_from("abcde")
VALUES = st.recursive(
    st.sampled_from([None, "", "text", 0, 1, False, True, 0.0]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def fields_of(inner: st.SearchStrategy[Fields]) -> st.SearchStrategy[Fields]:
    """Fields that keep up to two names as they are and up to two others in part."""
    return st.builds(
        lambda whole, place, parts: Fields(
            " ".join(whole), place, **{name: keep for name, keep in parts.items() if name not in whole}
        ),
        st.lists(NAMES, max_size=2),
        st.sampled_from(["", "a place"]),
        st.dictionaries(NAMES, inner, max_size=2),
    )


FIELDS = st.recursive(fields_of(st.nothing()) | st.just(Fields("a")), fields_of, max_leaves=4)


def plainly(fields: Fields, value: Any, place: str, gone: Counter[tuple[str, str]]) -> Any:
    """What is kept of a value; counts what is not."""
    here = fields._place or place
    if isinstance(value, list):
        return [plainly(fields, item, f"{place}[]", gone) for item in value]
    if isinstance(value, str) and value:
        gone[here, "text"] += 1
        return ""
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, inner in value.items():
        if name in fields.parts:
            kept[name] = plainly(fields.parts[name], inner, f"{here}.{name}", gone) if inner else inner
        elif name in fields.whole or inner in (None, "", [], {}):
            kept[name] = inner
        else:
            gone[here, name] += 1
    return kept


@given(FIELDS, VALUES)
def test_fields_keep_and_count_what_the_plain_way_does(fields: Fields, value: Any) -> None:
    before, gone, dropped = deepcopy(value), Counter[tuple[str, str]](), Dropped()
    expected = plainly(fields, value, "x", gone)
    kept = fields(value, "x", dropped)
    assert repr(kept) == repr(expected)  # the order of fields counts, and 0 is not False
    assert repr(value) == repr(before)
    assert (kept is value) == (not gone)
    assert dict(dropped.counts()[1]) == gone


def test_names_that_come_from_outside_are_remembered_within_bounds() -> None:
    fields = Fields("a")
    for number in range(1000):
        assert fields.keep_object({"a": 1, f"x{number}": 2}, "", Dropped()) == {"a": 1}
    long = Fields("a")
    assert long.keep_object({"a": 1, "x" * 10_000: 2}, "", Dropped()) == {"a": 1}
    assert (len(fields._plans), len(long._plans)) == (200, 0)
