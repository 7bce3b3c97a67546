"""Every test that is collected has an id of its own."""

import pytest

from tests.conftest import pytest_itemcollected, refuse_repeats


def test_ids_of_their_own_are_fine():
    refuse_repeats(["a.py::test_one[1]", "a.py::test_one[2]", "b.py::test_one[1]"])


def test_repeated_ids_are_refused_by_name():
    with pytest.raises(pytest.UsageError, match=r"one id: a\.py::test_one \(2 tests\)$"):
        refuse_repeats(["a.py::test_one", "a.py::test_two", "a.py::test_one"])


def test_the_operation_of_a_made_up_request_is_in_the_id(request):
    own = pytest.Function.from_parent(
        request.node.parent,
        name="test_it[GET /x]",
        originalname="test_it",
        callobj=test_ids_of_their_own_are_fine,
    )
    own.operation_label = "GET /x"
    pytest_itemcollected(own)
    assert own.nodeid == "tests/test_collection.py::test_it[GET /x]"
