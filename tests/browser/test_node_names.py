"""Clouds name nodes alike at both ends: the pages call them by what tells them apart."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import resized
from tests.browser.stages import alike, cloud, cloud_name
from tests.builders import node, pod
from tests.dashboard.rows import listing
from tests.fixtures.stack import Stack

CHOSEN = cloud_name(0)
RIVAL = cloud_name(1)
WHOLE = re.compile(r"ip-10-|internal")
DRAWN = """
window.drawn = new Set();
const fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
  if (this.canvas.dataset.part === "map") window.drawn.add(text);
  return fillText.call(this, text, ...rest);
};
"""


@pytest.fixture(scope="module")
def runs() -> dict[int, int]:
    """Runs by the number of their nodes, each made once."""
    return {}


@pytest.fixture
def run_with(live_stack: Stack, runs: dict[int, int]) -> Callable[[int], int]:
    """A finished run of a cloud's cluster of so many nodes; decision 1 is a preemption, 3 has scores."""

    def made(nodes: int) -> int:
        if nodes not in runs:
            snapshot = import_by_rest(live_stack, f"cloud-{nodes}", cloud(nodes))
            runs[nodes] = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
        return runs[nodes]

    return made


def opened(page: Page, run: int, query: str = "?at=1") -> Page:
    """The run's page, once its log has been read."""
    page.goto(f"/runs/{run}/{query}")
    page.locator("#debugger[data-loaded]").wait_for()
    return page


def candidates(page: Page) -> Locator:
    return page.locator(".candidates tbody:not([hidden]) tr:not(.lost-by)")


def test_every_tile_says_which_node_it_is(page: Page, run_with: Callable[[int], int]) -> None:
    page.add_init_script(DRAWN)
    opened(page, run_with(12))
    page.wait_for_function("() => ['0-11', '16-14', '32-12'].every((name) => window.drawn.has(name))")
    assert not [text for text in page.evaluate("() => [...window.drawn]") if WHOLE.search(text)]


def test_sentence_lists_and_tables_use_the_short_names(page: Page, run_with: Callable[[int], int]) -> None:
    opened(page, run_with(12))
    expect(page.locator(".say")).to_contain_text("Evicting 1 pod on 0-11 makes room")
    expect(page.locator("[data-part=nominated] .queue-note")).to_have_text("0-11")
    expect(candidates(page).locator("th").first).to_have_text("0-11")
    for tab in ("Scores", "Filter"):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(".tab-panel")).not_to_contain_text(WHOLE)
    page.locator("[data-band*=Insufficient]").click()
    expect(page.locator(".node-list .node-link")).to_have_count(12)
    expect(page.locator(".node-list")).not_to_contain_text(WHOLE)
    page.get_by_role("button", name="table").click()
    expect(page.locator("[data-part=table] tbody th")).to_have_text(
        [f"{subnet}-{host}" for subnet in (0, 16, 32) for host in range(11, 15)]
    )
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("tab", name="Scores").click()
    expect(page.locator(".score-row .node-link").first).to_contain_text("0-11")
    expect(page.locator(".tab-panel")).not_to_contain_text(WHOLE)


def test_the_page_says_what_is_cut_and_one_click_brings_it_back(
    page: Page, run_with: Callable[[int], int]
) -> None:
    opened(page, run_with(12))
    line = page.locator(".names-line")
    expect(line.locator("code")).to_have_text(["ip-10-0-", ".eu-central-1.compute.internal"])
    page.get_by_role("button", name="show whole names").press("Enter")
    expect(page.locator(".say")).to_contain_text(f"Evicting 1 pod on {CHOSEN} makes room")
    expect(candidates(page).locator("th").first).to_have_text(CHOSEN)
    page.keyboard.press("t")
    expect(page.locator("[data-part=table] tbody th").first).to_have_text(CHOSEN)
    page.get_by_role("button", name="shorten them").click()
    expect(candidates(page).locator("th").first).to_have_text("0-11")
    expect(page.locator("[data-part=table] tbody th").first).to_have_text("0-11")


def test_where_a_whole_name_has_no_room_the_tile_keeps_the_telling_part(
    page: Page, run_with: Callable[[int], int]
) -> None:
    page.add_init_script(DRAWN)
    opened(page, run_with(12))
    page.wait_for_function("() => window.drawn.has('0-11')")
    page.evaluate("() => window.drawn.clear()")
    page.get_by_role("button", name="show whole names").click()
    page.wait_for_function("() => window.drawn.has('32-14')")
    names = [text for text in page.evaluate("() => [...window.drawn]") if not text.startswith("✓")]
    assert not [text for text in names if "…" in text]


def test_tooltips_screen_readers_events_copies_and_the_address_have_whole_names(
    page_of: Callable[..., Page], run_with: Callable[[int], int]
) -> None:
    page = page_of("alice", permissions=["clipboard-read", "clipboard-write"])
    opened(page, run_with(12))
    rival = page.locator(".candidates").get_by_role("button", name=RIVAL, exact=True)
    expect(rival).to_have_text("16-11")
    expect(rival).to_have_attribute("title", RIVAL)
    rival.click()
    expect(page).to_have_url(re.compile(f"node={re.escape(RIVAL)}"))
    page.get_by_role("tab", name="Filter").click()
    expect(page.locator(".node-section h3")).to_contain_text(f"Why not {RIVAL}?")
    page.get_by_role("tab", name="Events").click()
    expect(page.locator(".kubectl")).to_contain_text(f"on node {CHOSEN}")
    page.keyboard.press("c")
    expect(page.locator(".announcement")).to_have_text("The decision is copied as Markdown.")
    assert f"Evicting 1 pod on {CHOSEN} makes room" in page.evaluate("() => navigator.clipboard.readText()")


def test_every_candidate_is_a_row_under_the_criterion_at_which_it_lost(
    page: Page, run_with: Callable[[int], int]
) -> None:
    opened(page, run_with(12))
    expect(page.locator(".candidates thead th")).to_have_text(
        ["node", "budget violations", "highest victim", "sum of priorities", "victims", "earliest start"]
    )
    expect(page.locator(".candidates .lost-by")).to_have_text(
        [
            "lost by earliest start: 2",
            "lost by sum of priorities: 2",
            "lost by highest victim: 6",
            "lost by budget violations: 1",
        ]
    )
    expect(candidates(page)).to_have_count(12)
    expect(candidates(page).last.locator("td.cut")).to_have_text("1 lost here")


def test_the_table_of_candidates_fits_the_inspector(page: Page, run_with: Callable[[int], int]) -> None:
    opened(page, run_with(12))
    for width in (1440, 1200, 1024):
        resized(page, width, 800)
        if width < 1181:
            page.locator(".answer").click()
        expect(candidates(page).first).to_be_visible()
        room = "table => table.scrollWidth - table.clientWidth"
        assert page.locator(".candidates").evaluate(room) <= 0, width


def test_the_table_fits_with_a_column_for_equal_candidates_too(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "alike", alike())
    opened(page, run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot)))
    expect(page.locator(".candidates thead th")).to_have_count(7)
    table = page.locator(".candidates")
    for width in (1440, 1280):
        resized(page, width, 800)
        assert table.evaluate("table => table.scrollWidth - table.clientWidth") <= 0, width


def test_many_candidates_are_folded_found_by_short_and_whole_names_and_not_hidden_once_selected(
    page: Page, run_with: Callable[[int], int]
) -> None:
    opened(page, run_with(1500))
    lost = page.locator(".candidates .lost-by", has_text="lost by highest victim: 1,494")
    expect(candidates(page)).to_have_count(7)
    more = lost.get_by_role("button", name="all that lost by highest victim")
    expect(more).to_have_text("93 more")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.press("Enter")
    expect(more).to_be_focused()
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(candidates(page)).to_have_count(100)
    folded = candidates(page).last.locator(".node-link").get_attribute("title")
    for wanted in ("16-11", RIVAL):
        page.keyboard.press("/")
        page.keyboard.type(wanted)
        expect(page.locator("[data-part=found] li").first).to_contain_text("16-11")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"node={re.escape(RIVAL)}"))
        page.keyboard.press("Escape")
        expect(page).not_to_have_url(re.compile("node="))
    page.reload()
    expect(candidates(page)).to_have_count(7)
    opened(page, run_with(1500), f"?at=1&tab=preemption&node={folded}")
    expect(candidates(page)).to_have_count(100)
    expect(page.locator(".candidates .picked .node-link")).to_have_attribute("title", str(folded))


def test_a_stop_at_a_node_takes_its_short_name(page: Page, run_with: Callable[[int], int]) -> None:
    opened(page, run_with(12), "?at=4")
    page.locator(".stop-menu summary").click()
    page.get_by_label("a preemption").uncheck()
    page.get_by_label("the node").fill("0-11")
    page.get_by_label("the node").press("Tab")
    expect(page.locator("[data-part=stop-label]")).to_have_text("0-11")
    page.locator(".stop-jumps").get_by_role("button", name="previous").click()
    expect(page.locator(".say")).to_contain_text("Goes to 0-11")


def test_what_is_typed_into_the_menu_of_stops_outlasts_a_change_of_another_field(
    page: Page, run_with: Callable[[int], int]
) -> None:
    opened(page, run_with(12), "?at=4")
    page.locator(".stop-menu summary").click()
    node, kind = page.get_by_label("the node"), page.get_by_label("a preemption")
    node.fill("0-11")
    kind.evaluate("box => box.click()")
    expect(page.locator("[data-part=stop-label]")).to_have_text("nothing")
    expect(node).to_have_value("0-11")
    kind.press("Space")
    expect(page.locator("[data-part=stop-label]")).to_have_text("preemption, 0-11")
    expect(kind).to_be_focused()
    expect(node).to_have_value(CHOSEN)


def test_two_runs_call_a_node_the_same(page: Page, live_stack: Stack, run_with: Callable[[int], int]) -> None:
    snapshot = import_by_rest(live_stack, "cloud-cordoned", cloud(12))
    other = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot, {"op": "cordon", "node": CHOSEN}))
    page.goto(f"/compare/?a={run_with(12)}&b={other}&at=1")
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    places = [page.locator("[data-sentence=a]"), page.locator("[data-side=a] .now-sentence")]
    others = [page.locator("[data-sentence=b]"), page.locator("[data-side=b] .now-sentence")]
    for place in places:
        expect(place).to_contain_text("Evicting 1 pod on 0-11 makes room")
    for place in others:
        expect(place).to_contain_text("Evicting 1 pod on 16-11 makes room")
    page.get_by_role("button", name="show whole names").click()
    for place in places:
        expect(place).to_contain_text(f"on {CHOSEN} makes room")
    for place in others:
        expect(place).to_contain_text(f"on {RIVAL} makes room")


def test_axe_finds_no_serious_fault_in_both_themes(
    page: Page, run_with: Callable[[int], int], assert_accessible_in_both_themes: Callable[[Page], None]
) -> None:
    opened(page, run_with(12))
    expect(candidates(page)).to_have_count(12)
    assert_accessible_in_both_themes(page)
    page.get_by_role("button", name="show whole names").click()
    expect(candidates(page).locator("th").first).to_have_text(CHOSEN)
    assert_accessible_in_both_themes(page)


def test_a_node_that_stays_is_named_on_one_line_beside_a_long_reason(page: Page, live_stack: Stack) -> None:
    """Names of clouds' nodes would break at each of their hyphens."""
    names = [f"gke-prod-europe-west1-general-pool-{at}-8d2f41c0-24zb" for at in range(2)]
    pods = []
    for at, name in enumerate(names):
        full = pod(f"recommendation-service-canary-{at}", namespace="payments-platform", on=name)
        full["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "3", "memory": "1Gi"}}
        full["metadata"]["ownerReferences"] = [
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "u", "controller": True}
        ]
        pods.append(full)
    items = [*(node(name, cpu="4") for name in names), *pods]
    snapshot = import_by_rest(live_stack, "stay", listing(*items))
    page.goto(f"/snapshots/{snapshot}/consolidation/?nodes=")
    cell = page.locator("#kept td.node-name").first
    expect(cell).to_contain_text("gke-prod-europe-west1-general-pool")
    lines = "cell => { const one = document.createRange(); one.selectNodeContents(cell); return new Set("
    lines += "[...one.getClientRects()].map((box) => Math.round(box.top))).size; }"
    assert cell.evaluate(lines) == 1


def test_how_many_nodes_stay_open_in_a_rehearsal_is_said_whole(page: Page, live_stack: Stack) -> None:
    items = [node(f"n{at}", cpu="4") for at in range(1200)]
    snapshot = import_by_rest(live_stack, "open", listing(*items))
    page.goto(f"/snapshots/{snapshot}/rehearsal/?nodes=n0")
    told = page.get_by_text("1,199 at least, 1,200 before")
    told.wait_for()
    assert told.evaluate("one => one.scrollWidth <= one.clientWidth")
