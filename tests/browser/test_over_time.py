"""The outcome page over the run's clock: its pictures, its tables, the way from a point to the debugger."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from plotly.graph_objects import Figure

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_to_fit, resized
from tests.dashboard.rows import budget, listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def arriving(name: str, at: float, duration: float | None = None, **spec: Any) -> dict[str, Any]:
    """The edit by which a pod comes at a second of the run."""
    manifest = pod(name, **spec)
    del manifest["metadata"]["uid"], manifest["metadata"]["creationTimestamp"]
    edit = {"op": "add", "at": at, "manifest": manifest}
    return edit if duration is None else {**edit, "duration": duration}


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """Runs by name, each made once."""
    return {}


@pytest.fixture
def timed(live_stack: Stack, runs: dict[str, int]) -> int:
    """Ten minutes of pods that come and go on two pools, a drain that a budget stops, an edit too late."""
    if "timed" not in runs:
        kept = pod("search-0", node="a-1", cpu="1")
        kept["metadata"]["labels"] = {"app": "search"}
        objects = [
            *(node(f"a-{number}", pool="general") for number in (1, 2)),
            node("b-1", cpu="8", pool="batch"),
            kept,
            pod("huge", cpu="64"),
            budget("search", 0, app="search"),
        ]
        edits = [
            *(arriving(f"job-{number}", 5 + number * 7, duration=120, cpu="2") for number in range(24)),
            {"op": "drain", "node": "a-1", "at": 200},
            {"op": "cordon", "node": "b-1", "at": 900},
            {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "job-0", "at": 300},
        ]
        snapshot = import_by_rest(live_stack, "pools", listing(*objects))
        scenario = scenario_by_rest(live_stack, snapshot, *edits, name="morning", driver="timed", until=600)
        runs["timed"] = run_by_rest(live_stack, scenario)
    return runs["timed"]


def opened(page: Page, run: int) -> Page:
    """The outcome page with its pictures drawn."""
    page.goto(f"/runs/{run}/outcome/", wait_until="commit")
    page.locator("[data-series]").first.scroll_into_view_if_needed()
    expect(page.locator("[data-series] svg.main-svg")).not_to_have_count(0)
    expect(page.locator("[data-png]").first).to_be_enabled()
    return page


def test_the_leads_say_what_did_not_do_what_was_asked(
    page: Page, timed: int, assert_accessible: Check
) -> None:
    opened(page, timed)
    leads = page.locator(".lead.about-not_done .say")
    expect(leads).to_have_count(3)
    expect(leads.nth(0)).to_contain_text("a-1 ")
    expect(leads.nth(1)).to_contain_text("Did not happen: cordon")
    expect(leads.nth(1)).to_contain_text("it asks for 15:00.000, and the run ended at 10:00.000")
    expect(leads.nth(2)).to_contain_text("Pod shop/job-0 was not there at 5:00.000")
    expect(page.locator(".page-head .under")).to_contain_text("ended at 10:00.000, the end of its clock")
    assert_accessible(page)


def test_pictures_come_with_sentences_tables_and_files(page: Page, timed: int) -> None:
    opened(page, timed)
    part = page.locator("section[aria-labelledby=over-time]")
    expect(part).to_contain_text("waited at once")
    expect(part.locator(".share-plot")).to_have_count(3)
    expect(part.locator(".share-head b")).to_have_text(["all nodes", "general", "batch"])
    expect(page.locator("section[aria-labelledby=waits]")).to_contain_text("shop/huge for 10 min 0 s")
    with page.expect_download() as picture:
        part.get_by_role("button", name="PNG", exact=True).first.click()
    assert picture.value.suggested_filename == f"run-{timed}-queue.png"
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as table:
        part.locator("a[href*='table=queue']").first.click()
    assert table.value.suggested_filename == f"run-{timed}-queue.csv"


def test_the_pictures_library_is_loaded_when_a_picture_comes_into_view(page: Page, timed: int) -> None:
    page.set_viewport_size({"width": 760, "height": 200})
    page.goto(f"/runs/{timed}/outcome/")
    expect(page.locator("[data-png]").first).to_be_enabled()
    library = page.locator("script[src*=plotly]")
    expect(library).to_have_count(0)
    page.locator("[data-series]").first.scroll_into_view_if_needed()
    expect(library).to_have_count(1)


def test_plotly_knows_all_that_the_pictures_ask_of_it(page: Page, timed: int) -> None:
    """Plotly's script passes over what it does not know; its Python package refuses it by name."""
    page.set_viewport_size({"width": 1200, "height": 5000})
    opened(page, timed)
    places = page.locator("[data-series], [data-chart]")
    expect(page.locator(".js-plotly-plot")).to_have_count(places.count())
    figures = page.evaluate(
        """() => [...document.querySelectorAll(".js-plotly-plot")].map(
            ({ data, layout }) => JSON.stringify({ data, layout }))"""
    )
    assert len(figures) >= 4
    for figure in map(json.loads, figures):
        Figure(figure)


def test_a_point_opens_the_debugger_at_its_instant(page: Page, timed: int) -> None:
    opened(page, timed)
    part = page.locator("section[aria-labelledby=over-time]")
    part.get_by_text("The same as a table").click()
    row = part.locator(".series-rows tbody tr").nth(5)
    words = row.locator("td").first.inner_text()
    row.get_by_role("link").click()
    page.locator("#debugger[data-loaded]").wait_for()
    clock, _, decision = words.partition(", decision ")
    expect(page.locator(".bar .clock")).to_contain_text(clock)
    expect(page.locator("[data-part=at]")).to_have_value(decision)
    plot = opened(page, timed).locator("#queue-chart")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    triangle = plot.locator(".scatterlayer .point").first.bounding_box()
    assert triangle
    page.mouse.move(triangle["x"] + triangle["width"] / 2, triangle["y"] + triangle["height"] / 2)
    expect(plot.locator(".hoverlayer .hovertext")).to_contain_text("evicted")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(re.compile(rf"/runs/{timed}/\?at=\d+&t=200"))


def test_without_a_clock_the_axis_is_the_decision(page: Page, live_stack: Stack) -> None:
    scenario = scenario_by_rest(live_stack, import_by_rest(live_stack, "still"))
    opened(page, run_by_rest(live_stack, scenario))
    part = page.locator("section[aria-labelledby=over-time]")
    expect(part).to_contain_text("pods waiting, by decision")
    part.get_by_text("The same as a table").click()
    link = part.locator(".series-rows").get_by_role("link").nth(1)
    expect(link).to_have_attribute("href", re.compile(r"\?at=1$"))


def test_it_fits_and_is_accessible_at_any_width_and_in_both_themes(
    page: Page, timed: int, assert_accessible: Check
) -> None:
    opened(page, timed)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    resized(page, 390, 900)
    expect_to_fit(page, 390)
    assert_accessible(page)
