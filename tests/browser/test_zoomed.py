"""At 200 % zoom a window has half the pixels: nothing is squeezed until it says nothing, or overlaps."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_to_fit, opened, resized
from tests.browser.test_debugger_clock import arriving
from tests.browser.volcano_clusters import VolcanoRuns
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

SIZES = [(640, 400), (720, 450)]
LEAST_OF_MAP = 200


@pytest.fixture
def zoomed(page_of: Callable[..., Page]) -> Callable[..., Page]:
    """A page of a window of so many pixels, each as four on the screen."""

    def open_page(width: int, height: int) -> Page:
        return page_of("alice", viewport={"width": width, "height": height}, device_scale_factor=2)

    return open_page


@pytest.fixture(scope="module")
def timed(live_stack: Stack) -> tuple[int, int]:
    """A scenario and its run, in which pods come while a clock moves."""
    cluster = listing(node("node-1", cpu="1"), node("node-2", cpu="2"), pod("huge", cpu="64"))
    scale = {"op": "scale", "kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2}
    edits = [arriving("early", "1", 5), arriving("late", "1", 7)]
    scenario = scenario_by_rest(
        live_stack, import_by_rest(live_stack, "zoomed", cluster), *edits, {**scale, "enabled": False},
        driver="timed",
    )  # fmt: skip
    return scenario, run_by_rest(live_stack, scenario)


def box(target: Locator) -> dict[str, float]:
    """Where something is on the page."""
    found = target.bounding_box()
    assert found is not None
    return dict(found)


def is_apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share no pixel."""
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    return beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]


def cut(target: Locator) -> list[str]:
    """Of these elements those that are wider than they are shown, by their text."""
    is_cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"
    found: list[str] = target.evaluate_all(is_cut)
    return found


def test_map_choices_and_time_line_have_their_room(
    zoomed: Callable[..., Page], timed: tuple[int, int]
) -> None:
    page = opened(zoomed(*SIZES[0]), timed[1], "?at=2")
    for width, height in SIZES:
        resized(page, width, height)
        assert box(page.locator("[data-part=map-frame]"))["height"] >= LEAST_OF_MAP
        assert cut(page.locator(".cluster-head :is(select, button, .segments)")) == []
        presets, line = page.locator("[data-part=presets]"), page.locator("[data-part=minimap]")
        assert is_apart(box(presets), box(line))
        assert is_apart(box(presets), box(page.locator(".time-shown")))
        page.locator(".stop-menu > summary").click()
        expect_to_fit(page, width)
        page.keyboard.press("Escape")


def test_the_switch_of_an_edit_covers_no_label(zoomed: Callable[..., Page], timed: tuple[int, int]) -> None:
    page = zoomed(*SIZES[1])
    page.goto(f"/scenarios/{timed[0]}/")
    edits = page.locator(".edit")
    for place in (0, 2):
        edit = edits.nth(place)
        edit.locator(".edit-toggle").click()
        labels = edit.locator(".edit-side label")
        labels.first.wait_for()
        switch = box(edit.locator(".segments"))
        covered: list[Any] = [one.inner_text() for one in labels.all() if not is_apart(switch, box(one))]
        assert covered == []


def test_the_tables_of_a_gang_are_whole(page_of: Callable[..., Page], volcano_runs: VolcanoRuns) -> None:
    page = page_of("alice", viewport={"width": 390, "height": 844})
    opened(page, volcano_runs["statement"], "?at=5&tab=gang")
    page.locator(".gang-sessions").wait_for()
    assert cut(page.locator(".inspector .table-scroll")) == []
