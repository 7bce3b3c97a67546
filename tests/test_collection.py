"""Every test that is collected has an id of its own, and those that ask the shared stack come last."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, seed, settings
from hypothesis import strategies as st

from tests.conftest import pytest_itemcollected, refuse_repeats
from tests.fixtures import stack


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


def test_a_property_is_not_refused_because_its_first_draws_were_unlucky():
    held = []

    @seed(1)
    @settings(database=None)
    @given(st.integers(0, 1000))
    def is_about_few(number):
        assume(number % 20 == 7)
        held.append(number)

    is_about_few()
    assert held


def test_files_that_ask_the_shared_stack_come_last():
    items = [
        SimpleNamespace(path=Path(file), name=name, fixturenames=fixtures)
        for file, name, fixtures in (
            ("pages", "p", ["chromium", "live_stack"]),
            ("small", "a", ["live_stack"]),
            ("large", "b", ["db"]),
            ("alone", "c", ["start_stack"]),
            ("large", "d", ["live_stack"]),
            ("alone", "e", []),
        )
    ]
    stack.pytest_collection_modifyitems(items)
    assert [item.name for item in items] == ["c", "e", "b", "d", "a", "p"]
