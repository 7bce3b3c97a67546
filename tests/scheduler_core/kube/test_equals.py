"""Choosing among equal nodes, by their names."""

import random

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kube.tie_breaking import drawn, first
from scheduler_core.state.build import build_state
from tests.scheduler_core.clusters import node

NAMES = [f"node-{number}" for number in (7, 30, 1, 22, 5, 100)]


def nodes_of(names):
    return build_state([node(name) for name in names]).state.nodes


@given(st.permutations(NAMES), st.sets(st.sampled_from(range(len(NAMES))), min_size=1))
def test_each_place_among_equals_is_that_of_a_name(names, rows):
    nodes, equals = nodes_of(names), sorted(rows)
    by_name = [names[nodes.at_place(place, nodes.all[equals])] for place in range(len(equals))]
    assert by_name == sorted(names[row] for row in equals) == nodes.names_of(nodes.all[equals])


def test_the_first_is_taken_without_a_seed_and_every_place_may_be_drawn_with_one():
    assert first(5) == 0
    assert {drawn(seed, 3)(4) for seed in range(50)} == {0, 1, 2, 3}


def test_a_draw_is_that_of_seed_and_turn():
    for turn in range(20):
        expected = random.Random(f"11/{turn}").randrange(1000)
        assert drawn(11, turn)(1000) == drawn(11, turn)(1000) == expected
