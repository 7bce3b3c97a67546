"""The scenario editor with a clock: instants and durations of edits, their order, and when the run ends."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import expect_saved, import_by_rest, scenario_by_rest
from tests.fixtures.stack import Stack, wait_until

Check = Callable[[Page], None]
CORDON = {"op": "cordon", "node": "node-1"}
DRAIN = {"op": "drain", "node": "node-2"}
DRAINED = "Drain node-2: asks for the eviction of whoever is there by then"


def timed(stack: Stack, *edits: dict[str, Any], **settings: Any) -> int:
    """A scenario with a clock; its number."""
    fields = {"name": "later", "driver": "timed", **settings}
    return scenario_by_rest(stack, import_by_rest(stack, "timed"), *edits, **fields)


def opened(page: Page, scenario: int) -> Page:
    page.goto(f"/scenarios/{scenario}/")
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    return page


def stored(stack: Stack, scenario: int) -> dict[str, Any]:
    return dict(stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")[1])


def edits_of(page: Page) -> Locator:
    return page.locator(".edit .edit-toggle")


def save(page: Page, change: Callable[[], Any]) -> None:
    """Make a change and wait until it is stored."""
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        change()
    expect_saved(page)


def test_edits_stand_in_their_order_of_time_with_their_instants(
    page: Page, live_stack: Stack, assert_accessible_in_both_themes: Check
) -> None:
    edits = [{**DRAIN, "at": 90}, {**CORDON, "at": 5}, {"op": "uncordon", "node": "node-3"}]
    opened(page, timed(live_stack, *edits))
    expect(edits_of(page)).to_have_text(["Uncordon node-3", "at 5 sCordon node-1", f"at 1 min 30 s{DRAINED}"])
    expect(page.locator("[data-later]")).to_contain_text("2 edits happen later")
    expect(page.get_by_role("button", name="Move edit 1 down")).to_be_disabled()
    edits_of(page).nth(1).click()
    assert_accessible_in_both_themes(page)


def test_a_node_is_lost_and_comes_back(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    lost, back = {"op": "stop-kubelet", "node": "node-1"}, {"op": "start-kubelet", "node": "node-1"}
    scenario = timed(live_stack, {**lost, "at": 5}, {**back, "at": 600})
    opened(page, scenario)
    expect(edits_of(page)).to_have_text(
        ["at 5 sStop the kubelet of node-1", "at 10 min 0 sStart the kubelet of node-1"]
    )
    expect(page.get_by_text("after 50 s without a word the node is unreachable")).to_be_visible()
    edits_of(page).first.click()
    grace = page.get_by_label("It is unreachable after (50 s)")
    save(page, lambda: grace.fill("40"))
    expect(page.get_by_text("after 40 s without a word the node is unreachable")).to_be_visible()
    assert_accessible(page)
    assert stored(live_stack, scenario)["edits"][0] == {**lost, "at": 5, "gracePeriod": 40}


def test_an_instant_that_is_typed_moves_the_edit_to_its_place_and_is_stored(
    page: Page, live_stack: Stack
) -> None:
    scenario = timed(live_stack, {**CORDON, "at": 5}, {**DRAIN, "at": 60})
    opened(page, scenario)
    edits_of(page).first.click()
    field = page.get_by_label("At, after the run's start")
    field.fill("five")
    expect(
        page.get_by_text("Give seconds from 0 to 315,360,000, as 90, 5m or 1h30m, or nothing.")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    field.fill("5m")
    field.press("Tab")
    expect(edits_of(page)).to_have_text([f"at 1 min 0 s{DRAINED}", "at 5 min 0 sCordon node-1"])
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    wait_until(lambda: stored(live_stack, scenario)["edits"] == [{**DRAIN, "at": 60}, {**CORDON, "at": 300}])
    expect_saved(page)
    expect(page.locator(":focus")).to_have_count(1)


def test_what_is_added_has_a_duration_and_the_run_an_end(page: Page, live_stack: Stack) -> None:
    scenario = timed(live_stack)
    opened(page, scenario)
    save(page, lambda: page.get_by_role("button", name="Add pods or objects").click())
    save(page, lambda: page.get_by_label("Its pods run for").fill("1h"))
    save(page, lambda: page.get_by_label("The run ends after").fill("2m"))
    save(page, lambda: page.get_by_label("An attempt takes").fill("0.5"))
    expect(page.get_by_text("pods run for 1 h 0 min 0 s")).to_be_visible()
    kept = stored(live_stack, scenario)
    assert (kept["edits"][0]["duration"], kept["until"], kept["attempt_seconds"]) == (3600, 120, 0.5)
    save(page, lambda: page.get_by_label("A pod is ready after").fill("1m"))
    assert stored(live_stack, scenario)["ready_seconds"] == 60
    page.get_by_label("A pod is ready after").fill("soon")
    expect(page.locator("#ready-problem")).to_contain_text("Give seconds from 0.001 to 315,360,000")
    save(page, lambda: page.get_by_label("A pod is ready after").fill(""))
    assert stored(live_stack, scenario)["ready_seconds"] == 20
    page.get_by_label("An attempt takes").fill("61")
    expect(page.locator("#attempt-problem")).to_contain_text("Give seconds from 0.001 to 60")
    expect(page.locator("[data-save-state]")).to_have_text("not saved")
    save(page, lambda: page.get_by_label("An attempt takes").fill(""))
    assert stored(live_stack, scenario)["attempt_seconds"] == 0.01
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/runs/*/**")


def test_without_a_clock_times_are_out_of_sight_and_set_aside(page: Page, live_stack: Stack) -> None:
    scenario = timed(live_stack, {**CORDON, "at": 5}, until=60)
    opened(page, scenario)
    edits_of(page).first.click()
    driver = page.get_by_label("Time and queue")
    save(page, lambda: driver.select_option("instant"))
    expect(page.get_by_label("At, after the run's start")).to_have_count(0)
    expect(page.get_by_label("The run ends after")).to_be_hidden()
    expect(edits_of(page)).to_have_text(["Cordon node-1"])
    expect(
        page.get_by_text("set aside until you leave the page: at 5 s; this driver has no clock")
    ).to_be_visible()
    kept = stored(live_stack, scenario)
    assert (kept["driver"], kept["edits"], kept["until"]) == ("instant", [CORDON], None)
    save(page, lambda: driver.select_option("timed"))
    expect(edits_of(page)).to_have_text(["at 5 sCordon node-1"])
    expect(page.get_by_label("The run ends after")).to_have_value("60")
    kept = stored(live_stack, scenario)
    assert (kept["driver"], kept["edits"], kept["until"]) == ("timed", [{**CORDON, "at": 5}], 60)
