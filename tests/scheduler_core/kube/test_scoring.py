"""Short ways of scoring lead to where the long ones lead, and scores out of range are found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kube.framework import PluginError
from scheduler_core.kube.plugins import node_resources_balanced_allocation as balanced
from scheduler_core.kube.profile import PluginScore, check_range

FRACTIONS = st.floats(0, 1)
NODE = st.tuples(FRACTIONS, st.booleans(), FRACTIONS, st.booleans())


@given(st.lists(NODE, min_size=1))
def test_two_resources_deviate_as_many_do(nodes):
    one, one_counted, other, other_counted = (np.array(column) for column in zip(*nodes, strict=True))
    given_both = [one, other], [one_counted, other_counted]
    assert balanced._of_two(*given_both).tolist() == balanced._of_many(*given_both).tolist()


def score_of(plugin, *normalized):
    scores = np.array(normalized, dtype=np.int64)
    return PluginScore(plugin, 1, scores, scores)


def test_scores_from_0_to_100_are_in_range():
    check_range([score_of("A", 0, 100), score_of("B", 100, 0)])


@pytest.mark.parametrize("wrong", [-1, 101, -(2**63), 2**63 - 1])
def test_the_first_node_with_a_score_out_of_range_is_named_by_its_first_plugin(wrong):
    scores = [score_of("A", 0, 100, 500), score_of("B", 50, wrong, 0), score_of("C", 1, 700, 1)]
    with pytest.raises(PluginError, match=f'plugin "B".*{wrong}'):
        check_range(scores)
