"""The largest number is found whatever is guessed, and soon where the guess is right."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.world.headroom.largest import largest

numbers = st.integers(0, 60)


@given(numbers, numbers, numbers, st.functions(like=lambda count: 0, returns=st.integers(-3, 70)))
def test_it_is_found_whatever_is_guessed(answer, most, first, placed):
    asked = []

    def holds(count):
        asked.append(count)
        return count <= answer

    low = min(3, answer, most)
    assert largest(low, most, max(first, low + 1), holds, placed) == min(answer, most)
    assert len(asked) == len(set(asked))
    assert all(low < count <= most for count in asked)


def test_three_trials_do_where_the_guess_is_right():
    asked = []

    def holds(count):
        asked.append(count)
        return count <= 300

    assert largest(0, 1000, 901, holds, lambda count: 300) == 300
    assert asked == [901, 300, 301]
