"""What an import finds fault with, and what the cluster had said, as somebody reads it."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]

SAID = "0/1 nodes are available: 1 Insufficient cpu."


def misspelt() -> bytes:
    """A node, seven pods with a misspelt field, on nodes that are missing too, and one that waits."""
    pods = [pod(f"cart-{number}", node="gone", nodeselector={"disk": "ssd"}) for number in range(7)]
    waiting: dict[str, Any] = pod("waits", cpu="1")
    told = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": SAID}
    waiting["status"]["conditions"] = [{**told, "lastTransitionTime": "2026-06-01T08:00:00Z"}]
    return listing(node("node-1"), *pods, waiting)


def test_warnings_are_grouped_and_all_objects_are_listed_on_request(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    number = import_by_rest(live_stack, "misspelt", misspelt())
    page.goto(f"/snapshots/{number}/summary/")
    warnings = page.locator("aside .warnings li")
    expect(warnings.filter(has_text="is an unknown field; did you mean nodeSelector?")).to_have_count(1)
    page.get_by_role("link", name="Each with the objects that it is about").click()
    assert_accessible(page)
    entry = page.locator(".findings > li", has_text="unknown field")
    expect(entry.get_by_text("Pod shop/cart-6 spec.nodeselector")).to_be_hidden()
    entry.get_by_text("7 objects", exact=True).click()
    expect(entry.get_by_text("Pod shop/cart-6 spec.nodeselector")).to_be_visible()
    assert_accessible(page)


def test_what_the_cluster_said_stands_beside_the_decision_that_contradicts_it(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "said", misspelt())
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
    page.goto(f"/runs/{run}/?at=1")
    page.locator("#debugger[data-loaded]").wait_for()
    said = page.locator(".below-sentence")
    expect(said).to_have_text(
        f"The cluster said “{SAID}” on 2026-06-01 08:00:00Z, before anything that this run did."
    )
    assert_accessible(page)
