"""Runs that are still going, or that never began: where they open, who follows them, at what pace they go."""

import re

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest, start_by_rest
from tests.browser.pages import opened
from tests.browser.stages import crowd
from tests.fixtures.stack import Stack, wait_until

BEHIND = re.compile(r"^[1-9]\d* decisions? behind$")


def started(stack: Stack, content: bytes, rate: float | None = None, *edits: dict[str, object]) -> int:
    """A run that has been asked for and is not waited for."""
    return start_by_rest(stack, scenario_by_rest(stack, import_by_rest(stack, "live", content), *edits), rate)


def command(stack: Stack, run: int, name: str) -> None:
    """Pause, resume or cancel a run."""
    status, answer = stack.request("POST", f"/api/v1/runs/{run}/{name}/", who="alice")
    assert status == 202, answer


def reaches(stack: Stack, run: int, count: int) -> None:
    """Wait until the run has taken so many decisions."""
    wait_until(lambda: stack.request("GET", f"/api/v1/runs/{run}/")[1]["decisions"] >= count)


def decision(page: Page) -> Locator:
    """The field with the number of the decision."""
    return page.get_by_label("decision", exact=True).and_(page.locator("input"))


def test_a_run_opens_at_its_first_decision_whether_or_not_it_has_taken_one(
    page: Page, live_stack: Stack, slow_run: int
) -> None:
    opened(page, slow_run)
    expect(decision(page)).to_have_value("1")
    reaches(live_stack, slow_run, 12)
    page.goto(f"/runs/{slow_run}/")
    page.locator("#debugger[data-loaded]").wait_for()
    expect(decision(page)).to_have_value("1")


def test_nothing_moves_under_the_reader_until_they_follow(
    page: Page, live_stack: Stack, slow_run: int
) -> None:
    opened(page, slow_run)
    expect(page.locator("[data-part=live]")).to_have_text("live")
    behind = page.locator("[data-part=behind]:visible")
    expect(behind).to_have_text(BEHIND)
    expect(page.locator("[data-part=of]")).to_have_text(re.compile(r"^of \d+ so far$"))
    expect(decision(page)).to_have_value("1")
    behind.click()
    expect(behind).to_be_hidden()
    followed = decision(page).input_value()
    expect(decision(page)).not_to_have_value(followed)
    page.keyboard.press("ArrowLeft")
    expect(behind).to_have_text(BEHIND)
    stayed, head = decision(page).input_value(), page.locator("[data-part=of]").inner_text()
    expect(page.locator("[data-part=of]")).not_to_have_text(head)
    expect(decision(page)).to_have_value(stayed)


def test_a_decision_of_the_address_is_gone_to_as_soon_as_it_is_taken(page: Page, slow_run: int) -> None:
    opened(page, slow_run, "?at=25")
    expect(decision(page)).to_have_value("25")
    expect(page.locator("[data-part=behind]:visible")).to_have_text(BEHIND)
    expect(decision(page)).to_have_value("25")


def test_the_pace_shown_is_the_servers_also_after_a_pause(
    page: Page, live_stack: Stack, slow_run: int
) -> None:
    opened(page, slow_run)
    page.locator("[data-part=worker] summary").click()
    pace = page.get_by_label("The worker decides")
    expect(pace).to_have_value("10")
    live_stack.request("PATCH", f"/api/v1/runs/{slow_run}/", {"rate": 2.5}, who="alice")
    expect(pace).to_have_value("2.5")
    page.get_by_role("button", name="pause the run").click()
    expect(page.locator("[data-part=live]")).to_have_text("paused")
    expect(pace).to_have_value("2.5")
    expect(page.locator("[data-part=of]")).to_have_text(re.compile("so far$"))
    pace.select_option("4")
    expect(page.locator(".announcement")).to_have_text("The worker's rate is set.")
    expect(page.get_by_role("button", name="resume the run")).to_be_visible()
    opened(page, slow_run)
    expect(pace).to_have_value("4")


def test_an_answer_that_comes_late_brings_no_older_state_back(
    page: Page, live_stack: Stack, slow_run: int
) -> None:
    """The stream may say that the run is paused before the answer is there that it is going to be."""

    def late(route: Route) -> None:
        answer = route.fetch()
        expect(page.locator("[data-part=live]")).to_have_text("paused")
        route.fulfill(json={**answer.json(), "status": "running"})

    page.route("**/pause/", late)
    opened(page, slow_run)
    page.locator("[data-part=worker] summary").click()
    page.get_by_role("button", name="pause the run").click()
    expect(page.locator(".announcement")).to_have_text("The run pauses.")
    expect(page.locator("[data-part=live]")).to_have_text("paused")
    expect(page.get_by_role("button", name="resume the run")).to_be_visible()


def test_a_run_is_followed_to_its_end(page: Page, live_stack: Stack) -> None:
    run = started(live_stack, crowd(5, 60), rate=20)
    opened(page, run)
    page.keyboard.press("f")
    expect(page.locator("[data-part=live]")).to_have_text("finished")
    expect(decision(page)).to_have_value("60")
    expect(page.locator("[data-part=of]")).to_have_text("of 60")


def test_starting_a_run_asks_for_nothing_that_is_not_there_yet(page: Page, live_stack: Stack) -> None:
    scenario = scenario_by_rest(live_stack, import_by_rest(live_stack, "started", crowd(5, 30)))
    refused: list[str] = []
    page.on(
        "response", lambda answer: answer.status >= 400 and refused.append(f"{answer.status} {answer.url}")
    )
    page.goto(f"/scenarios/{scenario}/")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("#debugger[data-loaded]").wait_for()
    expect(decision(page)).to_have_value("1")
    assert refused == []


def test_a_run_that_failed_before_it_began_says_why_and_where_to_go_instead(
    page: Page, live_stack: Stack
) -> None:
    cordon = {"op": "cordon", "node": "node-1"}
    edits = [{**cordon, "enabled": False}, cordon]
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "failed"), *edits))
    asked: list[str] = []

    def fail(route: Route) -> None:
        answer = route.fetch()
        failed = {"status": "failed", "trust": None, "error": "edits[0] node: there is no Node node-9"}
        route.fulfill(response=answer, json={**answer.json(), **failed})

    page.route(re.compile(rf"/api/v1/runs/{run}/$"), fail)
    page.on("request", lambda request: asked.append(request.url))
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/runs/{run}/")
        told = page.get_by_role("alert")
        expect(told).to_have_text(
            "The run failed before its first decision: edit 2 node: there is no Node node-9"
        )
        expect(page.locator("[data-part=live]")).to_have_text("failed")
        for part in ("play", "map", "timeline"):
            expect(page.locator(f"[data-part={part}]")).to_be_hidden()
    assert [url for url in asked if "/state/" in url] == []
    expect(page.get_by_role("link", name="Mend the scenario")).to_be_visible()
    page.get_by_role("link", name="Outcome of the run").click()
    expect(page).to_have_url(re.compile(f"/runs/{run}/outcome/$"))


def test_a_run_that_has_not_begun_says_how_far_it_is_and_can_be_cancelled(
    page: Page, live_stack: Stack
) -> None:
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "queued")))
    status = "queued"

    def not_begun(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "status": status, "trust": None})

    def cancel(route: Route) -> None:
        route.fulfill(status=202, json={})

    page.route(re.compile(rf"/api/v1/runs/{run}/$"), not_begun)
    page.route(re.compile(rf"/api/v1/runs/{run}/cancel/$"), cancel)
    page.goto(f"/runs/{run}/")
    badge, said = page.locator("[data-part=live]"), page.locator(".inspector h2")
    expect(badge).to_have_text("queued")
    expect(said).to_have_text("The run waits for a worker; none has taken it yet.")
    expect(page.locator(".inspector")).to_contain_text("queued: 3 nodes, 6 pods")
    button = page.get_by_role("button", name="Cancel the run")
    button.evaluate("button => (window.button = button)")
    status = "running"
    expect(badge).to_have_text("building the cluster")
    expect(said).to_contain_text("A worker has taken the run and builds its cluster")
    expect(page.locator("[aria-current=step]")).to_have_text("a worker builds the cluster")
    assert page.evaluate("() => button.isConnected")
    button.click()
    expect(said).to_have_text("The run is being cancelled")
    expect(button).to_be_disabled()
    status = "cancelled"
    expect(page.get_by_role("alert")).to_have_text("The run was cancelled before it began.")
    expect(badge).to_have_text("cancelled")


def test_a_run_that_decided_nothing_offers_nothing_to_play(page: Page, live_stack: Stack) -> None:
    run = run_by_rest(
        live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "still", crowd(2, 0)))
    )
    opened(page, run)
    expect(page.locator(".inspector .say")).to_have_text(
        "Nothing was pending, so there was nothing to decide."
    )
    expect(page.get_by_role("button", name="Play")).to_be_disabled()


def test_in_a_paused_run_the_scores_are_being_worked_out_not_put_off(page: Page, live_stack: Stack) -> None:
    run = started(live_stack, crowd(40, 300), rate=2)
    page.route(re.compile("/decisions/[0-9]+/nodes/"), lambda _: None)
    opened(page, run, "?tab=scores")
    page.keyboard.press("f")
    expect(page.locator(".tab-panel .working")).to_have_text(re.compile("when you pause"))
    command(live_stack, run, "pause")
    expect(page.locator(".tab-panel .working")).to_have_text("working it out…")
    command(live_stack, run, "cancel")


def test_a_broken_stream_is_taken_up_again_without_loss(page: Page, live_stack: Stack) -> None:
    run = started(live_stack, crowd(5, 120), rate=30)
    opened(page, run)
    for reached in (10, 20, 30):
        page.wait_for_function("reached => sandtable.log.head >= reached", arg=reached)
        page.evaluate("() => window.sandtable.following.stream.socket.close()")
    expect(page.locator("[data-part=live]")).to_have_text("finished")
    expect(page.locator("[data-part=of]")).to_have_text("of 120")
    page.wait_for_function("() => sandtable.log.head === 120")
    page.keyboard.press("End")
    expect(decision(page)).to_have_value("120")
