"""`for_each`: one test of a table of cases."""

import pytest

from tests.cases import for_each


def test_all_cases_are_tried_and_each_that_failed_is_named() -> None:
    tried = []

    @for_each([(1, 1), (1, 2), (2, 2), (2, 1)], lambda case: f"{case[0]} beside {case[1]}")
    def same(one: int, other: int) -> None:
        tried.append((one, other))
        if one < other:
            pytest.fail("less")
        assert one == other

    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases failed") as told:
        same()
    assert len(tried) == 4
    assert [error.__notes__ for error in told.value.exceptions] == [
        ["Case: 1 beside 2"],
        ["Case: 2 beside 1"],
    ]
    assert same.__name__ == "same"


def test_a_table_without_cases_is_refused() -> None:
    with pytest.raises(AssertionError, match="can't fail"):
        for_each([])
