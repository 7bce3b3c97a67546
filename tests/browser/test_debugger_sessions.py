"""Volcano's sessions in the debugger: the sentence, the gang, the tree, victims, nodes, steps and stops."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import expect_to_fit
from tests.browser.volcano_clusters import VolcanoRuns

Check = Callable[[Page], None]


@pytest.fixture
def open_run(page: Page, volcano_runs: VolcanoRuns) -> Callable[[str, str], Locator]:
    """``open_run("queues", "?at=14")``: the inspector of a sample's run, or of half a gang's ("half")."""

    def opened(cluster: str, query: str) -> Locator:
        page.goto(f"/runs/{volcano_runs[cluster]}/{query}")
        page.locator("#debugger[data-loaded]").wait_for()
        return page.locator(".inspector")

    return opened


Open = Callable[[str, str], Locator]


def seq(page: Page) -> Locator:
    """The field with the number of the reader's decision."""
    return page.locator("[data-part=at]")


def test_a_gang_that_is_taken_back_is_told_whole(
    page: Page, open_run: Open, assert_accessible: Check
) -> None:
    inspector = open_run("half", "?at=9")
    expect(inspector.locator(".who-name")).to_have_text("shop/bert")
    expect(inspector.locator(".badge")).to_have_text("taken back")
    expect(inspector.locator(".say")).to_have_text(
        "3 of 6 pods have a node, 4 are needed: worker-3 fits on none of 3 nodes (3 insufficient cpu). "
        "All 3 tries are taken back."
    )
    cells = inspector.locator(".gang-cell")
    expect(cells.locator("b")).to_have_text(["0", "1", "2", "3", "4", "5"])
    expect(inspector.locator(".gang-cell.at-minimum b")).to_have_text("3")
    expect(inspector.locator(".gang-back")).to_have_count(3)
    expect(inspector.locator(".gang-words")).to_have_text("minimum 4: 3 had a node, 1 more was needed")
    chosen = inspector.get_by_role("treeitem", selected=True)
    expect(chosen).to_contain_text("take back")
    expect(inspector.locator(".session-tree s")).to_have_text(
        ["worker-0 → node-1", "worker-1 → node-2", "worker-2 → node-3"]
    )
    assert_accessible(page)


def test_a_press_in_the_tree_goes_to_its_decision_and_a_step_moves_the_choice(
    page: Page, open_run: Open
) -> None:
    inspector = open_run("half", "?at=9")
    inspector.get_by_role("treeitem").filter(has_text="worker-3").click()
    expect(seq(page)).to_have_value("6")
    chosen = inspector.get_by_role("treeitem", selected=True)
    expect(chosen).to_contain_text("worker-3")
    expect(chosen).to_be_focused()
    expect(inspector.locator(".tab-panel [role=tree]")).to_be_visible()


def test_the_tree_is_walked_folded_and_used_by_keys(page: Page, open_run: Open) -> None:
    inspector = open_run("half", "?at=9&tab=session")
    inspector.get_by_role("treeitem", selected=True).focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_contain_text("worker-5")
    page.keyboard.press("ArrowLeft")
    job = page.locator(":focus")
    expect(job).to_contain_text("shop/bert")
    expect(job).to_have_attribute("aria-level", "3")
    expect(job).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "false")
    expect(inspector.get_by_role("treeitem").filter(has_text="worker-5")).to_have_count(0)
    expect(seq(page)).to_have_value("9")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_contain_text("worker-0")
    page.keyboard.press("Enter")
    expect(seq(page)).to_have_value("3")
    expect(page.locator(":focus")).to_contain_text("worker-0")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(seq(page)).to_have_value("1")


def test_victims_are_shown_by_tier_and_plugin(page: Page, open_run: Open, assert_accessible: Check) -> None:
    inspector = open_run("queues", "?at=14")
    expect(inspector.locator(".say")).to_contain_text(
        "Takes back room on gpu-1: ml/sweep-worker-4 is to go, and it waits for its room."
    )
    expect(inspector.get_by_role("tab", name="Victims")).to_have_attribute("aria-selected", "true")
    table = inspector.locator("table.victims")
    expect(table.locator("thead th")).to_have_text(["plugin", "sweep-worker-4", "sweep-worker-0"])
    expect(table.locator("tbody.decides .tier")).to_have_text("tier 1 decides: 2 possible victims")
    expect(table.locator("tbody tr:not(.tier) th")).to_have_text(["gang", "conformance", "in all"])
    expect(table.locator(".intersection td")).to_have_text(["1. evicted", "not needed"])
    assert_accessible(page)
    inspector.get_by_role("button", name="settled by decision 18").click()
    expect(seq(page)).to_have_value("18")
    expect(inspector.locator(".say")).to_contain_text("Committed: 6 pods are evicted")


def test_the_gang_tab_has_each_pods_tries_and_leads_to_them(
    page: Page, open_run: Open, assert_accessible: Check
) -> None:
    inspector = open_run("queues", "?at=18&tab=gang")
    table = inspector.locator("table.gang-table")
    expect(table.locator("thead th")).to_have_text(["pod", "allocate", "reclaim", "now"])
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.first).to_contain_text("4 insufficient nvidia.com/gpu")
    expect(table.locator("tr.at-minimum th")).to_have_text("worker-5")
    assert_accessible(page)
    rows.first.get_by_role("button", name="gpu-1").click()
    expect(seq(page)).to_have_value("12")


def test_nodes_are_counted_by_their_reasons(page: Page, open_run: Open, assert_accessible: Check) -> None:
    inspector = open_run("queues", "?at=3")
    expect(inspector.get_by_role("tab", name="Nodes")).to_have_attribute("aria-selected", "true")
    expect(inspector.locator(".node-band")).to_have_text(["insufficient nvidia.com/gpu4", "fit0"])
    assert_accessible(page)
    open_run("half", "?at=4&tab=nodes")
    points = inspector.locator(".points-table tbody tr")
    expect(points).to_have_text([re.compile("^node-2 taken.*458.75$"), re.compile("^node-3.*458.75$")])
    expect(inspector.locator(".tab-panel section").last).to_contain_text("node-1insufficient cpu")
    assert_accessible(page)


def test_of_many_victims_the_names_are_cut_where_they_begin_alike(page: Page, open_run: Open) -> None:
    inspector = open_run("priority", "?at=8")
    heads = inspector.locator("table.victims thead button")
    expect(heads).to_have_text(["…9", "…0", "…3", "…6"])
    expect(heads.first).to_have_accessible_name("nightly-worker-9")


def test_what_is_committed_is_in_the_events_as_volcano_records_it(page: Page, open_run: Open) -> None:
    inspector = open_run("priority", "?at=12&tab=events")
    expect(inspector.locator(".kubectl-event p").first).to_have_text("Pod is evicted, because of preempt")
    open_run("gang", "?at=8&tab=events")
    expect(inspector.locator(".kubectl-event p").first).to_have_text(
        "Successfully assigned ml/bert-worker-0 to gpu-1"
    )


def test_the_ends_of_a_session_tell_its_jobs(page: Page, open_run: Open, assert_accessible: Check) -> None:
    inspector = open_run("gang", "?at=12")
    expect(inspector.locator(".who-name")).to_have_text("Session 2")
    expect(inspector.locator(".say")).to_contain_text("Closes without effect")
    expect(inspector.locator(".groups-table tbody tr").nth(1)).to_contain_text("4 minAvailable")
    assert_accessible(page)
    open_run("gang", "?at=1&tab=jobs")
    expect(inspector.locator(".tab-panel li")).to_have_text(["ml/bert", "ml/gpt"])
    assert_accessible(page)


def test_a_step_goes_over_pods_jobs_actions_or_sessions(page: Page, open_run: Open) -> None:
    open_run("queues", "?at=2")
    units = page.get_by_label("step by")
    expect(units.locator("option")).to_have_text(["by pod", "by job", "by action", "by session"])
    for unit, numbers in {"job": ["11", "18"], "action": ["18", "19"], "session": ["19", "31"]}.items():
        open_run("queues", "?at=11" if unit == "action" else "?at=2")
        units.select_option(unit)
        for number in numbers:
            page.get_by_role("button", name=f"one {unit} forwards").click()
            expect(seq(page)).to_have_value(number)
    page.get_by_role("button", name="one session back").click()
    expect(seq(page)).to_have_value("19")


def test_stops_are_offered_for_what_a_run_has(page: Page, open_run: Open) -> None:
    open_run("half", "?at=1")
    page.locator(".stop-menu summary").click()
    page.get_by_label("a preemption").uncheck()
    page.get_by_label("a gang that is taken back").check()
    page.get_by_role("button", name=re.compile("^next")).click()
    expect(seq(page)).to_have_value("9")
    expect(page.get_by_label("a session without effect")).to_be_visible()
    expect(page.get_by_label("a queue that has its share")).to_have_count(0)


def test_on_a_phone_nothing_is_wider_than_the_screen(
    page: Page, open_run: Open, assert_accessible_in_both_themes: Check
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for query in ("?at=14", "?at=18&tab=gang", "?at=18&tab=session"):
        open_run("queues", query)
        page.keyboard.press("i")
        expect(page.locator(".gang-strip")).to_be_visible()
        expect_to_fit(page, 390)
    assert_accessible_in_both_themes(page)
