"""A run whose clock moves: the time of each decision, who waits until when, and why."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import opened, resized
from tests.browser.stages import ties
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

CALLED = 7
"""The decision of the run below by which a node comes, and a pod that was just tried is called back."""


def arriving(name: str, cpu: str, at: float, **fields: Any) -> dict[str, Any]:
    """The edit by which a pod comes at a second of the run."""
    manifest = pod(name, cpu=cpu, **fields)
    del manifest["metadata"]["uid"], manifest["metadata"]["creationTimestamp"]
    return {"op": "add", "at": at, "manifest": manifest}


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """Runs by name, each made once."""
    return {}


@pytest.fixture
def timed(live_stack: Stack, runs: dict[str, int]) -> int:
    """A run with a clock: one pod fits nowhere, one is gated, one finds room that comes too early for it."""
    if "timed" not in runs:
        cluster = listing(node("node-1", cpu="1"), pod("huge", cpu="64"))
        snapshot = import_by_rest(live_stack, "clock", cluster)
        larger = node("node-2", cpu="4")
        del larger["metadata"]["uid"]
        edits = [
            arriving("early", "2", 5),
            arriving("held", "1", 5.2, schedulingGates=[{"name": "quota.example/hold"}]),
            {"op": "add", "at": 5.4, "manifest": larger},
        ]
        scenario = scenario_by_rest(live_stack, snapshot, *edits, driver="timed")
        runs["timed"] = run_by_rest(live_stack, scenario)
    return runs["timed"]


def test_the_clock_stands_beside_the_decision(page: Page, timed: int) -> None:
    opened(page, timed, "?at=3")
    clock = page.locator(".bar .clock")
    expect(clock).to_have_text("0:05.000 of 10:05.400, nothing happens after 5:30.010")
    page.keyboard.press("ArrowLeft")
    expect(clock).to_have_text("0:00.010 of 10:05.400, nothing happens after 5:30.010")
    expect(page.locator("[data-part=at]")).to_have_value("2")


CUT = """() => [...document.querySelectorAll(".bar .clock, .bar .stop-words, .top .crumbs b")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
LINES = """() => new Set([...document.querySelectorAll(
  ".top :is(.brand, .crumbs, .ghost, .quiet, .live-state, .account)")].map((one) => {
    const {top, bottom, height} = one.getBoundingClientRect();
    return height && Math.round((top + bottom) / 8); })).size"""


def test_the_bar_cuts_no_words_and_the_header_of_a_phone_has_two_lines(page: Page, timed: int) -> None:
    for width, lines in ((1440, 1), (1200, 1), (1000, 1), (390, 2)):
        page.set_viewport_size({"width": width, "height": 900})
        opened(page, timed, "?at=3")
        expect(page.locator(".bar .clock")).to_contain_text("nothing happens after")
        assert page.evaluate(CUT) == [], width
        assert page.evaluate(LINES) == lines, width


def test_a_page_that_opens_at_an_instant_says_that_it_reads_until_it_is_there(page: Page, timed: int) -> None:
    held: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []

    def hold(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda message: held.append(message))
        # The server has said all and closed by the time at which the page is given what was held.
        server.on_close(lambda code, reason: None)
        socket.on_message(lambda message: None)

    page.route_web_socket(re.compile("/ws/runs/"), hold)
    page.goto(f"/runs/{timed}/?t=5.3")
    expect(page.locator(".bar .clock")).to_contain_text("reading of 10:05.400")
    expect(page.locator(".inspector .who")).to_have_text("Reading the run")
    expect(page.locator(".inspector .say")).to_have_text("Read so far: 0 of 12 decisions.")
    expect(page.locator(".inspector")).not_to_contain_text("Before the first decision")
    expect(page.locator("[data-part=at]")).to_have_value("")
    for part in (".queue h2", ".map-frame", "[data-part=totals]"):
        expect(page.locator(part)).to_be_hidden()
    page.wait_for_function("() => window.sandtable")
    while not sandtable_is_loaded(page):
        for message in [held.pop(0) for _ in list(held)]:
            sockets[-1].send(message)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.locator(".bar .clock b")).to_have_text("0:05.300")
    expect(page.locator(".map-frame")).to_be_visible()


def sandtable_is_loaded(page: Page) -> bool:
    """Whether the page stands where it opens."""
    return bool(page.evaluate("() => sandtable.reading.loaded"))


def test_a_run_without_a_clock_shows_none(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "still", ties())
    number = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
    opened(page, number, "?at=1")
    expect(page.locator("[data-part=at]")).to_have_value("1")
    expect(page.locator(".bar .clock")).to_be_hidden()
    expect(page.locator("[data-part=step-by]")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"\?at=1$"))
    expect(page.locator(".inspector [role=tab]")).to_have_text(
        ["Filter", "Scores", "Preemption", "Events", "Raw"]
    )


def part_of_queue(page: Page, name: str) -> Locator:
    """A part of the queue by its name in the log."""
    return page.locator(f".queue [data-part={name}]")


def test_the_queue_says_how_long_and_why_each_pod_waits(
    page: Page, timed: int, assert_accessible: Callable[[Page], None]
) -> None:
    opened(page, timed, f"?at={CALLED}")
    expect(part_of_queue(page, "backoff").locator(".queue-note")).to_have_text("in 0.6 s")
    expect(part_of_queue(page, "backoff").locator(".queue-left")).to_be_visible()
    expect(part_of_queue(page, "unschedulable").locator(".queue-note")).to_have_text("for 5.4 s")
    expect(part_of_queue(page, "unschedulable").locator(".queue-why span")).to_have_text(
        [
            "insufficient cpu on 1",
            "since 0:00.010",
            re.compile("wakes: a pod goes or asks for less, a node comes or changes its size"),
            "at the latest 5:30.000",
        ]
    )
    expect(part_of_queue(page, "gated").locator(".queue-why")).to_contain_text(
        "until quota.example/hold goes"
    )
    assert_accessible(page)


def test_the_waiting_tab_is_a_chain_whose_links_lead_to_decisions(
    page: Page, timed: int, assert_accessible: Callable[[Page], None]
) -> None:
    opened(page, timed, f"?at={CALLED}")
    tabs = page.locator(".inspector [role=tab]")
    expect(tabs).to_have_text(["Changes", "Raw"])
    part_of_queue(page, "backoff").locator(".queue-row").click()
    expect(tabs).to_have_text(["Changes", "Waiting", "Raw"])
    page.keyboard.press("2")
    links = page.locator(".chain-link")
    expect(links.nth(0)).to_contain_text("back-off ends")
    expect(links.nth(1)).to_contain_text("woken by the arrival of node-2")
    expect(links.nth(1)).to_contain_text("NodeResourcesFit’s hint says yes: the pod would fit on the node")
    expect(links.nth(3)).to_contain_text("attempt 1: unschedulable")
    assert_accessible(page)
    links.nth(3).get_by_role("button", name="decision 4").click()
    expect(page.locator("[data-part=at]")).to_have_value("4")
    expect(page.get_by_role("tab", name="Waiting")).to_have_attribute("aria-selected", "true")
    expect(links.first).to_contain_text("attempt 1 ends")


def test_the_time_line_is_the_clock_which_has_room_in_the_bar(page: Page, timed: int) -> None:
    opened(page, timed, "?at=1")
    line = page.get_by_role("slider", name="decision")
    expect(line).to_have_attribute("aria-valuetext", re.compile("decision 1 of 12 at 0:00.000: "))
    box = line.bounding_box()
    assert box
    line.click(position={"x": box["width"] * 0.5, "y": 20})
    expect(page.locator("[data-part=at]")).to_have_value("9")
    expect(page.locator(".bar .clock")).to_contain_text("2:45.")
    line.click(position={"x": box["width"] * 5.9 / 330, "y": 20})
    expect(page.locator(".bar .clock")).to_have_text("0:05.410 of 10:05.400, nothing happens after 5:30.010")
    line.click(position={"x": box["width"] - 1, "y": 20})
    expect(page.locator("[data-part=at]")).to_have_value("12")
    bar = page.locator(".bar")
    for width in (1440, 1181, 1000):
        resized(page, width, 900)
        expect(bar.locator(".clock")).to_be_visible()
        assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth"), width


def test_a_step_goes_over_a_second_or_an_event_and_the_address_has_the_clock(page: Page, timed: int) -> None:
    opened(page, timed, f"?at={CALLED - 1}&t=5.3")
    clock, number = page.locator(".bar .clock"), page.locator("[data-part=at]")
    expect(clock).to_contain_text("0:05.300")
    expect(part_of_queue(page, "gated").locator(".queue-note")).to_have_text("for 0.1 s")
    page.get_by_label("step by").select_option("event")
    page.get_by_role("button", name="one event forwards").click()
    expect(number).to_have_value(str(CALLED))
    page.get_by_role("button", name="one event forwards").click()
    expect(number).to_have_value("10")
    page.get_by_role("button", name="one event back").click()
    expect(number).to_have_value(str(CALLED))
    page.get_by_label("step by").select_option("second")
    page.get_by_role("button", name="one second forwards").click()
    expect(clock).to_contain_text("0:06.000")
    expect(number).to_have_value("9")
    expect(page).to_have_url(re.compile(r"\?at=9&t=6$"))
    opened(page, timed, "?t=5.25")
    expect(number).to_have_value(str(CALLED - 1))
    expect(clock).to_contain_text("0:05.250")


def lane(page: Page, name: str) -> Locator:
    """The button by which a lane is folded."""
    return page.get_by_role("button", name=f"lane {name}", exact=True)


def lanes(page: Page) -> list[str]:
    """The lanes from above."""
    heads = page.locator(".lane-head")
    tops = heads.evaluate_all("heads => heads.map(head => [head.offsetTop, head.dataset.lane])")
    return [name for _, name in sorted(tops)]


def test_lanes_are_folded_and_moved_and_stay_so(
    page: Page, timed: int, assert_accessible: Callable[[Page], None]
) -> None:
    opened(page, timed, f"?at={CALLED}")
    assert lanes(page) == ["events", "decisions", "queue", "used"]
    high = page.locator(".time").evaluate("time => time.offsetHeight")
    lane(page, "queue").click()
    expect(lane(page, "queue")).to_have_attribute("aria-expanded", "false")
    expect(lane(page, "queue")).to_be_focused()
    assert page.locator(".time").evaluate("time => time.offsetHeight") < high
    page.get_by_role("button", name="move used up").press("Enter")
    expect(page.locator(".lane-head").nth(2)).to_have_attribute("data-lane", "used")
    assert_accessible(page)
    opened(page, timed, "?at=1")
    assert lanes(page) == ["events", "decisions", "used", "queue"]
    expect(lane(page, "queue")).to_have_attribute("aria-expanded", "false")
    expect(lane(page, "used")).to_have_attribute("aria-expanded", "true")


def test_the_heads_of_the_lanes_say_what_is_so_at_the_readers_instant(page: Page, timed: int) -> None:
    opened(page, timed, f"?at={CALLED}")
    value = page.locator(".lane-head[data-lane=queue] .lane-value")
    expect(value).to_have_text("1 + 1 + 1 = 3")
    page.keyboard.press("Home")
    expect(value).to_have_text("1 wait")
    expect(page.locator(".lane-head[data-lane=used] .lane-value")).to_contain_text("cpu 0 ·")


def test_a_pinned_pod_keeps_its_lane(page: Page, timed: int) -> None:
    opened(page, timed, f"?at={CALLED}")
    part_of_queue(page, "backoff").locator(".queue-row").click()
    early = page.locator(".lane-head", has_text="shop/early")
    expect(early.locator(".lane-value")).to_have_text("back-off, 0.6 s")
    page.get_by_role("button", name="pin shop/early").click()
    part_of_queue(page, "gated").locator(".queue-row").click()
    expect(page.locator(".lane-head", has_text="shop/held").locator(".lane-value")).to_have_text(
        "gated, 0.2 s"
    )
    expect(early).to_be_visible()
    expect(page).to_have_url(re.compile(r"&pod=([^&]+)&pin=(?!\1)"))
    page.reload()
    page.locator("#debugger[data-loaded]").wait_for()
    expect(early).to_be_visible()
    page.get_by_role("button", name="pin shop/early").click()
    expect(early).to_have_count(0)


def test_play_goes_by_the_clock(page: Page, timed: int) -> None:
    opened(page, timed, "?t=0.99")
    clock, number = page.locator(".bar .clock"), page.locator("[data-part=at]")
    speed = page.locator("[data-part=speed]")
    expect(speed).to_have_value("pace-10000")
    speed.select_option("1 s a second")
    assert page.evaluate("() => sandtable.reading.pace") == 1000
    page.evaluate("() => sandtable.reading.set({ pace: 20 })")  # enough time to look before the next decision
    page.get_by_role("button", name="Play").click()
    expect(clock).to_have_text(re.compile(r"^0:0[1-4]\."))
    expect(number).to_have_value("2")
    expect(part_of_queue(page, "unschedulable").locator(".queue-note")).to_have_text(re.compile(r"for [1-4]"))
    page.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile(r"\?at=2&t=[1-4](\.|$)"))
    speed.select_option("1 d a second")
    page.get_by_role("button", name="Play").click()
    expect(number).to_have_value("12")
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_a_part_of_the_clock_is_shown_and_what_is_pressed_there_is_gone_to(page: Page, timed: int) -> None:
    opened(page, timed, "?t=5.3")
    page.get_by_role("button", name="10 s", exact=True).click()
    brush = page.get_by_role("slider", name="shown part", exact=True)
    expect(brush).to_have_attribute("aria-valuetext", "0:00.300 to 0:10.300")
    line = page.get_by_role("slider", name="decision")
    box = line.bounding_box()
    assert box
    line.click(position={"x": box["width"] * 0.8, "y": 20})
    expect(page.locator(".bar .clock")).to_have_text(re.compile(r"^0:08\.(29|30)"))
    page.keyboard.press("End")
    expect(brush).to_have_attribute("aria-valuetext", "5:20.010 to 5:30.010")
