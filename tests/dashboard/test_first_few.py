"""The first of many names, in a sentence."""

import pytest

from dashboard.first_few import first_few


@pytest.mark.parametrize(
    ("number", "says"),
    [(0, ""), (1, "a"), (2, "a, a"), (3, "a, a and 1 more"), (1_002, "a, a and 1,000 more")],
)
def test_others_are_counted(number: int, says: str) -> None:
    assert first_few(["a"] * number, 2) == says
