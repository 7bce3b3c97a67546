"""The first page: what ran, what to try, and colours as the reader wants them."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def test_a_finished_run_opens_its_outcome(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "home")))
    page.goto("/")
    line = page.locator(".run-line", has=page.locator(f"a[href='/runs/{run}/outcome/']"))
    expect(line).to_contain_text("1 eviction")
    assert_accessible(page)
    line.get_by_role("link", name="what if").click()
    expect(page).to_have_url(f"{live_stack.url}/runs/{run}/outcome/")


def test_a_cluster_is_asked_whether_a_node_can_be_drained(page: Page, live_stack: Stack) -> None:
    import_by_rest(live_stack, "asked-first")
    asked = import_by_rest(live_stack, "asked-next")
    page.goto(f"/?of={asked}")
    expect(page.locator(".asked-of summary")).to_contain_text("asked-next")
    page.get_by_label("A node").fill("node-1")
    page.locator(".ask", has_text="Can I drain it?").get_by_role("button", name="Ask").click()
    page.wait_for_url(re.compile(rf"/snapshots/{asked}/rehearsal/"))
    expect(page.locator(".rehearsal-lead h2")).to_contain_text("node-1 can be drained")


def test_the_switch_goes_through_the_themes_and_is_remembered(page_of: Callable[..., Page]) -> None:
    page = page_of("alice", color_scheme="dark")
    page.goto("/")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    page.locator("[data-theme-switch]").click()
    expect(root).to_have_attribute("data-theme", "light")
    page.goto("/snapshots/")
    expect(root).to_have_attribute("data-theme", "light")
    page.locator("[data-theme-switch]").click()
    page.locator("[data-theme-switch]").click()
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-theme-choice", "system")


def test_the_page_is_readable_on_a_phone(page_of: Callable[..., Page]) -> None:
    page = page_of("bob", viewport={"width": 390, "height": 844})
    for address in ("/", "/snapshots/", "/scenarios/", "/runs/"):
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, f"{address} is {width} pixels wide"


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
