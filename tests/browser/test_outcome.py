"""The outcome of a run says what happened in one sentence, and every figure leads to its decision."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.dashboard.rows import guarded_node, listing
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


@pytest.fixture(scope="module")
def run(live_stack: Stack) -> int:
    """A finished run in which an urgent pod pushed somebody out and two pods failed alike."""
    return run_by_rest(live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "contested")))


def test_the_outcome_is_one_sentence_with_equal_failures_folded(
    page: Page, run: int, assert_accessible_in_both_themes: Check
) -> None:
    page.goto(f"/runs/{run}/outcome/")
    expect(page.locator(".outcome-say")).to_contain_text("1 pod found a node, with 1 eviction")
    expect(page.locator(".flow")).to_be_visible()
    expect(page.locator(".of-causes tbody tr")).to_contain_text(["shop/"])
    expect(page.locator(".failures")).to_contain_text("×2")
    expect(page.locator(".trust")).to_contain_text("all nodes scored")
    page.locator(".plot").first.scroll_into_view_if_needed()
    expect(page.locator(".plot svg").first).to_be_visible()
    assert_accessible_in_both_themes(page)


def test_on_a_phone_why_pods_are_pending_is_read_without_a_scroll_sideways(
    page: Page, run: int, assert_accessible: Check
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/runs/{run}/outcome/")
    row = page.locator("table.of-causes tbody tr").first
    row.scroll_into_view_if_needed()
    for cell in row.locator("td").all():
        expect(cell).to_be_in_viewport(ratio=1)
    assert_accessible(page)


def test_an_incomplete_drain_comes_first_in_red_and_leads_to_its_decision(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "guarded", listing(*guarded_node()))
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot, {"op": "drain", "node": "node-1"}))
    page.goto(f"/runs/{run}/outcome/")
    expect(page.locator(".outcome-say")).to_contain_text("node-1 never gets empty")
    lead = page.locator(".lead").first
    expect(lead).to_contain_text("node-1 never gets empty: shop/search allows no eviction, now or ever.")
    expect(lead.locator(".pip")).to_have_text("✕")
    expect(page.locator(".lead").last).to_contain_text("the same cluster without your edits")
    expect(page.locator(".outcome-say")).not_to_contain_text("Nothing is left pending")
    assert_accessible(page)
    page.locator("#refused td.num a").click()
    expect(page.locator(".badge")).to_have_text("eviction refused")
    expect(page.locator(".trust-line .notice.error")).to_contain_text("Drain of node-1 incomplete")
    page.locator("#debugger[data-loaded]").wait_for()
    assert_accessible(page)


def test_the_first_eviction_leads_into_the_debugger(page: Page, run: int) -> None:
    page.goto(f"/runs/{run}/outcome/")
    page.get_by_text("Where to look:").click()
    row = page.locator(".landmarks li", has_text="First eviction")
    expect(row).to_contain_text("shop/urgent takes the place of shop/cart-1 on node-1")
    address = row.get_by_role("link").get_attribute("href")
    assert address == f"/runs/{run}/?at=1&tab=preemption"


def test_a_pods_page_tells_who_pushed_it_out(page: Page, run: int, assert_accessible: Check) -> None:
    page.goto(f"/runs/{run}/pods/uid-cart-1/")
    expect(page.locator("main .say")).to_contain_text("evicted from node-1 to make room for shop/urgent")
    assert_accessible(page)
    page.goto(f"/runs/{run}/pods/uid-urgent/")
    expect(page.locator("main .say")).to_have_text("It ends on node-1.")
    expect(page.locator("tbody tr").first).to_contain_text("nominated")


def test_a_nodes_page_tells_what_came_and_went(page: Page, run: int, assert_accessible: Check) -> None:
    page.goto(f"/runs/{run}/nodes/node-1/")
    expect(page.locator("tbody tr").first).to_contain_text("shop/cart-1")
    expect(page.locator("aside")).to_contain_text("shop/urgent")
    assert_accessible(page)
