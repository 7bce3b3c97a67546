"""The answer of runs whose cards stand beside each other."""

import pytest

from dashboard.answers.cards_compared import CardsAt, answer_of_cards
from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Number


def cards(run: int, allocated: float, waiting: int) -> CardsAt:
    return CardsAt(run, f"nodes binpack, cards {run}", 10 * run, None, allocated, 2.0, waiting)


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (
            [cards(1, 87.6, 2)],
            "run 1 has given out 88 % of them; 2 pods have no node.",
        ),
        (
            [cards(1, 88, 1), cards(2, 88.1, 1)],
            "all 2 runs have given out 88 % of them; 1 pod has no node.",
        ),
        (
            [cards(1, 88, 1), cards(2, 80, 6), cards(3, 80, 4)],
            "run 1 (nodes binpack, cards 1) has given out the most, "
            "88 %; run 2 and run 3 the least, 80 %. 1 pod has no node in run 1, 6 in run 2.",
        ),
        (
            [cards(1, 88, 1), cards(2, 88, 6)],
            "all 2 runs have given out 88 %. 1 pod has no node in run 1, 6 in run 2.",
        ),
        (
            [cards(1, 88, 0), cards(2, 80, 0)],
            "run 1 (nodes binpack, cards 1) has given out the most, "
            "88 %; run 2 (nodes binpack, cards 2) the least, 80 %. Every pod has a node in each of them.",
        ),
    ],
)
def test_it_says_who_has_given_out_the_most_and_who_waits(runs: list[CardsAt], said: str) -> None:
    when = "Once pods for 90 % of the cards have arrived, "
    assert plain(answer_of_cards(runs, 90).lead) == when + said


def test_each_figure_of_a_run_leads_to_its_decision() -> None:
    lead = answer_of_cards([cards(1, 88, 1), cards(2, 80, 6)], 90).lead
    places = [part.at for part in lead if isinstance(part, Number) and part.at is not None]
    assert [(place.run, place.seq) for place in places] == [(1, 10), (2, 20), (1, 10), (2, 20)]
