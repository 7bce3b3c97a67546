"""HAMi's reasons, word by word."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.hami.extender.reasons import count_words, reason_words

SOME = ["3/4 CardInsufficientMemory", "2/4 A, 2/4 B", "1/2 A, 1/2 A", "node unregistered", ""]


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(SOME)))
def test_each_word_counts_the_nodes_against_which_it_stands(reasons):
    nodes = reason_words(reasons)
    counted = count_words(Counter(reasons.values()).items())
    assert counted == {word: len(names) for word, names in nodes.items()}
    assert list(counted) == sorted(nodes)


def test_a_node_with_two_reasons_counts_for_both_words():
    counted = count_words([("2/4 A, 2/4 B", 1), ("4/4 B", 2), ("unknown", 1)])
    assert counted == {"A": 1, "B": 3, "unknown": 1}
