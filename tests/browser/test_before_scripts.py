"""What needs a script cannot be pressed before the script is there: no press is lost without a word."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.fixtures.stack import Stack


@pytest.fixture(scope="module")
def addresses(live_stack: Stack) -> list[str]:
    """Every page on which something works by script only."""
    snapshot = import_by_rest(live_stack, "unscripted")
    scenario = scenario_by_rest(live_stack, snapshot, {"op": "cordon", "node": "node-1"})
    one, other = run_by_rest(live_stack, scenario), run_by_rest(live_stack, scenario)
    return [
        "/snapshots/import/",
        f"/snapshots/{snapshot}/",
        f"/snapshots/{snapshot}/pods/uid-urgent/",
        f"/scenarios/{scenario}/",
        f"/runs/{one}/",
        f"/runs/{one}/outcome/",
        f"/compare/?a={one}&b={other}",
    ]


NEEDS_SCRIPT = "button[type=button], textarea, main input[id]:not(form[method] input)"


def pressable(page: Page) -> list[str]:
    """What can be pressed or typed into now and does nothing without a script."""
    controls = page.locator(NEEDS_SCRIPT).filter(visible=True)
    return [
        control.evaluate("one => one.outerHTML.slice(0, 120)")
        for control in controls.all()
        if control.is_enabled()
    ]


def test_without_scripts_nothing_pretends_to_work(page_of: Callable[..., Page], addresses: list[str]) -> None:
    page = page_of("alice", java_script_enabled=False)
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, address
        assert not pressable(page), address


def test_an_edit_button_waits_for_the_editor_and_then_works(page: Page, live_stack: Stack) -> None:
    scenario = scenario_by_rest(live_stack, import_by_rest(live_stack, "slow-script"))
    editor = re.compile(r"/js/scenario/editor[^/]*\.js")
    held: list[Route] = []
    page.route(editor, lambda route: held.append(route))
    with page.expect_request(editor):
        page.goto(f"/scenarios/{scenario}/", wait_until="commit")
    cordon = page.get_by_role("button", name="Cordon", exact=True)
    expect(cordon).to_be_disabled()
    expect(page.get_by_label("Name of the scenario")).to_be_disabled()
    expect(page.get_by_label("Evicted pods")).to_be_disabled()
    held[0].continue_()
    cordon.click()
    expect(page.locator(".edit")).to_have_count(1)
    expect(page.get_by_label("Name of the scenario")).to_be_enabled()
    expect(page.get_by_label("Evicted pods")).to_be_enabled()


def test_a_choice_made_before_the_table_is_listened_to_narrows_it(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "chosen-early")
    library = re.compile(r"/htmx-2\.min[^/]*\.js")
    held: list[Route] = []
    page.route(library, lambda route: held.append(route))
    with page.expect_request(library):
        page.goto(f"/snapshots/{snapshot}/pods/", wait_until="commit")
    page.get_by_label("namespace").select_option("shop")
    held[0].continue_()
    expect(page).to_have_url(re.compile("namespace=shop"))


def test_every_control_is_let_go_once_its_script_listens(page: Page, addresses: list[str]) -> None:
    for address in addresses:
        page.goto(address)
        if re.fullmatch(r"/runs/\d+/", address):
            page.locator("#debugger[data-loaded]").wait_for()
        expect(page.locator("[data-scripted]:disabled")).to_have_count(0)
