"""Figures on the pages carry units and never round to what they are not."""

import pytest
from django.template.loader import render_to_string

from dashboard.services.over_time import percent_of
from dashboard.templatetags import figures


@pytest.mark.parametrize(
    ("value", "resource", "text"),
    [
        (250, "cpu", "250m"),
        (2000, "cpu", "2"),
        (1_234_500, "cpu", "1,234"),
        (3 * 2**30, "memory", "3 GiB"),
        (1536 * 2**20, "memory", "1.5 GiB"),
        (0, "memory", "0 B"),
        (12_000, "nvidia.com/gpu", "12,000"),
    ],
)
def test_an_amount_is_written_as_an_operator_would(value: int, resource: str, text: str) -> None:
    assert figures.amount(value, resource) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 10, "0 %"),
        (1, 1000, "< 1 %"),
        (999, 1000, "> 99 %"),
        (10, 10, "100 %"),
        (15, 10, "150 %"),
        (1, 0, "–"),
    ],
)
def test_a_share_is_rounded_to_0_or_100_only_when_it_is_that(part: int, whole: int, text: str) -> None:
    assert figures.share(part, whole) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 10, "0 %"), (1, 10_000, "< 0.1 %"), (1, 1000, "0.1 %"), (1, 8, "12.5 %"), (1, 0, "–")],
)
def test_a_share_of_a_whole_run_is_0_only_when_it_is_that(part: int, whole: int, text: str) -> None:
    assert figures.percent(percent_of(part, whole)) == text


@pytest.mark.parametrize(
    ("running", "minimum", "text"),
    [
        (2, 3, "2 of 3 needed"),
        (19, 9, "19 running, 9 needed"),
        (None, 3, "3 needed"),
        (2, None, "2 running"),
        (None, None, "–"),
    ],
)
def test_a_gang_may_run_more_pods_than_it_needs(running: int | None, minimum: int | None, text: str) -> None:
    gang = {"running": running, "minimum": minimum}
    assert render_to_string("snapshots/volcano/running_of_needed.html", {"gang": gang}).strip() == text


def test_a_meter_says_its_figure_to_those_who_do_not_see_it() -> None:
    markup = figures.meter(3, 4, 'cpu: 3 of "4"')
    assert 'aria-label="cpu: 3 of &quot;4&quot;"' in markup
    assert 'width="75.00%"' in markup


def test_a_warning_splits_into_its_sentence_and_its_command() -> None:
    assert figures.before_command("No Nodes. Add them: kubectl get nodes") == (
        "No Nodes. Add them:",
        "kubectl get nodes",
    )
    assert figures.before_command("2 Foo are not understood.") == ("2 Foo are not understood.", "")


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        ("scheduled", "placed"),
        ("refused", "eviction refused"),
        ("discarded", "taken back"),
        ("of tomorrow", "of tomorrow"),
    ],
)
def test_an_outcome_is_called_as_the_debugger_calls_it(outcome: str, word: str) -> None:
    assert figures.outcome_word(outcome) == word
