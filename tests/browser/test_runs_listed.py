"""The list of runs tells the truth while a run is played, and keeps what somebody does on it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.stages import crowd
from tests.browser.test_live_runs import command, reaches, started
from tests.fixtures.stack import Stack


def test_a_listed_run_is_told_as_it_goes_on(page: Page, live_stack: Stack) -> None:
    run = started(live_stack, crowd(5, 120), rate=2)
    reaches(live_stack, run, 3)
    page.goto("/runs/")
    row = page.locator(f"#run-{run}")
    expect(row.locator(".status")).to_have_text("running")
    page.get_by_label("Search").fill("w")
    page.wait_for_url(re.compile("q=w"))
    tick = row.get_by_role("checkbox")
    tick.check()
    row.get_by_role("link", name=f"run {run}", exact=True).focus()
    page.evaluate("run => (window.tick = document.getElementById(`tick-${run}`))", run)
    first = row.locator("td").nth(6).inner_text()
    expect(row.locator("td").nth(6)).not_to_have_text(first)
    assert page.evaluate("document.activeElement.id") == f"to-{run}"
    command(live_stack, run, "cancel")
    expect(row.locator(".status")).to_have_text("cancelled")
    expect(tick).to_be_checked()
    assert page.evaluate("tick.isConnected")
    expect(page.locator("#going[hx-get]")).to_have_count(0)
    expect(page.get_by_label("Search")).to_have_value("w")
