"""In a small window and with long names, what tells one thing from another stays in sight."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.hami_clusters import A100, asking, hami_run, machine
from tests.browser.pages import opened
from tests.browser.stages import LONG, wide
from tests.fixtures.stack import Stack

NOTEBOOK = {"width": 1024, "height": 768}
PHONE = {"width": 390, "height": 844}
SCENARIO = "production in Frankfurt, friday evening, what if the second pool loses 12 nodes"

LEADING_SEPARATORS = """lists => {
  const found = { wrapped: 0, leading: [] };
  for (const list of lists) {
    const parts = [...list.children];
    parts.forEach((part, number) => {
      const before = parts[number - 1];
      if (!before || part.offsetTop < before.offsetTop + before.offsetHeight) return;
      found.wrapped += 1;
      if (getComputedStyle(part, "::before").content.includes("·")) found.leading.push(part.textContent);
    });
  }
  return found;
}"""


class Place(NamedTuple):
    """Numbers of a scenario and of its finished run."""

    scenario: int
    run: int


@pytest.fixture(scope="module")
def place(live_stack: Stack) -> Place:
    """A run of a cluster in which all names are long."""
    snapshot = import_by_rest(live_stack, f"snapshot-{LONG}", wide())
    scenario = scenario_by_rest(live_stack, snapshot, name=SCENARIO)
    return Place(scenario, run_by_rest(live_stack, scenario))


def is_whole(element: Locator) -> bool:
    """Whether all that the element says has room in it."""
    return bool(element.evaluate("element => element.scrollWidth <= element.clientWidth"))


def test_no_line_begins_with_a_separator(page_of: Callable[..., Page], place: Place) -> None:
    page = page_of("alice", viewport=PHONE)
    for address in (f"/runs/{place.run}/outcome/", "/"):
        page.goto(address)
        found = page.locator(".dots").evaluate_all(LEADING_SEPARATORS)
        assert found["wrapped"] > 0, address
        assert found["leading"] == [], address


def test_a_pending_name_that_is_cut_says_itself_in_full(page: Page, place: Place) -> None:
    page.goto(f"/scenarios/{place.scenario}/")
    names = page.locator(".pending-name")
    expect(names).to_have_count(2)
    assert names.evaluate_all("names => names.every(name => name.title === name.textContent)")
    assert not is_whole(names.first)


def test_a_scenarios_title_is_whole_on_a_notebook(page_of: Callable[..., Page], place: Place) -> None:
    page = page_of("alice", viewport=NOTEBOOK)
    page.goto(f"/scenarios/{place.scenario}/")
    title = page.get_by_label("Name of the scenario")
    expect(title).to_have_value(SCENARIO)
    assert is_whole(title)
    title.fill(SCENARIO * 2)
    page.get_by_role("button", name="Run", exact=True).focus()
    assert not is_whole(title)
    expect(title).to_have_css("text-overflow", "ellipsis")
    expect(title).to_have_attribute("title", SCENARIO * 2)


def test_the_crumbs_keep_the_number_of_the_run_on_a_notebook(
    page_of: Callable[..., Page], place: Place
) -> None:
    page = page_of("alice", viewport=NOTEBOOK)
    page.goto(f"/runs/{place.run}/outcome/")
    number = page.locator(".crumbs").get_by_text(f"run {place.run}", exact=True)
    assert is_whole(number)
    crumbs, last = page.locator(".crumbs").bounding_box(), number.bounding_box()
    assert crumbs is not None
    assert last is not None
    assert last["x"] + last["width"] <= crumbs["x"] + crumbs["width"]


def test_the_figures_of_workloads_are_in_sight_on_a_phone(page_of: Callable[..., Page], place: Place) -> None:
    page = page_of("alice", viewport=PHONE)
    page.goto(f"/runs/{place.run}/outcome/")
    table = page.locator(".table-wrap", has=page.get_by_role("columnheader", name="Placed", exact=True))
    expect(table).to_contain_text("job.with.a.name")
    assert is_whole(table)


def test_a_nodes_long_name_stays_within_the_tab_of_cards(page: Page, live_stack: Stack) -> None:
    name = f"gpu-worker.{'very-long-name-of-a-node.' * 4}internal"
    objects = [machine("gpu-01", "a100", 8, A100, 81920), machine(name, "a100", 8, A100, 81920)]
    run = hami_run(live_stack, "long-node", [*objects, asking("p", 4096, 10)])
    opened(page, run, "?at=1")
    expect(page.locator(".card-chip", has_text="internal")).to_be_visible()
    assert is_whole(page.locator(".card-chips"))
