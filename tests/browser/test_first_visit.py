"""The first visit: nothing of one's own is there yet, and an answer is at most three presses away.

The guide to a scheduler of one's own is walked there afterwards: it needs a product that was started for it.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.guides import ENVIRONMENT, walked_alone
from tests.browser.pages import expect_to_fit
from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.fixtures.stack import Stack, running_stack, wait_until

Check = Callable[[Page], None]

LOAD = """
from dashboard.accounts.first_admin import administrators
from dashboard.services.workspace.samples import load_sample, sample_named
load_sample(administrators().first(), sample_named("Teaching cluster"))
"""
COUNT = """addEventListener("click", ({ isTrusted }) => {
  if (isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)"""


def all_finished(stack: Stack) -> bool:
    """Whether the sample's two runs are played."""
    runs = stack.request("GET", "/api/v1/runs/")[1]["results"]
    return [run["status"] for run in runs] == ["finished"] * 2


@pytest.fixture(scope="module")
def young(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product of this module's own, in which nobody has done anything, with one scheduler more."""
    with running_stack(tmp_path_factory.mktemp("young"), **ENVIRONMENT) as stack:
        stack.add_people()
        yield stack


def test_from_the_first_page_to_the_first_answer_in_two_presses(
    chromium: Browser, young: Stack, assert_accessible: Check
) -> None:
    young.manage("shell", "--no-imports", stdin=LOAD)
    wait_until(lambda: all_finished(young))
    context = chromium.new_context(base_url=young.url, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(ACTION_MILLISECONDS)
    context.add_cookies([young.cookie_of("alice")])
    context.add_init_script(COUNT)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Play it through before anybody moves.")
    expect(page.get_by_role("listitem").filter(has_text="Watch it decide")).to_be_visible()
    assert_accessible(page)

    page.get_by_role("link", name="Watch a preemption", exact=True).click()
    page.locator("#debugger[data-loaded]").wait_for()
    sentence = page.locator(".inspector .say")
    expect(sentence).to_contain_text("none of 8 nodes")
    page.get_by_role("button", name="one decision forwards").click()
    expect(sentence).to_contain_text(
        "Evicting 2 pods on node-b1 makes room: of 6 candidates its highest victim"
    )
    assert page.evaluate("Number(sessionStorage.clicks)") <= 3

    page.goto("/")
    page.get_by_role("link", name="All samples").click()
    expect(page.get_by_role("link", name="Teaching cluster")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    expect_to_fit(page, 390)
    context.close()


def test_the_guide_to_a_scheduler_of_ones_own_is_walked(chromium: Browser, young: Stack) -> None:
    walked_alone(chromium, young).context.close()
