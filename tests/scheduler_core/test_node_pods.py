"""What pods ask for, added up on nodes a column at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.state.node_pods import add_requests

AMOUNTS = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2)


@given(
    st.lists(AMOUNTS, min_size=3, max_size=3),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2))),
    st.sampled_from([1, -1]),
)
def test_amounts_add_up_as_64_bits_do_however_often_a_node_occurs(requests, placed, sign):
    amounts = np.array(requests, dtype=np.int64)
    requested = np.zeros((4, 2), np.int64, "F")
    nodes = np.array([node for node, _ in placed], dtype=np.int64)
    pods = np.array([pod for _, pod in placed], dtype=np.int64)
    expected = requested.copy()
    for node, pod in placed:
        expected[node] += sign * amounts[pod]
    add_requests(requested, nodes, amounts, pods, sign)
    assert requested.tolist() == expected.tolist()
