"""Turns are a sorted list, whoever comes and goes."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kube.queueing.turns import Turns

places = st.tuples(st.integers(0, 3), st.integers(0, 9))
happenings = st.lists(st.one_of(places, st.sampled_from(["first", "last"])), max_size=60)


@given(st.lists(places, unique=True, max_size=8), happenings)
def test_who_comes_and_goes_leaves_all_others_in_their_order(start, happenings):
    turns, model = Turns(start), sorted(start)
    for what in happenings:
        if isinstance(what, str):
            what = model[0 if what == "first" else -1] if model else None
        if what in model:
            turns.remove(what)
            model.remove(what)
        elif what is not None:
            turns.add(what)
            model = sorted([*model, what])
        assert list(turns) == model
        assert turns.first == (model[0] if model else None)


def test_the_first_of_many_is_taken_and_given_back_without_moving_the_others():
    turns = Turns((number,) for number in range(100))
    listed = turns._places
    turns.remove((0,))
    turns.remove((1,))
    turns.add((1,))
    assert turns._places is listed
    assert len(listed) == 100
    assert turns.first == (1,)
