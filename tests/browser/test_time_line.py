"""The time line of a run without a clock: cards, and the whole run with a brush where it doesn't fit."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.stages import crowd, reprieve
from tests.fixtures.stack import Stack


@pytest.fixture(scope="module")
def long_run(live_stack: Stack) -> int:
    """A run of more decisions than have a column."""
    return run_by_rest(
        live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "long", crowd(4, 400)))
    )


def opened(page: Page, number: int, query: str) -> None:
    """The run's page, once its log has been read."""
    page.goto(f"/runs/{number}/{query}")
    page.locator("#debugger[data-loaded]").wait_for()


def slider(page: Page, name: str) -> Locator:
    """A slider of the brush."""
    return page.get_by_role("slider", name=name, exact=True)


def shown(page: Page, words: str) -> None:
    """Expect which decisions are shown."""
    expect(page.locator(".presets-words")).to_have_text(words)


def drag(page: Page, handle: Locator, by: float) -> None:
    """Drag from the middle of something."""
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by / 2, y)
    page.mouse.move(x + by, y)
    page.mouse.up()


def test_a_small_run_is_a_row_of_cards(
    page: Page, live_stack: Stack, assert_accessible: Callable[[Page], None]
) -> None:
    snapshot = import_by_rest(live_stack, "cards", reprieve())
    opened(page, run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot)), "?at=1")
    cards = page.locator(".time-card")
    expect(cards.nth(0)).to_have_text(re.compile("^1.*urgent.*▼.*evicts 1.*on.*node-1"))
    expect(cards.nth(1)).to_have_text(re.compile("^2.*2nd try.*urgent.*→.*node-1"))
    expect(cards.filter(has_text="huge").first).to_have_text(re.compile("✕.*fits nowhere"))
    expect(page.locator(".time-card.current")).to_have_count(1)
    expect(cards.nth(2)).to_have_class(re.compile("ahead"))
    cards.nth(2).click(force=True)
    expect(page.locator("[data-part=at]")).to_have_value("3")
    expect(cards.nth(2)).to_have_class(re.compile("current"))
    expect(page.get_by_role("slider")).to_have_count(1)
    assert_accessible(page)


def test_the_brush_is_moved_resized_and_drawn_anew(page: Page, long_run: int) -> None:
    opened(page, long_run, "?at=200")
    shown(page, "121 to 280")
    wide = page.locator("[data-part=minimap]").evaluate("minimap => minimap.clientWidth")
    drag(page, slider(page, "shown part"), wide * 50 / 400)
    shown(page, "171 to 330")
    drag(page, slider(page, "end of the shown part"), wide * -40 / 400)
    shown(page, "171 to 290")
    drag(page, slider(page, "beginning of the shown part"), wide * 20 / 400)
    shown(page, "191 to 290")
    expect(page.locator("[data-part=at]")).to_have_value("200")
    box = page.locator("[data-part=minimap]").bounding_box()
    assert box
    page.mouse.move(box["x"] + wide * 40 / 400, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + wide * 90 / 400, box["y"] + 8, steps=3)
    page.mouse.up()
    shown(page, "41 to 90")
    page.mouse.click(box["x"] + wide * 349.5 / 400, box["y"] + 8)
    expect(page.locator("[data-part=at]")).to_have_value("350")
    shown(page, "326 to 375")
    page.get_by_role("slider", name="decision").dblclick()
    shown(page, "1 to 400")


def test_the_wheel_zooms(page: Page, long_run: int) -> None:
    opened(page, long_run, "?at=200")
    shown(page, "121 to 280")
    page.get_by_role("slider", name="decision").hover()
    page.mouse.wheel(0, -347)
    shown(page, "161 to 240")
    page.mouse.wheel(704, 0)
    shown(page, "201 to 280")


def test_the_brush_listens_to_the_keyboard(
    page: Page, long_run: int, assert_accessible: Callable[[Page], None]
) -> None:
    opened(page, long_run, "?at=200")
    assert_accessible(page)
    brush = slider(page, "shown part")
    brush.press("ArrowRight")
    expect(brush).to_have_attribute("aria-valuetext", "137 to 296")
    brush.press("Home")
    expect(brush).to_have_attribute("aria-valuetext", "1 to 160")
    slider(page, "end of the shown part").press("ArrowLeft")
    shown(page, "1 to 144")
    slider(page, "beginning of the shown part").press("ArrowRight")
    shown(page, "15 to 144")
    expect(page.locator("[data-part=at]")).to_have_value("200")
    brush.press("PageDown")
    shown(page, "1 to 130")
    page.get_by_role("button", name="all", exact=True).press("Enter")
    shown(page, "1 to 400")
    expect(page.get_by_role("button", name="all", exact=True)).to_be_focused()


def test_columns_that_are_wide_enough_carry_words(page: Page, long_run: int) -> None:
    opened(page, long_run, "?at=200")
    page.get_by_role("button", name="40", exact=True).click()
    shown(page, "181 to 220")
    expect(page.locator(".time-card").first).to_be_hidden()
    slider(page, "shown part").press("+")
    shown(page, "191 to 210")
    cards = page.locator(".time-card")
    expect(cards).to_have_count(20)
    expect(cards.nth(9)).to_have_text(re.compile("^200.*web-00199.*✕.*fits nowhere"))
    expect(cards.nth(9)).to_have_class(re.compile("current"))


def test_what_is_shown_turns_over_with_the_reader(page: Page, long_run: int) -> None:
    opened(page, long_run, "?at=279")
    shown(page, "200 to 359")
    page.get_by_role("button", name="40", exact=True).click()
    shown(page, "260 to 299")
    page.locator("[data-part=at]").fill("310")
    page.keyboard.press("Enter")
    shown(page, "307 to 346")
    page.keyboard.press("Home")
    shown(page, "1 to 40")
