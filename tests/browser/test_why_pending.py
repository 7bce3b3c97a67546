"""Why a snapshot's pods wait, for somebody who opens it: what is said, and how many clicks it takes."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.clusters import contested, import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_to_fit, resized
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]

LONG = [f"ip-10-12-{place}-7.eu-central-1.compute.internal" for place in range(1, 31)]


def cloud() -> bytes:
    """Thirty nodes with the names of a cloud, and two workloads for which all are too small."""
    return listing(*(node(name) for name in LONG), pod("huge", cpu="64"), pod("wide", cpu="5"))


def test_a_pods_answer_is_one_click_from_the_snapshot(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "why", contested())
    page.goto(f"/snapshots/{snapshot}/")
    expect(page.locator(".why-lead")).to_contain_text(
        "3 pods wait: 2 for cpu, 1 would be placed by evicting."
    )
    expect(page.locator(".why-say")).to_contain_text("Fits on none of 3 nodes: 3 lack only cpu; it is larger")
    assert_accessible(page)
    page.locator(".why-pod-names").get_by_role("link", name="huge-1").click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("Why is it pending?")
    expect(drawer.locator(".why-say")).to_contain_text("Fits on none of 3 nodes: 3 lack only cpu")
    expect(drawer.locator(".why-chain")).to_contain_text("NodeResourcesFit")
    assert_accessible(page)
    status, scenarios = live_stack.request("GET", f"/api/v1/scenarios/?snapshot={snapshot}", who="alice")
    assert (status, scenarios["results"]) == (200, [])


def test_a_pod_of_the_list_answers_in_two_clicks(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "why-listed", contested())
    page.goto(f"/snapshots/{snapshot}/")
    page.get_by_role("link", name="Pods 6").click()
    page.locator("tr", has_text="huge-2").get_by_role("link", name="Why?").click()
    expect(page.get_by_role("dialog").locator(".why-say")).to_contain_text("Fits on none of 3 nodes")


def test_a_workload_is_chosen_and_the_map_follows(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "why-chosen", contested())
    page.goto(f"/snapshots/{snapshot}/")
    page.locator(".why-table").get_by_role("link", name="shop/urgent").click()
    expect(page.locator(".why-say")).to_contain_text(
        "shop/urgent: Would be placed by evicting 1 pod on node-1."
    )
    expect(page.locator(".why-map g")).to_have_count(3)


def test_the_drawer_says_why_not_a_node(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    snapshot = import_by_rest(live_stack, "why-node", contested())
    page.goto(f"/snapshots/{snapshot}/")
    page.locator(".why-pod-names").get_by_role("link", name="huge-1").click()
    asked = page.get_by_role("dialog").locator(".why-node")
    asked.get_by_label("Why not node").fill("node-2")
    asked.get_by_role("button", name="Ask").click()
    expect(asked.get_by_role("status")).to_have_text("Does not fit on node-2, for 1 reason.")
    expect(asked.locator("tbody tr")).to_contain_text(["NodeResourcesFit"])
    assert_accessible(page)


IS_ON_TOP = """element => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_names_of_nodes_are_cut_until_somebody_wants_them_whole_and_the_page_fits(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "why-long", cloud())
    page.goto(f"/snapshots/{snapshot}/")
    names = page.locator(".why-near [data-node]")
    expect(names.first).to_have_text("1-7")
    expect(page.locator(".names-line")).to_contain_text("names without ip-10-12-")
    page.get_by_role("button", name="show whole names").click()
    expect(names.first).to_have_text(LONG[0])
    assert_accessible(page)
    page.reload()
    expect(page.locator(".why-map g")).to_have_count(30)
    for width in (1440, 390):
        expect_to_fit(resized(page, width, 900), width)


def test_what_keys_reach_in_the_heads_of_the_table_is_seen_on_a_phone(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "why-narrow", cloud())
    resized(page, 390, 900).goto(f"/snapshots/{snapshot}/")
    controls = page.locator(".why-table thead :is(button, input)")
    expect(controls.first).to_be_visible()
    for control in controls.all():
        control.focus()
        assert control.evaluate(IS_ON_TOP)


def test_the_debugger_says_first_what_binds_where_a_pod_fits_nowhere(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "why-debugged", contested())
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
    page.goto(f"/runs/{run}/?at=3")
    binding = page.locator(".inspector .binding")
    expect(binding).to_contain_text(
        "Fits on none of 3 nodes: 3 lack only cpu; it is larger than any open node"
    )
    page.goto(f"/runs/{run}/?at=1")
    expect(page.locator(".inspector .say")).to_contain_text("Evicting")
    expect(binding).to_be_hidden()
