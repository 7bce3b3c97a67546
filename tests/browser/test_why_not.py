"""At a decision at which a pod fits on no node, map and table say why not, node by node."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import opened
from tests.browser.stages import ZONE
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

NODES = 40


def fitting_nowhere() -> bytes:
    """Forty nodes in two zones: `wide` lacks 1 cpu on node-07 and 4 elsewhere, and 20 nodes are tainted."""
    nodes = [
        node(f"node-{number:02d}", cpu="7" if number == 7 else "4", **{ZONE: "ab"[number % 2]})
        for number in range(NODES)
    ]
    for one in nodes[20:]:
        one["spec"]["taints"] = [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}]
    return listing(*nodes, pod("wide", cpu="8", priority=10), pod("web"))


@pytest.fixture(scope="module")
def run(live_stack: Stack) -> int:
    """The run: decision 1 finds no node for `wide`, decision 2 places `web`."""
    snapshot = import_by_rest(live_stack, "why-not", fitting_nowhere())
    return run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))


def test_what_fits_nowhere_is_told_node_by_node(
    page: Page, run: int, assert_accessible: Callable[[Page], None]
) -> None:
    opened(page, run, "?at=1")
    legend = page.locator("[data-part=legend]")
    expect(legend).to_contain_text("why notshort by up to 50 % of what it asks")
    expect(legend).to_contain_text("without room, and refused for something else")
    expect(legend).to_contain_text("the nearest")
    closest = page.locator(".closest tbody tr").first
    expect(closest).to_contain_text("insufficient cpu")
    expect(closest).to_contain_text("7 cpu")
    page.get_by_role("button", name="table", exact=True).click()
    first = page.locator("[data-part=table] tbody tr").first
    expect(first).to_have_class("nearest")
    expect(first).to_contain_text("the nearest, insufficient cpu, 13 % short")
    heads = page.locator(".table-heads")
    expect(heads).to_contain_text("a 20: insufficient cpu on 10, untolerated taint on 10")
    assert_accessible(page)
    page.keyboard.press("ArrowRight")
    expect(heads).to_have_count(0)
    expect(first).to_contain_text("chosen")
    expect(legend).not_to_contain_text("why not")


def test_the_address_keeps_how_the_cluster_is_shown(page: Page, run: int) -> None:
    opened(page, run, "?at=1")
    group, sort = page.locator("[data-part=group]"), page.locator("[data-part=sort]")
    group.select_option("none")
    sort.select_option("shortfall")
    zoom_in = page.locator("[data-part=zoom-in]")
    zoom_in.click()
    expect(page).to_have_url(re.compile(r"\?at=1&group=none&sort=shortfall&zoom=1\.5%2C0\.\d+%2C0\.\d+"))
    place = "sandtable.map.viewport.place"
    frame = page.locator(".overview-frame")
    shown_before = page.url
    frame.press("ArrowLeft")
    expect(page).not_to_have_url(shown_before)
    expect(page).to_have_url(re.compile("at=1&"))
    page.goto("/runs/")
    page.go_back()
    page.locator("#debugger[data-loaded]").wait_for()
    expect(group).to_have_value("none")
    expect(sort).to_have_value("shortfall")
    page.wait_for_function(f"() => {place}?.startsWith('1.5,')")
    expect(frame).to_be_visible()
    page.locator("[data-part=zoom-fit]").click()
    expect(frame).to_be_hidden()
    page.get_by_role("button", name="table", exact=True).click()
    expect(page).to_have_url(re.compile("\\?at=1&group=none&sort=shortfall&view=table$"))
    page.reload()
    expect(page.locator("[data-part=table] tbody tr").first).to_contain_text("the nearest")
