"""Takes the README's pictures from the real pages: ``python docs/images/take.py``.

Starts everything on a folder and a port of its own, loads the samples, waits for the runs, and opens the
debugger in Chromium.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import django
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.fixtures.browser import FLAGS, chromium_path  # noqa: E402
from tests.fixtures.stack import Stack, running_stack  # noqa: E402

PICTURES = {
    "debugger-light.png": ("light", "/runs/1/?at=4&tab=preemption&node=node-c1"),
    "debugger-dark.png": ("dark", "/runs/1/?at=4&tab=preemption&node=node-c1"),
    "trace.png": ("light", "/runs/6/?at=7000&tab=filter"),
}
SIZE = {"width": 1440, "height": 900}
SETTLE_MILLISECONDS = 4000
RUN_SECONDS = 300


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, running_stack(Path(folder)) as stack:
        stack.manage("load_samples")
        _wait_for_runs(stack)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
            for name, (scheme, address) in PICTURES.items():
                context = browser.new_context(viewport=SIZE, base_url=stack.url, color_scheme=scheme)
                _take(context.new_page(), stack, address, FOLDER / name)
            browser.close()


def _wait_for_runs(stack: Stack) -> None:
    deadline = time.monotonic() + RUN_SECONDS
    while time.monotonic() < deadline:
        runs = stack.request("GET", "/api/v1/runs/")[1]["results"]
        if all(run["status"] == "finished" for run in runs):
            return
        time.sleep(1)
    raise TimeoutError("the runs did not finish")


def _take(page: Page, stack: Stack, address: str, target: Path) -> None:
    page.goto(stack.sign_in_link())
    page.get_by_role("button", name="Sign in").click()
    page.goto(address)
    page.wait_for_selector("#debugger[data-loaded=yes]")
    page.wait_for_timeout(SETTLE_MILLISECONDS)
    page.screenshot(path=target)


if __name__ == "__main__":
    main()
