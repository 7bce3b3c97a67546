"""Regular expressions: as Python's own where both read them, and never slow."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.go.regexp import BadPattern, Pattern

ATOMS = st.sampled_from(["a", "b", "-", ".", "[ab]", "[^a]", "[a-c]", r"\d", r"\.", "1", "^", "$", r"\W"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("ab-.1c", max_size=8))
def test_a_text_matches_as_in_python(pattern, text):
    assert Pattern(pattern).is_in(text) == (re.search(pattern.replace("$", r"\Z"), text) is not None)


@pytest.mark.parametrize(
    "pattern", ["(", ")", "a)", "[a", "*", "a**", r"\1", "(?=a)", "(?i)a", "a{2,1}", "a{2000}", "[z-a]", "\\"]
)
def test_what_is_not_read_is_refused(pattern):
    with pytest.raises(BadPattern):
        Pattern(pattern)


def test_a_pattern_that_others_follow_for_ever_comes_to_an_end():
    assert not Pattern("^(a+)+$").is_in("a" * 200 + "b")
    with pytest.raises(BadPattern):
        Pattern("((((a{99}){99}){99}){99})")
