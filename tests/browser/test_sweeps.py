"""The form and the page of a sweep: nothing stands in the way of a keyboard, a screen reader or a phone."""

import re
from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest, scenario_by_rest
from tests.browser.pages import expect_to_fit, resized
from tests.dashboard.test_sweeps import NEW_NODES, NODE, SCORING, small_cluster
from tests.fixtures.stack import Stack, wait_until

Check = Callable[[Page], None]
BROKEN_WORDS = """() => [...document.querySelectorAll("#best thead th")].flatMap(({ firstChild }) =>
    firstChild?.nodeType !== Node.TEXT_NODE ? [] : [...firstChild.data.matchAll(/\\S+/g)].filter((found) => {
        const range = new Range();
        range.setStart(firstChild, found.index);
        range.setEnd(firstChild, found.index + found[0].length);
        return range.getClientRects().length > 1;
    }).map(([word]) => word))"""
"""The words of a table's titles that stand in more than one line."""
WINDOWS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1440, "light"), (390, "dark"))


def test_form_and_page_of_a_sweep_are_accessible_and_fit(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    scenario = scenario_by_rest(live_stack, import_by_rest(live_stack, "sweep", small_cluster()), NODE)
    _, sweep = live_stack.request(
        "POST", f"/api/v1/scenarios/{scenario}/sweeps/", {"dimensions": [SCORING, NEW_NODES]}, who="alice"
    )
    address = f"/api/v1/sweeps/{sweep['id']}/"
    wait_until(lambda: live_stack.request("GET", address, who="alice")[1]["state"] == "ended")
    for shown in (f"/scenarios/{scenario}/sweeps/", f"/sweeps/{sweep['id']}/"):
        page.goto(shown)
        if "/scenarios/" not in shown:
            page.locator("#runs summary").press("Enter")
            page.locator(".sweep-plot").last.scroll_into_view_if_needed()
            expect(page.locator(".sweep-plot svg").last).to_be_visible()
        for width, scheme in WINDOWS:
            page.emulate_media(color_scheme=scheme)
            resized(page, width, 844)
            assert_accessible(page)
            expect_to_fit(page, width)
            if "/scenarios/" not in shown:
                assert page.evaluate(BROKEN_WORDS) == []
    first, second = (
        page.locator(".sweep-grid a[data-run]").first,
        page.locator(".sweep-grid a[data-run]").last,
    )
    runs = [one.get_attribute("data-run") for one in (first, second)]
    first.click(modifiers=["Shift"])
    expect(page.locator("#sweep-chosen")).to_contain_text(f"Run {runs[0]} is taken")
    second.click(modifiers=["Shift"])
    expect(page).to_have_url(re.compile(rf"/compare/\?a={runs[0]}&b={runs[1]}"))
