"""The debugger: step forwards and back, see why, and find the same again at the same address."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_other_picture, opened
from tests.browser.stages import LONG, alike, crowd, guarded, markup, reprieve, ties
from tests.dashboard.rows import guarded_node, listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def run_of(stack: Stack, name: str, content: bytes, *edits: dict[str, object]) -> int:
    """A finished run of a cluster."""
    return run_by_rest(stack, scenario_by_rest(stack, import_by_rest(stack, name, content), *edits))


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """Runs by name, each made once."""
    return {}


@pytest.fixture
def reprieve_run(live_stack: Stack, runs: dict[str, int]) -> int:
    """A run whose first decision is a preemption with a reprieve."""
    if "reprieve" not in runs:
        runs["reprieve"] = run_of(live_stack, "reprieve", reprieve())
    return runs["reprieve"]


def sentence(page: Page) -> Locator:
    """The answer."""
    return page.locator(".inspector .say")


def decision(page: Page) -> Locator:
    """The field with the number of the decision."""
    return page.get_by_label("decision", exact=True).and_(page.locator("input"))


def tab(page: Page, name: str) -> Locator:
    """A tab of the inspector."""
    return page.get_by_role("tab", name=name)


def test_a_finished_run_opens_on_its_first_decision(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    expect(decision(page)).to_have_value("1")
    expect(sentence(page)).to_have_text(
        "Fits on none of 3 nodes. Evicting 1 pod on node-1 makes room: of 2 candidates its highest victim"
        " has the lowest priority (50)."
    )
    expect(page.locator(".trust-line")).to_contain_text("all nodes scored")


def test_keys_step_forwards_and_back(page: Page, reprieve_run: int) -> None:
    page.emulate_media(reduced_motion="no-preference")  # what moved lands softly
    opened(page, reprieve_run)
    page.keyboard.press("ArrowRight")
    expect(sentence(page)).to_contain_text("Takes node-1, the node it was nominated to")
    page.keyboard.press("ArrowLeft")
    expect(sentence(page)).to_contain_text("Evicting 1 pod on node-1")
    page.keyboard.press("Home")
    expect(page.locator(".who")).to_have_text("Before the first decision")
    page.keyboard.press("End")
    expect(page.locator(".badge")).to_have_text("unschedulable")


def test_stepping_back_restores_the_queue_and_the_nodes(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    page.get_by_role("button", name="table").click()
    table = page.get_by_role("region", name="nodes of the cluster")
    # But for what the decision says of each node: the server answers that a moment later.
    cells = table.locator("tbody tr > :not(.role)")
    page.keyboard.press("Home")
    seen = []
    for number in range(4):
        expect(decision(page)).to_have_value(str(number))
        seen.append((cells.all_inner_texts(), page.locator(".queue").inner_text()))
        if number < 3:
            page.keyboard.press("ArrowRight")
    assert "3 of 110" in seen[0][0]
    assert "2 of 110" in seen[1][0]
    assert "3 of 110" not in seen[1][0]
    for number in reversed(range(4)):
        expect(decision(page)).to_have_value(str(number))
        assert (cells.all_inner_texts(), page.locator(".queue").inner_text()) == seen[number]
        page.keyboard.press("ArrowLeft")


def test_the_reprieve_sequence_is_shown_pod_by_pod_and_on_the_tile(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    cards = page.locator(".strip-card")
    expect(cards).to_have_count(3)
    expect(cards.nth(0)).to_contain_text("2 pods")
    expect(cards.nth(1)).to_contain_text("shop/small")
    expect(cards.nth(1)).to_contain_text("back, still fits: reprieved")
    expect(cards.nth(2)).to_contain_text("shop/big")
    expect(cards.nth(2)).to_contain_text("cpu 2 short → victim")
    still = page.locator("[data-part=map]").screenshot()
    cards.nth(1).click()
    expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")
    shown = expect_other_picture(page, still)
    page.keyboard.press("]")
    expect(cards.nth(2)).to_have_attribute("aria-pressed", "true")
    expect_other_picture(page, shown)


def test_candidates_are_rows_with_the_cell_where_each_lost(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    rows = page.locator(".candidates tbody th")
    expect(rows).to_have_text(["node-1", "lost by highest victim: 1", "node-2"])
    lost = page.locator(".candidates td.cut")
    expect(lost).to_have_count(1)
    expect(lost).to_contain_text("500")
    expect(page.locator(".names-line")).to_be_empty()


def test_a_band_lights_its_nodes_and_lists_them_with_numbers(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run, "?at=1&tab=filter")
    bands = page.locator(".band")
    expect(bands).to_have_text(
        [re.compile("3 nodes"), re.compile("taint"), re.compile("insufficient cpu"), re.compile("fit")]
    )
    dark = page.locator("[data-part=map]").screenshot()
    page.get_by_role("button", name=re.compile("insufficient cpu")).click()
    listed = page.locator(".node-list li")
    expect(listed).to_have_count(2)
    expect(listed.first).to_contain_text("cpu: asks 2, 0 free (2 short)")
    page.get_by_role("button", name=re.compile("taint")).click()
    expect(listed).to_have_text(["node-3"])
    expect_other_picture(page, dark)


def test_why_not_this_node_names_the_filters_that_failed(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run, "?at=1&tab=filter&node=node-3")
    section = page.locator(".node-section")
    expect(section).to_contain_text("Why not node-3?")
    expect(section).to_contain_text("TaintToleration")
    expect(section).to_contain_text("evicting can't help")


def test_an_address_brings_the_same_back_after_a_reload(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    page.locator(".candidates").get_by_role("button", name="node-2").click()
    tab(page, "Preemption").click()
    expect(page).to_have_url(re.compile(r"\?at=1&node=node-2&tab=preemption$"))
    strip = page.locator(".strip")
    expect(strip).to_have_text(re.compile("shop/valued"))
    told = strip.inner_text()
    page.reload()
    page.locator("#debugger[data-loaded]").wait_for()
    expect(strip).to_have_text(told, use_inner_text=True)
    expect(tab(page, "Preemption")).to_have_attribute("aria-selected", "true")


def test_equal_nodes_are_named_as_equal(page: Page, live_stack: Stack) -> None:
    opened(page, run_of(live_stack, "ties", ties()))
    expect(sentence(page)).to_contain_text("any of 4 equal nodes, all that fit")
    expect(sentence(page)).to_contain_text("the real scheduler picks one at random")
    expect(page.locator(".score-row")).to_have_count(4)
    expect(page.locator(".score-gap").first).to_have_text("tie")


def test_play_pauses_at_a_stop(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    page.keyboard.press("Home")
    page.get_by_text("Stop at:").click()
    page.get_by_label("a preemption").uncheck()
    page.get_by_label("an unschedulable pod").check()
    page.keyboard.press("Escape")
    page.locator("[data-part=speed]").select_option("200")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".badge")).to_have_text("unschedulable")
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_the_find_box_leads_to_pods_and_nodes(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    page.keyboard.press("/")
    page.keyboard.type("big")
    expect(page.locator("[data-part=found] li").first).to_contain_text("shop/big")
    page.keyboard.press("Enter")
    expect(page.locator(".pod-card")).to_contain_text("loses its place to shop/urgent")
    page.keyboard.press("/")
    page.keyboard.type("node-2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("node=node-2"))


def test_every_search_without_hits_says_so(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    found = page.locator("[data-part=found]")
    for wanted in ("nobody", "nothing"):
        page.keyboard.press("/")
        page.keyboard.type(wanted)
        expect(found).to_have_text("Nothing in the run has this in its name.")
        if wanted == "nobody":
            page.keyboard.press("Escape")
    page.wait_for_timeout(400)
    expect(found).to_be_visible()


def test_the_time_line_is_a_slider(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    assert box
    page.mouse.click(box["x"] + 2, box["y"] + 20)
    expect(slider).to_have_attribute("aria-valuenow", "1")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "2")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("decision 2 of .*: placed"))


def test_a_decision_is_copied_as_markdown(page_of: Callable[..., Page], reprieve_run: int) -> None:
    page = page_of("bob", permissions=["clipboard-read", "clipboard-write"])
    opened(page, reprieve_run)
    page.keyboard.press("c")
    expect(page.locator(".announcement")).to_have_text("The decision is copied as Markdown.")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert "**shop/urgent** (priority 1000, attempt 1)" in copied
    assert "Evicting 1 pod on node-1 makes room" in copied
    assert f"/runs/{reprieve_run}/?at=1" in copied


def test_a_button_that_is_pressed_twice_says_its_own_word_again(
    page_of: Callable[..., Page], reprieve_run: int
) -> None:
    page = opened(page_of("bob", permissions=["clipboard-read", "clipboard-write"]), reprieve_run)
    page.locator(".copy-markdown").evaluate(
        """button => new Promise((resolve) => {
            const said = () => button.textContent === "copy" && resolve();
            new MutationObserver(said).observe(button, { childList: true });
            button.click();
            button.click();
        })"""
    )
    page.wait_for_timeout(600)
    expect(page.locator(".copy-markdown")).to_have_text("copy")


def test_raw_gives_the_json_and_the_address_that_gives_it(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run, "?at=1&tab=raw")
    expect(page.locator(".raw")).to_contain_text('"outcome": "nominated"')
    address = page.get_by_role("link", name="GET /api/v1/")
    expect(address).to_have_attribute("href", re.compile(f"/api/v1/runs/{reprieve_run}/decisions/1/$"))
    page.get_by_role("button", name="with every node's verdict").click()
    expect(page.locator(".raw")).to_contain_text('"filter"')


def test_names_from_a_cluster_are_text_and_never_markup(page: Page, live_stack: Stack) -> None:
    run = run_of(live_stack, "markup", markup())
    for query in ("?at=1", "?at=2", "?at=2&tab=filter&node=node-1", "?at=1&tab=raw", "?at=1&tab=events"):
        opened(page, run, query)
        page.locator("[data-part=map]").hover()
        assert page.locator("#debugger img").count() == 0
        assert "owned" not in page.title()


def test_a_viewer_sees_all_and_controls_nothing(page_of: Callable[..., Page], reprieve_run: int) -> None:
    page = opened(page_of("bob"), reprieve_run)
    expect(sentence(page)).to_contain_text("Fits on none of 3 nodes")
    expect(page.locator("[data-part=worker]")).to_be_hidden()


def test_an_outsider_learns_of_no_run(page_of: Callable[..., Page], reprieve_run: int) -> None:
    answer = page_of("charlie").goto(f"/runs/{reprieve_run}/")
    assert answer is not None
    assert answer.status == 404


@pytest.mark.parametrize("query", ["?at=1", "?at=1&tab=filter&node=node-1", "?at=2&tab=raw"])
def test_axe_finds_no_serious_fault_in_both_themes(
    page: Page, reprieve_run: int, assert_accessible_in_both_themes: Check, query: str
) -> None:
    opened(page, reprieve_run, query)
    expect(page.locator(".tab-panel > *").first).to_be_visible()
    assert_accessible_in_both_themes(page)


def test_at_1024_pixels_the_inspector_slides_over(page_of: Callable[..., Page], reprieve_run: int) -> None:
    page = opened(page_of("alice", viewport={"width": 1024, "height": 768}), reprieve_run)
    expect(page.locator(".inspector")).to_be_hidden()
    expect(page.locator(".answer")).to_contain_text("Fits on none of")
    page.locator(".answer").click()
    expect(page.locator(".inspector")).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator(".inspector")).to_be_hidden()
    page.keyboard.press("i")
    expect(page.locator(".inspector")).to_be_visible()
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) == 0


def test_at_1024_pixels_long_names_push_nothing_out_of_the_window(
    page_of: Callable[..., Page], live_stack: Stack
) -> None:
    name = "All tasks in the order of their arrival, once more with everything added"
    snapshot = import_by_rest(live_stack, "trace-of-a-large-cluster-2023", ties())
    scenario = scenario_by_rest(live_stack, snapshot, name=name)
    page = page_of("alice", viewport={"width": 1024, "height": 768})
    opened(page, run_by_rest(live_stack, scenario))
    page.locator("[data-part=behind]").evaluate(
        "behind => Object.assign(behind, { hidden: false, textContent: '8,152 decisions behind' })"
    )
    inside = [page.locator(f"[data-part={name}]") for name in ("inspect", "find")]
    for element in [*inside, page.locator(".account"), page.locator("[data-theme-switch]")]:
        box = element.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 1024
    assert page.locator("body").evaluate("body => body.scrollWidth") <= 1024
    tiles, answer = (
        page.locator("[data-part=map-frame]").bounding_box(),
        page.locator(".answer").bounding_box(),
    )
    assert tiles
    assert answer
    assert tiles["y"] + tiles["height"] <= answer["y"]


def test_the_scores_tab_says_which_filter_turned_a_node_away(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run, "?at=1&tab=scores&node=node-3")
    section = page.locator(".node-section")
    expect(section).to_contain_text("Why not node-3?")
    expect(section).to_contain_text("TaintToleration")
    expect(page.locator(".tab-panel .empty")).to_contain_text("No node fits, so nothing was scored.")


def test_a_node_without_a_score_beside_scored_ones_says_which_filter(page: Page, live_stack: Stack) -> None:
    tainted = node("node-9")
    tainted["spec"]["taints"] = [{"key": "dedicated", "effect": "NoSchedule"}]
    content = listing(node("node-1"), node("node-2"), tainted, pod("web"))
    opened(page, run_of(live_stack, "scored", content), "?at=1&tab=scores&node=node-9")
    expect(page.locator(".score-row")).to_have_count(2)
    expect(page.locator(".node-section .verdict.failed")).to_contain_text("TaintToleration")


def test_arrows_step_also_after_a_speed_was_chosen(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run)
    speed = page.locator("[data-part=speed]")
    speed.select_option("10")
    speed.focus()
    page.keyboard.press("ArrowRight")
    expect(decision(page)).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    expect(decision(page)).to_have_value("1")
    expect(speed).to_have_value("10")
    page.keyboard.press("ArrowDown")
    expect(speed).to_have_value("30")
    expect(decision(page)).to_have_value("1")


def test_an_incomplete_drain_leads_in_red_at_the_end_and_at_the_start(page: Page, live_stack: Stack) -> None:
    run = run_of(live_stack, "guarded", listing(*guarded_node()), {"op": "drain", "node": "node-1"})
    opened(page, run, "?at=3")
    lead = page.locator(".trust-line .notice.error")
    expect(lead.locator("summary")).to_have_text("Drain of node-1 incomplete: budget shop/search")
    reason = lead.get_by_text("1 of 2 evictions refused by PodDisruptionBudget shop/search")
    expect(reason).to_be_hidden()
    lead.locator("summary").press("Enter")
    expect(reason).to_be_visible()
    expect(reason).to_contain_text("shop/search-0 stays on node-1.")
    expect(page.get_by_role("link", name="Outcome: incomplete")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".edits .error-text")).to_contain_text("shop/search-0 stays on node-1")


def test_incomplete_drains_take_a_line_each_and_name_their_budget(page: Page, live_stack: Stack) -> None:
    nodes = ["node-1", f"worker-02.{LONG}", f"worker-03.{LONG}"]
    drains = [{"op": "drain", "node": name} for name in nodes]
    opened(page, run_of(live_stack, "guarded-thrice", guarded(nodes), *drains), "?at=3")
    leads = page.locator(".trust-line .notice.error")
    expect(leads).to_have_count(3)
    heights = leads.evaluate_all("leads => leads.map(lead => lead.offsetHeight)")
    assert max(heights) == heights[0], "a long name takes a second line"
    whole = leads.first.locator("b").evaluate("title => title.scrollWidth <= title.clientWidth")
    assert whole, "a short title is cut"
    for number in range(3):
        budget = leads.nth(number).get_by_text(f"budget shop/guard-{number + 1}", exact=True)
        assert budget.evaluate("budget => budget.scrollWidth <= budget.clientWidth")


def test_the_events_tab_answers_for_a_selected_node(page: Page, reprieve_run: int) -> None:
    answer = page.locator("#inspector-panel .node-section")
    opened(page, reprieve_run, "?at=1&tab=events&node=node-1")
    expect(answer).to_contain_text("FailedScheduling names it.")
    opened(page, reprieve_run, "?at=3&tab=events&node=node-3")
    expect(answer.locator("h3")).to_contain_text("Why not node-3?")
    expect(answer).to_contain_text("FailedScheduling counts it for node(s) had untolerated taint")
    opened(page, reprieve_run, "?at=2&tab=events&node=node-2")
    expect(answer).to_contain_text("No event of this decision speaks of it.")
    answer.get_by_role("button", name="Filter").click()
    expect(tab(page, "Filter")).to_have_attribute("aria-selected", "true")


def test_the_tooltip_tells_what_lies_under_the_pointer_after_a_zoom_by_key(
    page: Page, live_stack: Stack
) -> None:
    opened(page, run_of(live_stack, "crowd", crowd(120, 1)))
    box = page.locator("[data-part=map]").bounding_box()
    assert box is not None
    corner = (box["x"] + 40, box["y"] + 60)
    tip = page.locator("[data-part=map-tip]")
    page.mouse.move(*corner)
    expect(tip).to_be_visible()
    before = tip.inner_text()
    for _ in range(3):
        page.keyboard.press("+")
    expect(tip).not_to_have_text(before)
    shown = tip.inner_text()
    page.mouse.move(corner[0], box["y"] - 40)
    expect(tip).to_be_hidden()
    page.mouse.move(*corner)
    expect(tip).to_have_text(shown, use_inner_text=True)


def test_a_reason_in_the_queue_gives_way_at_its_end(page: Page, live_stack: Stack) -> None:
    opened(page, run_of(live_stack, "alike", alike()))
    page.keyboard.press("End")
    note = page.locator("[data-part=unschedulable] .queue-note", has_text="didn't match")
    expect(note).to_have_count(1)
    begins = """note => {
      const words = document.createRange();
      words.selectNodeContents(note);
      return words.getBoundingClientRect().left - note.getBoundingClientRect().left;
    }"""
    assert note.evaluate(begins) >= 0


def test_without_scores_it_says_that_only_the_nominated_node_was_asked(page: Page, reprieve_run: int) -> None:
    opened(page, reprieve_run, "?at=2&tab=scores")
    empty = page.locator("#inspector-panel .empty")
    expect(empty).to_have_text(
        "Only the node it was nominated to was asked, and it fits, so nothing had to be scored."
    )


def test_a_node_that_preemption_passed_over_gets_no_heading_of_a_sequence(
    page: Page, reprieve_run: int
) -> None:
    opened(page, reprieve_run, "?at=1&tab=preemption&node=node-3")
    section = page.locator(".strip-section")
    expect(section).to_contain_text("Preemption didn't look at node-3")
    expect(section.locator("h3")).to_have_text("Why not node-3?")


def test_where_all_plugins_skip_a_pod_its_nodes_are_equal(page: Page, live_stack: Stack) -> None:
    points = {"disabled": [{"name": "*"}], "enabled": [{"name": "PodTopologySpread"}]}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"score": points}}],
    }
    scheduler = {"profile": "kube-1.36", "config": config}
    snapshot = import_by_rest(live_stack, "skipped", ties())
    opened(page, run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot, scheduler=scheduler)))
    expect(sentence(page)).to_contain_text("any of 4 equal nodes, all that fit (total 0)")
    tab(page, "Scores").click()
    expect(
        page.get_by_text("Every plugin that scores skipped this pod: all nodes that fit are equal.")
    ).to_be_visible()
