"""Before an upgrade: from the page of a cluster to two runs side by side."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest
from tests.dashboard.rows import listing
from tests.dashboard.test_upgrading import BALANCED, nodes_of, unbalanced
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def test_a_cluster_is_run_under_its_release_and_a_newer_one(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "upgrade", listing(*nodes_of("v1.35.0"), *unbalanced()))
    page.goto(f"/snapshots/{snapshot}/summary/")
    expect(page.get_by_text("The nodes' kubelets are of 1.35.")).to_be_visible()
    page.get_by_text("Before you upgrade…").click()
    assert_accessible(page)
    page.get_by_role("button", name="1.35 beside 1.36 the next release").click()
    expect(page.locator(".compare-lead")).to_contain_text(
        f"Under 1.36 instead of 1.35, 1 pod lands on another node, because of {BALANCED} (changed in 1.36)"
    )
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    expect(page.get_by_role("heading", name="What differs between 1.35 and 1.36")).to_be_visible()
    page.get_by_text("other differences, none of which alone changes a decision that was tried").click()
    expect(page.get_by_text("Features that nodes declare are not looked at.")).to_be_visible()
    assert_accessible(page)
