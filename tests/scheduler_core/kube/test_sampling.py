"""Where a search for feasible nodes ends."""

import numpy as np

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.sampling import cut
from scheduler_core.state.build import build_state
from scheduler_core.world.setting_up.arrangements import bare_world
from tests.scheduler_core.clusters import node, pod

ORDER = np.array([2, 0, 3, 1])
NOWHERE = np.zeros(4, dtype=np.bool_)


def search(fits, errors=NOWHERE, start=0, enough=4):
    visited, feasible = cut(ORDER, start, np.array(fits), np.array(errors), enough)
    return visited.tolist(), feasible.tolist()


def test_it_ends_at_the_first_feasible_node_beyond_what_is_wanted_which_is_left_out():
    assert search([True] * 4, enough=2) == ([2, 0, 3], [2, 0])


def test_it_begins_where_the_last_one_ended():
    assert search([True] * 4, start=3, enough=1) == ([1, 2], [1])


def test_it_goes_round_where_too_few_fit():
    assert search([False, True, False, False], start=2) == ([3, 1, 2, 0], [1])


def test_it_ends_at_the_first_error():
    assert search([True, True, True, False], errors=[False, False, False, True]) == ([2, 0, 3], [2, 0])


def notes_of_where_searches_go_on(percentage):
    built = build_state([*(node(f"n{number}") for number in range(200)), pod("waiting")])
    profiles = build_profiles({"percentageOfNodesToScore": percentage})
    world = bare_world(built.state, profiles)
    scheduler = world.schedulers[0]
    scheduler.admit(built.pending, built.pending)
    world.step()
    changes = built.state.journal._changes
    return [change.new for change in changes if getattr(change, "table", None) is scheduler._search]


def test_where_the_next_one_begins_is_noted_only_where_that_is_another_node():
    assert notes_of_where_searches_go_on(100) == []
    assert notes_of_where_searches_go_on(60) == [120]
