"""Go's division, against exact integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.go.arithmetic import go_divide

LIMIT = 2**63 - 1
NUMBERS = st.integers(-LIMIT, LIMIT)


def truncated(numerator, denominator):
    quotient = abs(numerator) // abs(denominator)
    return quotient if (numerator < 0) == (denominator < 0) else -quotient


@given(st.lists(st.tuples(NUMBERS, NUMBERS.filter(bool))))
def test_quotients_are_truncated_towards_zero(pairs):
    numerators = np.array([one for one, _ in pairs], dtype=np.int64)
    denominators = np.array([other for _, other in pairs], dtype=np.int64)
    assert go_divide(numerators, denominators).tolist() == [truncated(*pair) for pair in pairs]


@pytest.mark.parametrize("denominator", [1, 2, 7, -1, -7])
@pytest.mark.parametrize("numerators", [[], [0, 1, 13, LIMIT], [-13, -1, 0, 1, 13]])
def test_one_denominator_may_serve_all(numerators, denominator):
    quotients = go_divide(np.array(numerators, dtype=np.int64), denominator)
    assert quotients.tolist() == [truncated(one, denominator) for one in numerators]
