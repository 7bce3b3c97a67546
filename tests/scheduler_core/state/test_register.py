"""Registers whose least value is asked for at each step."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.state.journal import Journal
from scheduler_core.state.register import SortedRegister

writes = st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 9)))


def carry_out(register, changes):
    """Put or drop; each value is told apart by its key."""
    for key, value in changes:
        if value is not None:
            register.put(key, (value, key))
        elif register.get(key) is not None:
            register.drop(key)


def least(register):
    """The key of the least value, found by looking at all."""
    return min(register.values, key=register.values.__getitem__, default=None)


@given(writes, writes)
def test_the_first_is_the_least_after_writing_undoing_and_loading(before, after):
    journal = Journal()
    register = SortedRegister(journal)
    carry_out(register, before)
    assert register.first() == least(register)
    values, mark = dict(register.values), journal.mark()
    carry_out(register, after)
    assert register.first() == least(register)
    journal.undo_to(mark)
    assert (register.values, register.first()) == (values, least(register))
    other = SortedRegister(Journal())
    other.load((key, tuple(value)) for key, value in register.dump())
    assert (other.values, other.first()) == (values, register.first())
