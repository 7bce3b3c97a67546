"""The map of few nodes, of failed nodes and of freed room, and that the table says the same in words."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from samples.teaching.sample import teaching_scenarios
from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_other_picture, opened
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack, wait_until
from tests.samples.builders import teaching_objects

Check = Callable[[Page], None]
FAILS, GONE, WOKEN, BOUND = 4, 10, 11, 12
"""Decisions of the run below: node-1 fails, `job` is gone, that wakes `late`, which is bound."""
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
FAILURE = {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """Runs by name, each made once."""
    return {}


@pytest.fixture
def teaching(live_stack: Stack, runs: dict[str, int]) -> int:
    """The teaching sample's first run."""
    if "teaching" not in runs:
        snapshot = import_by_rest(live_stack, "teaching", listing(*teaching_objects()))
        _, edits = teaching_scenarios()[0]
        runs["teaching"] = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot, *edits))
    return runs["teaching"]


def arriving(name: str, cpu: str, at: float, **fields: Any) -> dict[str, Any]:
    """The edit by which a pod comes at a second of the run."""
    manifest = pod(name, cpu=cpu)
    del manifest["metadata"]["uid"], manifest["metadata"]["creationTimestamp"]
    return {"op": "add", "at": at, "manifest": manifest, **fields}


@pytest.fixture
def failing(live_stack: Stack, runs: dict[str, int]) -> int:
    """A run with a clock: node-1 fails at 20 s; at 36.01 s `job` is gone from node-2."""
    if "failing" not in runs:
        cluster = listing(
            node("node-1", cpu="1"), node("node-2", cpu="2"), pod("cart", node="node-1", cpu="1")
        )
        edits = [
            arriving("job", "1500m", 6, duration=30),
            {"op": "patch", "kind": "Node", "name": "node-1", "at": 20, "patch": FAILURE},
            arriving("late", "1", 25),
        ]
        snapshot = import_by_rest(live_stack, "failing", cluster)
        runs["scenario"] = scenario_by_rest(live_stack, snapshot, *edits, driver="timed", name="failing")
        runs["failing"] = run_by_rest(live_stack, runs["scenario"])
    return runs["failing"]


def said_of(page: Page, name: str) -> Locator:
    """What the table says of a node at this decision."""
    return page.locator(".map-table tbody tr").filter(has_text=name).locator(".role")


def legend(page: Page) -> Locator:
    return page.locator("[data-part=legend]")


def test_each_tile_of_few_nodes_says_its_own_verdict(
    page: Page, teaching: int, assert_accessible_in_both_themes: Check
) -> None:
    opened(page, teaching, "?at=4")
    assert page.evaluate("sandtable.map.layout.isTall")
    expect(legend(page)).to_contain_text("placed at decision 3")
    assert_accessible_in_both_themes(page)
    page.get_by_role("button", name="table", exact=True).click()
    expect(said_of(page, "node-c1")).to_contain_text("chosen: highest victim 300")
    expect(said_of(page, "node-a1")).to_contain_text("candidate, lost: highest victim 500")
    expect(said_of(page, "node-c2")).to_contain_text("candidate, lost: budget violations 1")
    expect(said_of(page, "node-b1")).to_contain_text("no help: still 100m cpu short")
    expect(said_of(page, "gpu-a3")).to_contain_text("taint nvidia.com/gpu not tolerated")
    expect(said_of(page, "node-b3")).to_contain_text("cordoned: unschedulable")
    assert_accessible_in_both_themes(page)


def test_verdicts_come_also_when_the_window_makes_room_for_them(page: Page, teaching: int) -> None:
    opened(page, teaching, "?at=4")
    page.evaluate("sandtable.map.canvas.parentElement.style.height = '200px'")
    wait_until(lambda: page.evaluate("!sandtable.map.layout.isTall && sandtable.map.verdicts.size === 0"))
    page.evaluate("sandtable.map.canvas.parentElement.style.height = ''")
    wait_until(lambda: page.evaluate("sandtable.map.layout.isTall && sandtable.map.verdicts.size === 8"))


POINTS = """uid => {
  const { map } = sandtable;
  const pod = map.fold.podIndex.get(uid);
  for (let y = 2; y < map.viewport.height; y += 6)
    for (let x = 2; x < map.viewport.width; x += 12) if (map.hit({ x, y }).pod === pod) return { x, y };
}"""


def test_a_press_on_a_pod_in_the_stack_selects_it(page: Page, teaching: int) -> None:
    opened(page, teaching, "?at=4")
    victim, taker = "thumbnails-1", "api-1"
    for name in (victim, taker, "closing-report"):
        uid = page.evaluate("name => sandtable.fold.pods.find(pod => pod.name === name).uid", name)
        at = page.evaluate(POINTS, uid)
        assert at, name
        page.locator("[data-part=map]").click(position=at)
        if name != victim:
            expect(page.locator(".pod-card")).to_contain_text(name)


def test_who_leaves_and_who_takes_the_room_stand_side_by_side(page: Page, teaching: int) -> None:
    opened(page, teaching, "?at=4")
    uids = [
        page.evaluate("name => sandtable.fold.pods.find(pod => pod.name === name).uid", name)
        for name in ("thumbnails-1", "api-1")
    ]
    leaving, taking = (page.evaluate(POINTS, uid) for uid in uids)
    assert taking["x"] > leaving["x"]
    assert abs(taking["y"] - leaving["y"]) < 40


def test_a_failed_node_says_for_how_long_with_the_running_clock(
    page: Page, failing: int, assert_accessible: Check
) -> None:
    opened(page, failing, f"?at={FAILS}&t=20.5")
    expect(legend(page)).to_contain_text("failed node, pods on it")
    assert_accessible(page)
    before = page.locator("[data-part=map]").screenshot()
    page.get_by_role("button", name="table", exact=True).click()
    expect(said_of(page, "node-1")).to_contain_text("NotReady 0:00")
    page.get_by_label("step by").select_option("second")
    page.get_by_role("button", name="one second forwards").click()
    expect(said_of(page, "node-1")).to_contain_text("NotReady 0:01")
    page.get_by_role("button", name="map", exact=True).click()
    wait_until(
        lambda: page.evaluate(
            "sandtable.map.footOf(sandtable.fold.nodeIndex.get('node-1')).words === 'NotReady 0:01'"
        )
    )
    expect_other_picture(page, before)
    opened(page, failing, f"?at={FAILS - 1}")
    expect(legend(page)).not_to_contain_text("failed node")


def test_freed_room_is_ringed_as_long_as_the_cause_is_shown(page: Page, failing: int) -> None:
    for number, is_freed in ((GONE - 1, False), (GONE, True), (WOKEN, True), (BOUND, False)):
        opened(page, failing, f"?at={number}")
        freed = "[...sandtable.map.marks.freed.values()].map(({ cpu }) => cpu).join()"
        page.wait_for_function(f"wanted => {freed} === wanted", arg="1500" if is_freed else "")
        if is_freed:
            expect(legend(page)).to_contain_text("room just freed")


def test_on_a_phone_the_map_is_readable_and_a_finger_on_it_scrolls_the_page(
    page_of: Callable[..., Page], teaching: int
) -> None:
    page = opened(page_of("alice", **PHONE), teaching, "?at=4")
    tile = page.evaluate("sandtable.map.layout.isTall && sandtable.map.layout.tile")
    assert tile
    assert tile["w"] > 160
    assert tile["h"] > 140
    canvas = page.locator("[data-part=map]")
    expect(canvas).to_have_css("touch-action", "pan-y")
    page.get_by_role("button", name="zoom in").tap()
    expect(canvas).to_have_css("touch-action", "none")
    expect(legend(page)).to_contain_text("nominated")
    box = legend(page).bounding_box()
    assert box
    assert box["x"] + box["width"] <= 390
    assert legend(page).evaluate("legend => legend.scrollWidth <= legend.clientWidth")


def test_an_edits_words_have_room_on_a_phone(
    page_of: Callable[..., Page], failing: int, runs: dict[str, int], assert_accessible: Check
) -> None:
    page = page_of("alice", **PHONE)
    page.goto(f"/scenarios/{runs['scenario']}/")
    sentence = page.locator(".edit .edit-sentence").nth(1)
    expect(sentence).to_have_text("Patch Node node-1: status.conditions")
    box = sentence.bounding_box()
    assert box
    assert box["height"] < 60, "on two lines"
    page.locator(".edit .edit-toggle").nth(1).click()
    body = page.locator(".edit-body").nth(1)
    expect(body.get_by_label("Merge patch")).to_be_visible()
    for field in body.locator("input, textarea, select").all():
        if field.is_visible():
            place = field.bounding_box()
            assert place
            assert place["width"] > 280
    tools = page.locator(".edit-tools").nth(1).bounding_box()
    assert tools
    assert tools["x"] + tools["width"] <= 390
    assert_accessible(page)
