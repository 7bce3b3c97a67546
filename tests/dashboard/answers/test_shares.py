"""Two shares as a picture on one scale."""

from dashboard.answers.printers.shares import shares
from dashboard.answers.sentence import Number, sentence


def test_points_stand_by_how_much_is_held_of_what_is_deserved() -> None:
    half, whole, far = (Number(value, measure="share") for value in (0.5, 1.0, 7.0))
    drawn = shares(sentence(half, " → ", whole))
    assert 'class="before" cx="25.0"' in drawn
    assert 'class="after" cx="50.0"' in drawn
    assert "50 % → 100 %" in drawn
    assert 'class="after" cx="100.0"' in shares(sentence(half, " → ", far)), "the scale ends at twice as much"


def test_of_no_shares_nothing_is_drawn() -> None:
    assert shares([]) == ""
