"""Preflight and headroom for somebody with a question: what is said, and how many clicks it takes."""

import re
from collections.abc import Callable

import yaml
from playwright.sync_api import Page, expect

from tests.browser.clusters import contested, import_by_rest, run_by_rest, scenario_by_rest
from tests.dashboard.answers.test_preflight import deployment
from tests.fixtures.stack import Stack
from tests.scheduler_core.world.fitting.test_starting import gang

Check = Callable[[Page], None]


def test_a_manifest_is_answered_while_it_is_typed_and_a_change_is_tried(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "preflight", contested())
    page.goto(f"/?of={snapshot}")
    page.get_by_label("A manifest, in YAML or JSON").fill(yaml.safe_dump(deployment(9)))
    page.locator(".ask", has_text="Will it fit?").get_by_role("button", name="Ask").click()
    lead = page.locator(".preflight-answer .outcome-say")
    expect(lead).to_contain_text("of 9 fit")
    field = page.get_by_label("Manifest", exact=True)
    field.fill(yaml.safe_dump(deployment(1)))
    expect(lead).to_contain_text("1 of 1 fit")
    field.fill("kind: Deployment")
    expect(page.locator(".preflight-problems")).to_contain_text("apiVersion")
    expect(lead).to_contain_text("1 of 1 fit")
    page.locator("[data-manifest-file]").set_input_files(
        {"name": "nine.yaml", "mimeType": "text/yaml", "buffer": yaml.safe_dump(deployment(9)).encode()}
    )
    expect(lead).to_contain_text("of 9 fit")
    expect(page.locator(".preflight-lines")).to_contain_text("binds")
    expect(page.locator(".fitting-table")).to_contain_text("pods instead of 9")
    assert_accessible(page)
    page.get_by_role("button", name="Try it: change 1").click()
    page.wait_for_url(re.compile(r"/scenarios/\d+/"))
    expect(page.locator(".edit-sentence")).to_have_count(2)


def test_how_many_more_fit_is_one_click_from_the_first_page_and_one_from_a_decision(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "headroom", contested())
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
    page.goto(f"/?of={snapshot}")
    page.get_by_label("CPU of one more pod").fill("1")
    page.locator(".ask", has_text="How many more fit?").get_by_role("button", name="Ask").click()
    expect(page.locator(".why-lead")).to_contain_text("3 more of 1 cpu fit.")
    assert_accessible(page)
    page.goto(f"/runs/{run}/?at=2")
    page.locator("#debugger[data-loaded=yes]").wait_for()
    link = page.get_by_role("link", name="Headroom", exact=True)
    expect(link).to_have_attribute("href", re.compile(r"decision=2$"))
    link.click()
    expect(page.locator("#headroom-now .notice")).to_contain_text(f"As run {run} stands after decision 2")


def test_a_waiting_pod_asks_what_would_make_it_fit(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "fitting", contested())
    page.goto(f"/snapshots/{snapshot}/")
    page.get_by_role("button", name="What would make it fit?").click()
    expect(page.locator(".fitting-table")).to_contain_text("ask for")


def test_the_page_of_a_job_that_waits_says_when_it_would_start(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "starts", gang(2400))
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
    page.goto(f"/runs/{run}/groups/default/b/")
    page.get_by_role("button", name="What would make it fit?").click()
    rows = page.locator(".fitting-table tbody tr")
    expect(rows.first).to_contain_text("without any change")
    expect(rows.first).to_contain_text("after 40 min 0 s, once default/a-0 is gone")
    expect(rows.filter(has_text="add")).to_contain_text("at once")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page)
