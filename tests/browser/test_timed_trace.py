"""The trace of 149 days with its 8,152 tasks, as a reader opens it: the editor, a run, its clock, its end."""

import re

import pytest
from playwright.sync_api import Page, expect

from samples.openb.sample import openb_arrivals, openb_empty_files
from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.fixtures.stack import Stack

UNTIL = 10_100_000
"""Seconds: a run of 117 days, in which 234 of the tasks come."""
LISTED = 50


PATIENCE = 4 * ACTION_MILLISECONDS
"""Milliseconds: thousands of edits take a busy machine longer than other pages."""


@pytest.fixture
def page(page: Page) -> Page:
    """A page with more patience."""
    page.set_default_timeout(PATIENCE)
    return page


@pytest.fixture(scope="module")
def made() -> dict[str, int]:
    """Scenario and run, each made once."""
    return {}


@pytest.fixture
def trace(live_stack: Stack, made: dict[str, int]) -> dict[str, int]:
    """The sample's scenario with all its edits, and a finished run of it that ends early."""
    if not made:
        [(_, content)] = openb_empty_files()
        snapshot = import_by_rest(live_stack, "trace", content)
        fields = {"name": "trace", "driver": "timed", "until": UNTIL}
        scenario = scenario_by_rest(live_stack, snapshot, *openb_arrivals(), **fields)
        made |= {"scenario": scenario, "run": run_by_rest(live_stack, scenario)}
    return made


def test_a_run_of_months_is_read_from_end_to_end(page: Page, trace: dict[str, int]) -> None:
    page.goto(f"/runs/{trace['run']}/?at=1")
    page.locator("#debugger[data-loaded]").wait_for()
    number, clock = page.locator("[data-part=at]"), page.locator(".bar .clock")
    expect(clock).to_contain_text("0:00.000 of 116 d")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(number).to_have_value("3")
    expect(clock).to_contain_text("0:00.010")
    page.keyboard.press("End")
    expect(clock).to_contain_text(re.compile(r"^116 d .* of 116 d"))
    expect(page.locator("[data-part=of]")).to_have_text(re.compile(r"^of [\d,]+$"))
    last = int(number.input_value())
    assert last > 3 * 234
    page.keyboard.press("ArrowLeft")
    expect(number).to_have_value(str(last - 1))
    page.keyboard.press("Home")
    expect(number).to_have_value("0")
    expect(page.locator(".inspector .edits > li")).to_have_count(LISTED)
    expect(page.locator(".inspector")).to_contain_text("and 8,102 more edits")


def test_the_outcome_lists_the_first_edits_and_counts_the_others(page: Page, trace: dict[str, int]) -> None:
    page.goto(f"/runs/{trace['run']}/outcome/")
    expect(page.locator(".edits-done > li")).to_have_count(LISTED)
    expect(page.locator(".edits-done + p")).to_have_text("and 8,102 more edits")


def test_the_editor_shows_thousands_of_edits(page: Page, trace: dict[str, int]) -> None:
    page.goto(f"/scenarios/{trace['scenario']}/")
    edits = page.locator("[data-edits] > .edit")
    expect(edits).to_have_count(8152, timeout=PATIENCE)
    expect(edits.last.locator(".edit-instant")).to_have_text(re.compile("^at 149 d"))
    edits.last.locator(".edit-toggle").click()
    expect(edits.last.get_by_role("group", name="Show as")).to_be_visible()
