"""Pages as tests open them."""

from playwright.sync_api import Locator, Page

from tests.fixtures.stack import wait_until


def opened(page: Page, run: int, query: str = "") -> Page:
    """The debugger of a run, once its log has been read."""
    page.goto(f"/runs/{run}/{query}")
    page.locator("#debugger[data-loaded]").wait_for()
    return page


def resized(page: Page, width: int, height: int) -> Page:
    """The page in a window of another size, once it has drawn itself for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))")
    return page


def expect_to_fit(page: Page, width: int) -> None:
    """Nothing is wider than the window, once charts have followed its size."""
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)


def expect_other_picture(page: Page, before: bytes) -> bytes:
    """The map is drawn otherwise than it was, which it is with one of the next frames; its picture."""
    drawn = page.locator("[data-part=map]").screenshot
    wait_until(lambda: drawn() != before)
    return drawn()


class Hand:
    """Presses, and counts."""

    def __init__(self) -> None:
        self.clicks = 0

    def press(self, what: Locator) -> None:
        what.click()
        self.clicks += 1
