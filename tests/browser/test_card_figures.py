"""The cards of a run and of several policies: pictures, the way from a point to its step, both themes."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from samples.hami.sample import hami_files, hami_scenarios
from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_to_fit, resized
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
WINDOWS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((390, "dark"), (1440, "light"))
PLOTS = ".curve-plot svg.main-svg"


@pytest.fixture(scope="module")
def runs(live_stack: Stack) -> list[int]:
    """The sample's four policies."""
    objects = b"\n---\n".join(content for _, content in hami_files())
    snapshot = import_by_rest(live_stack, "four-policies", objects, "application/yaml")
    made = []
    for planned in hami_scenarios():
        scheduler = {"profile": planned.pop("profile"), "config": planned.pop("config")}
        scenario = scenario_by_rest(live_stack, snapshot, scheduler=scheduler, **planned)
        made.append(run_by_rest(live_stack, scenario))
    return made


def opened(page: Page, address: str) -> Page:
    page.goto(address, wait_until="commit")
    for place in (0, 1):
        page.locator(".curve-plot").nth(place).scroll_into_view_if_needed()
    expect(page.locator(".curve-plot svg.main-svg .scatterlayer")).to_have_count(2)
    expect(page.get_by_role("radio", name="what has arrived")).to_be_enabled()
    return page


def names_in(page: Page) -> Locator:
    return page.locator("#allocated-curves .legendtext")


def test_a_point_opens_its_step_and_so_does_the_table(page: Page, runs: list[int]) -> None:
    plot = opened(page, f"/runs/{runs[2]}/outcome/").locator("#fragmentation-curves")
    plot.scroll_into_view_if_needed()
    mark = plot.locator(".scatterlayer .point").nth(4).bounding_box()
    assert mark
    page.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    expect(plot.locator(".hoverlayer .hovertext")).to_contain_text(re.compile(r"decision \d+"))
    words = plot.locator(".hoverlayer .hovertext").text_content() or ""
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(re.compile(rf"/runs/{runs[2]}/\?at=\d+$"))
    assert f"decision {page.url.partition('at=')[2]}" in words
    part = opened(page, f"/runs/{runs[2]}/outcome/").locator("section[aria-labelledby=cards]")
    part.get_by_text("The same as a table").press("Enter")
    link = part.locator(".series-rows").get_by_role("link", name="decision 7", exact=True)
    link.focus()
    page.keyboard.press("Enter")
    page.locator("#debugger[data-loaded]").wait_for()
    expect(page.locator("[data-part=at]")).to_have_value("7")


def test_the_axis_can_be_the_decisions(page: Page, runs: list[int]) -> None:
    plot = opened(page, f"/runs/{runs[0]}/outcome/").locator("#allocated-curves")
    expect(plot.locator(".xtitle")).to_have_text("asked for by arrived pods, % of all cards")
    page.get_by_role("radio", name="what has arrived").focus()
    page.keyboard.press("ArrowRight")
    expect(plot.locator(".xtitle")).to_have_text("decision")
    with page.expect_download() as picture:
        page.get_by_role("button", name="PNG of Given out").click()
    assert picture.value.suggested_filename == f"run-{runs[0]}-allocated.png"
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_policies_are_one_click_from_their_snapshot(
    page: Page, runs: list[int], live_stack: Stack
) -> None:
    _, run = live_stack.request("GET", f"/api/v1/runs/{runs[0]}/", who="alice")
    page.goto(f"/snapshots/{run['snapshot']}/summary/")
    page.get_by_role("link", name="4 policies of cards side by side").click()
    page.locator(".curve-plot").first.scroll_into_view_if_needed()
    expect(page.locator(PLOTS).first).to_be_visible()
    expect(names_in(page)).to_have_text([re.compile(f"^run {run}(:|$)") for run in runs])
    curves = page.locator("#allocated-curves .scatterlayer .js-line")
    expect(curves).to_have_count(4)
    lines = curves.evaluate_all("lines => lines.map((line) => getComputedStyle(line).strokeDasharray)")
    assert len(set(lines)) == 4, "each line has a dash of its own"
    page.get_by_label("Arrived, in percent of all cards").fill("30")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".same-arrival tbody tr")).to_have_count(4)
    expect(page.get_by_label("Arrived, in percent of all cards")).to_have_value("30")
    page.locator(".same-arrival tbody tr").nth(3).get_by_role("link", name=re.compile("^decision")).click()
    page.wait_for_url(re.compile(rf"/runs/{runs[3]}/\?at=\d+"))


def test_the_page_of_two_runs_leads_to_their_cards(page: Page, runs: list[int]) -> None:
    page.goto(f"/compare/?a={runs[0]}&b={runs[3]}")
    page.get_by_role("link", name="Their cards").click()
    page.locator(".curve-plot").first.scroll_into_view_if_needed()
    expect(page.locator(PLOTS).first).to_be_visible()
    page.get_by_text("Other runs").click()
    page.get_by_role("checkbox", name=f"run {runs[1]}: nodes binpack").check()
    page.get_by_role("button", name="Put them side by side").click()
    expect(page.locator(".same-arrival tbody tr")).to_have_count(3)


def test_it_fits_and_is_accessible_at_any_width_and_in_both_themes(
    page: Page, runs: list[int], assert_accessible: Check
) -> None:
    several = "/compare/cards/?" + "&".join(f"run={run}" for run in runs)
    for address in (f"/runs/{runs[1]}/outcome/", several):
        opened(page, address)
        for closed in page.locator("details.disclosure > summary").all():
            closed.press("Enter")
        for width, scheme in WINDOWS:
            page.emulate_media(color_scheme=scheme)
            resized(page, width, 900)
            expect_to_fit(page, width)
            assert_accessible(page)
