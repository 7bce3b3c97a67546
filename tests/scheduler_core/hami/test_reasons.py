"""HAMi's reasons, word by word."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.hami.reasons import count_words, reason_words

SOME = ["3/4 CardInsufficientMemory", "2/4 A, 2/4 B", "1/2 A, 1/2 A", "node unregistered", ""]


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(SOME)))
def test_each_word_counts_the_nodes_against_which_it_stands(reasons):
    nodes = reason_words(reasons)
    assert count_words(reasons) == {word: len(names) for word, names in nodes.items()}
    assert list(count_words(reasons)) == sorted(nodes)


def test_a_node_with_two_reasons_counts_for_both_words():
    assert count_words({"n1": "2/4 A, 2/4 B", "n2": "4/4 B", "n3": "unknown"}) == {
        "A": 1,
        "B": 2,
        "unknown": 1,
    }
