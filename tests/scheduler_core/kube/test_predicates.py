"""Predicates that are asked together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kube.releases.predicates.predicate import _as_one

codes = st.one_of(st.integers(0, 3), st.integers(0, 2**40))
columns = st.integers(1, 6).flatmap(lambda parts: st.lists(st.tuples(*[codes] * parts), min_size=1))


@given(columns)
def test_combinations_of_codes_are_numbered_in_their_order(answers):
    numbers = _as_one(np.array(answers, dtype=np.int64).T).tolist()
    in_order = sorted(zip(answers, numbers, strict=True))
    distinct = [number for _, number in dict(in_order).items()]
    assert distinct == sorted(set(numbers))
    assert len(set(numbers)) == len(set(answers))
