"""Takes the pictures of the README and the guides from the real pages.

``python docs/images/take.py`` takes all, ``readme`` or ``guides`` behind it those alone, and the name of a
guide that one. Starts everything on a folder and a port of its own. The README's pictures show the samples in
the debugger; those of the guides show the end of the walks in ``tests/browser/guides.py``.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import django
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.browser.guides import ALONE, ENVIRONMENT, GUIDES, Walk, walked_alone  # noqa: E402
from tests.fixtures.browser import ACTION_MILLISECONDS, FLAGS, chromium_path  # noqa: E402
from tests.fixtures.stack import Stack, running_stack  # noqa: E402

PICTURES = {
    "debugger-light.png": ("light", "/runs/1/?at=4&tab=preemption&node=node-c1"),
    "debugger-dark.png": ("dark", "/runs/1/?at=4&tab=preemption&node=node-c1"),
    "trace.png": ("light", "/runs/6/?at=7000&tab=filter"),
}
SIZE = {"width": 1440, "height": 900}
SIZE_OF_GUIDES = {"width": 1200, "height": 760}
SETTLE_MILLISECONDS = 4000
RUN_SECONDS = 300


def main(wanted: list[str]) -> None:
    """Take those that are wanted."""
    guides = [name for name in GUIDES if not wanted or name in wanted or "guides" in wanted]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        if guides:
            _in_a_stack(lambda stack: _take_guides(browser, stack, guides))
        if not wanted or {ALONE, "guides"} & set(wanted):
            _in_a_stack(lambda stack: _take_alone(browser, stack), **ENVIRONMENT)
        if not wanted or "readme" in wanted:
            _in_a_stack(lambda stack: _take_readme(browser, stack))
        browser.close()


def _in_a_stack(take: Callable[[Stack], None], **environment: str) -> None:
    with tempfile.TemporaryDirectory() as folder, running_stack(Path(folder), **environment) as stack:
        take(stack)


def _take_readme(browser: Browser, stack: Stack) -> None:
    stack.manage("load_samples", "--all")
    _wait_for_runs(stack)
    for name, (scheme, address) in PICTURES.items():
        context = browser.new_context(viewport=SIZE, base_url=stack.url, color_scheme=scheme)
        page = context.new_page()
        page.goto(stack.sign_in_link())
        page.get_by_role("button", name="Sign in").click()
        page.goto(address)
        page.wait_for_selector("#debugger[data-loaded=yes]")
        _shoot(page, FOLDER / name)


def _take_guides(browser: Browser, stack: Stack, names: list[str]) -> None:
    stack.add_people()
    for name in names:
        steps, who = GUIDES[name]
        context = browser.new_context(viewport=SIZE_OF_GUIDES, base_url=stack.url, color_scheme="light")
        context.set_default_timeout(ACTION_MILLISECONDS)
        context.add_cookies([stack.cookie_of(who)])
        page = context.new_page()
        steps(Walk(page, stack, name))
        _shoot_guide(page, name)


def _take_alone(browser: Browser, stack: Stack) -> None:
    stack.add_people()
    page = walked_alone(browser, stack, viewport=SIZE_OF_GUIDES, color_scheme="light")
    _shoot_guide(page, ALONE)


def _shoot_guide(page: Page, name: str) -> None:
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); }")
    _shoot(page, FOLDER / "guides" / f"{name}.png")
    page.context.close()


def _shoot(page: Page, target: Path) -> None:
    page.wait_for_timeout(SETTLE_MILLISECONDS)
    page.screenshot(path=target)


def _wait_for_runs(stack: Stack) -> None:
    deadline = time.monotonic() + RUN_SECONDS
    while time.monotonic() < deadline:
        runs = stack.request("GET", "/api/v1/runs/")[1]["results"]
        if all(run["status"] == "finished" for run in runs):
            return
        time.sleep(1)
    raise TimeoutError("the runs did not finish")


if __name__ == "__main__":
    main(sys.argv[1:])
