"""Figures on the pages carry units and never round to what they are not."""

import json
from pathlib import Path

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

from dashboard.amounts import percent
from dashboard.services.results.axis import percent_of
from dashboard.templatetags import figures
from dashboard.templatetags.screen import icon_markup
from tests.cases import for_each

VECTORS = Path(__file__).parent.parent / "vectors"
AMOUNTS = json.loads((VECTORS / "amounts.json").read_text())
PERCENTS = json.loads((VECTORS / "percents.json").read_text())


@for_each(map(tuple, AMOUNTS))
def test_an_amount_is_written_by_the_one_rule(resource: str, value: float | None, text: str) -> None:
    page = Template("{% load figures %}{{ value|amount:resource }}").render(
        Context({"value": value, "resource": resource}, autoescape=False)
    )
    assert page == text


@for_each(map(tuple, PERCENTS))
def test_a_share_is_written_by_the_one_rule(share: float | None, text: str, whole: str) -> None:
    assert (percent(share), percent(share, 0)) == (text, whole)


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 10, "0 %"),
        (1, 1000, "<1 %"),
        (999, 1000, ">99 %"),
        (10, 10, "100 %"),
        (15, 10, "150 %"),
        (1, 0, "–"),
    ],
)
def test_a_share_is_rounded_to_0_or_100_only_when_it_is_that(part: int, whole: int, text: str) -> None:
    assert figures.share(part, whole) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 10, "0 %"), (1, 10_000, "<0.1 %"), (1, 1000, "0.1 %"), (1, 8, "12.5 %"), (1, 0, "–")],
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
    assert render_to_string("kinds/volcano/snapshots/running_of_needed.html", {"gang": gang}).strip() == text


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


def test_means_above_a_thousand_are_grouped_as_whole_numbers_are() -> None:
    queue = {"longest": {"pods": 1782, "seq": 0, "time": None}, "mean": 1065.97}
    over = {"axis": "decision", "queue": queue}
    page = render_to_string("runs/over_time.html", {"over": over, "run": {"pk": 1}})
    assert "1,065.97 on average" in page


@pytest.mark.parametrize("outcome", figures.OUTCOME_WORDS)
def test_the_icon_of_every_outcome_can_be_drawn(outcome: str) -> None:
    assert icon_markup(figures.outcome_icon(outcome))


def test_a_label_of_a_resource_keeps_the_part_by_which_resources_of_one_domain_differ() -> None:
    whole = '<span class="muted resource-name" title="nvidia.com/gpu">nvidia.com/gpu</span>'
    assert figures.resource_name("nvidia.com/gpu") == whole
    assert figures.resource_name("volcano.sh/vgpu-memory").endswith(
        'title="volcano.sh/vgpu-memory">…/vgpu-memory</span>'
    )
    assert figures.resource_name("a-name-without-a-domain").endswith(">a-name-without-a-domain</span>")
    assert "&lt;b&gt;/x" in figures.resource_name("<b>/x")
