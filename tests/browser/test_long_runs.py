"""A run of which the page holds only a part: opened anywhere, left at both ends, followed to its end."""

import re

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.pages import opened
from tests.browser.stages import crowd
from tests.browser.test_debugger import run_of
from tests.browser.test_live_runs import decision, started
from tests.fixtures.stack import Stack

HELD = {"CAPACITY": 60, "BEFORE": 20, "AHEAD": 30}


def hold_little(page: Page) -> None:
    """Let the page hold 60 decisions instead of 50,000."""

    def answer(route: Route) -> None:
        text = route.fetch().text()
        for name, number in HELD.items():
            text, found = re.subn(rf"\b{name} = [\d_]+", f"{name} = {number}", text)
            assert found == 1, name
        route.fulfill(body=text, content_type="text/javascript")

    page.route(re.compile(r"/js/debugger/log/window(\.\w+)?\.js"), answer)


def states_asked(page: Page) -> list[str]:
    """The states that the page asks for from now on."""
    asked: list[str] = []
    page.on(
        "request", lambda request: "/state/" in request.url and asked.append(request.url.partition("?")[2])
    )
    return asked


def totals(page: Page) -> Locator:
    return page.locator("[data-part=totals]")


def test_a_long_run_is_opened_anywhere_and_left_at_both_ends(page: Page, live_stack: Stack) -> None:
    run = run_of(live_stack, "long", crowd(20, 130))
    hold_little(page)
    asked = states_asked(page)
    opened(page, run, "?at=90")
    expect(page.locator("[data-part=of]")).to_have_text("of 130")
    expect(page.locator(".inspector .who-name")).to_have_text("shop/web-00089")
    expect(totals(page)).to_have_text(
        "placed 20 since decision 70 · evicted 0 since decision 70 · pending 40"
    )
    page.get_by_label("the whole run").fill("40")
    expect(decision(page)).to_have_value("40")
    expect(page.locator(".inspector .who-name")).to_have_text("shop/web-00039")
    decision(page).fill("21")
    decision(page).press("Enter")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".inspector .who-name")).to_have_text("shop/web-00019")
    expect(totals(page)).to_have_text("placed 20 · evicted 0 · pending 110")
    page.keyboard.press("End")
    expect(totals(page)).to_have_text(re.compile("pending 0$"))
    page.keyboard.press("Home")
    expect(totals(page)).to_have_text("placed 0 · evicted 0 · pending 130")
    assert asked[:4] == ["at=70", "at=20", "at=0", "at=110"]


def test_who_follows_a_long_run_misses_nothing_and_holds_only_its_end(page: Page, live_stack: Stack) -> None:
    run = started(live_stack, crowd(20, 160), rate=60)
    hold_little(page)
    opened(page, run)
    page.keyboard.press("f")
    expect(page.locator("[data-part=live]")).to_have_text("finished")
    expect(decision(page)).to_have_value("160")
    expect(page.locator("[data-part=of]")).to_have_text("of 160")
    expect(totals(page)).to_have_text(re.compile(r"^placed \d+ since decision \d+ · .* · pending 0$"))
    page.wait_for_function("() => sandtable.log.first >= 60 && sandtable.log.first < 160")
