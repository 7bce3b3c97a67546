"""The debugger in Chromium on the large run: what a reader waits for, and what the page keeps in memory.

A step, a step back and a jump on the time line are made by the real keyboard and mouse. The time runs from
the browser's time stamp of that event to the end of the first frame in which map, queue and inspector show
the decision. Filter verdicts and scores, which the server computes again, come later and have lines of their
own.
"""

import json
import random
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks.figures import Figure
from tests.fixtures.browser import FLAGS, SIZE, chromium_path
from tests.fixtures.stack import Stack

GROUP = "Debugger in Chromium, median of 20"
TIMES = 20
SEED = 1
LOAD_MILLISECONDS = 120_000
REST_MILLISECONDS = 300
HEAP_PARTS = ("usedSize", "embedderHeapUsedSize", "backingStorageSize")
"""Scripts' objects, the page's own (elements and the like), and what lies behind arrays and canvases."""
WATCH = (Path(__file__).parent / "watch.js").read_text()


def measure(stack: Stack, run: int, group: str = GROUP) -> Iterator[Figure]:
    """Open the run and yield the medians."""
    with visited(stack) as page:
        yield from Debugger(page, f"/runs/{run}/", group).measure()


@contextmanager
def visited(stack: Stack) -> Iterator[Page]:
    """Give a page of the stack, signed in, with the stop-watch."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), headless=True, args=FLAGS)
        page = browser.new_context(viewport=SIZE, base_url=stack.url).new_page()
        _sign_in(stack, page)
        page.add_init_script(WATCH)
        yield page
        browser.close()


class Debugger:
    """The page under the stop-watch. `heaps` are the sizes seen so far, in MiB."""

    def __init__(self, page: Page, address: str, group: str = GROUP) -> None:
        self.page = page
        self.address = address
        self.group = group
        self.heaps: list[float] = []
        self.session: CDPSession = page.context.new_cdp_session(page)

    def measure(self) -> Iterator[Figure]:
        """Open the run, go through it in every way, and yield a figure for each."""
        yield self.open("opening the run, whole log read")
        yield self.longest_task("opening the run, the longest task")
        self._go_to(self.page.evaluate("sandtable.log.head") // 2)
        yield from self.steps()
        yield from self.jumps()
        yield from self.heap()

    def open(self, what: str) -> Figure:
        """Open the page and wait until it has read the log; the figure begins with the navigation."""
        self.page.goto(self.address)
        self.page.wait_for_selector("#debugger[data-loaded=yes]", timeout=LOAD_MILLISECONDS)
        took = self.page.evaluate("performance.now()")
        self._look_at_heap()
        return Figure(self.group, what, took, "ms")

    def longest_task(self, what: str) -> Figure:
        """Open the page again; the figure is the longest CPU time for which the browser answers nobody."""
        browser = self.page.context.browser
        assert browser is not None
        browser.start_tracing(page=self.page, categories=["toplevel"])
        self.open(what)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        return Figure(self.group, what, max(_tasks(events)) / 1000, "ms, CPU")

    def steps(self) -> Iterator[Figure]:
        """Go so many decisions back from where the page stands, and forwards again."""
        yield self._median("step back", lambda _: self._press("ArrowLeft"), target="< 100 ms")
        yield self._median("step", lambda _: self._press("ArrowRight"), target="< 100 ms")

    def jumps(self) -> Iterator[Figure]:
        """Jump about on the time line, and wait for what the server computes again."""
        lots = random.Random(SEED)
        shares = [lots.uniform(0.05, 0.95) for _ in range(TIMES)]

        def jump(turn: int) -> None:
            self._press_timeline(shares[turn])

        yield self._median("scrub", jump, target="< 300 ms")
        step = "verdicts and scores after a step"
        yield self._median(step, lambda _: self._press("ArrowRight"), until="evidence")
        shares.reverse()
        yield self._median("verdicts and scores after a jump", jump, until="evidence")

    def heap(self) -> Iterator[Figure]:
        """Say how much memory the page has taken so far."""
        yield Figure(self.group, "page heap, the highest seen", max(self.heaps), "MiB", "< 300 MB")
        self.session.send("HeapProfiler.collectGarbage")
        self._look_at_heap()
        yield Figure(self.group, "page heap after a collection", self.heaps[-1], "MiB")

    def _go_to(self, seq: int) -> None:
        self.page.evaluate("(seq) => sandtable.transport.seek(seq)", seq)
        self.page.wait_for_timeout(1000)

    def _press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def _median(
        self, what: str, act: Callable[[int], None], *, target: str = "", until: str = "shown"
    ) -> Figure:
        """Do it 20 times, letting the page come to rest in between."""
        waits = []
        for turn in range(TIMES):
            self.page.evaluate("(until) => watch.begin(until)", until)
            act(turn)
            waits.append(self.page.evaluate("watch.end()"))
            self._look_at_heap()
            self.page.wait_for_timeout(REST_MILLISECONDS)
        return Figure(self.group, what, statistics.median(waits), "ms", target)

    def _press_timeline(self, share: float) -> None:
        box = self.page.locator("[data-part=minimap]").bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 4)

    def _look_at_heap(self) -> None:
        usage = self.session.send("Runtime.getHeapUsage")
        self.heaps.append(sum(usage.get(part, 0) for part in HEAP_PARTS) / 2**20)


def _sign_in(stack: Stack, page: Page) -> None:
    page.goto(stack.sign_in_link())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def _tasks(events: list[dict[str, Any]]) -> Iterator[int]:
    """Yield the CPU time of each task of the pages' main threads in a trace, in microseconds."""
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    for event in events:
        if (event["pid"], event["tid"]) in main and event["name"].endswith("RunTask"):
            yield event.get("tdur", 0)
