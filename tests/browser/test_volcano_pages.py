"""Pages of Volcano's Jobs, pod groups and queues, in a snapshot and in a run; the tabs Order and Gang."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.volcano_clusters import VolcanoRuns

Check = Callable[[Page], None]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def queues(volcano_runs: VolcanoRuns) -> int:
    """The run of the sample in which one queue reclaims from another."""
    return volcano_runs["queues"]


@pytest.fixture
def addresses(volcano_runs: VolcanoRuns, queues: int) -> list[str]:
    """Every page of Volcano's objects."""
    volcano, of_job = (f"/snapshots/{volcano_runs.snapshot(name)}/volcano" for name in ("queues", "job"))
    return [
        f"{volcano}/queues/",
        f"{volcano}/queues/prod/",
        f"{volcano}/podgroups/",
        f"{volcano}/podgroups/ml/rank/",
        f"{of_job}/jobs/",
        f"{of_job}/jobs/shop/train/",
        f"/runs/{queues}/queues/prod/",
        f"/runs/{queues}/groups/ml/rank/",
        f"/runs/{volcano_runs['job']}/jobs/shop/train/",
    ]


def test_the_pages_are_accessible_in_both_themes(
    page_of: Callable[..., Page], addresses: list[str], assert_accessible_in_both_themes: Check
) -> None:
    page = page_of("bob")
    for address in addresses:
        page.goto(address)
        assert_accessible_in_both_themes(page)


def test_the_pages_fit_a_phone(page_of: Callable[..., Page], addresses: list[str], queues: int) -> None:
    page = page_of("bob", viewport=PHONE, is_mobile=True, has_touch=True)
    widths = {}
    for address in [
        *addresses,
        f"/runs/{queues}/?at=18&tab=order",
        f"/runs/{queues}/?at=18&tab=gang",
    ]:
        page.goto(address)
        if "?at=" in address:
            page.locator("#debugger[data-loaded]").wait_for()
        widths[address] = page.evaluate(
            "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
        )
    assert {address: found for address, found in widths.items() if found > PHONE["width"]} == {}


def test_the_drawer_leads_from_a_pod_to_its_group_its_queue_and_back(
    page: Page, volcano_runs: VolcanoRuns
) -> None:
    page.goto(f"/snapshots/{volcano_runs.snapshot('queues')}/pods/?group=ml/rank")
    page.get_by_role("link", name="rank-worker-0").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("link", name="ml/rank", exact=True).click()
    expect(drawer).to_contain_text("needs 6 pods at once")
    drawer.get_by_role("link", name="prod", exact=True).click()
    expect(drawer).to_contain_text("weight 3")
    drawer.get_by_role("link", name="ml/rank", exact=True).click()
    expect(drawer.get_by_role("link", name="rank-worker-7")).to_be_visible()


def test_the_order_tab_says_who_decides_and_compares_others(
    page: Page, queues: int, assert_accessible: Check
) -> None:
    page.goto(f"/runs/{queues}/?at=18&tab=order")
    inspector = page.locator(".inspector")
    chosen = inspector.get_by_label("the first queue")
    expect(inspector.locator(".order-say")).to_contain_text("comes before")
    expect(inspector.get_by_label("what is compared").get_by_role("option")).to_have_text(["queues", "pods"])
    inspector.get_by_label("the second queue").select_option("research")
    chosen.select_option("prod")
    expect(inspector.locator(".order-say")).to_contain_text(
        "prod comes before research because of proportion"
    )
    expect(inspector.locator(".order-table tr.selected")).to_contain_text("decides for the first")
    assert_accessible(page)
    chosen.focus()
    chosen.select_option("research")
    expect(inspector.get_by_text("These are the same.")).to_be_visible()
    expect(chosen).to_be_focused()
    neighbour = inspector.locator(".order-list").get_by_role("button").first
    neighbour.press("Enter")
    expect(inspector.locator(".order-say")).to_be_visible()
    expect(neighbour).to_be_focused()


def test_the_gang_tab_tells_the_job_session_by_session(
    page: Page, queues: int, assert_accessible: Check
) -> None:
    page.goto(f"/runs/{queues}/?at=18&tab=gang")
    table = page.locator(".inspector table.gang-sessions")
    rows = table.locator("tbody tr")
    expect(rows.first).to_contain_text("enters its queue")
    expect(rows.first).to_have_attribute("aria-current", "true")
    assert_accessible(page)
    table.get_by_role("button", name="session 2").click()
    expect(page.locator(".inspector .say")).to_contain_text("Committed: 6 pods are bound")


def test_a_queue_is_changed_from_its_row_with_the_present_value_struck_through(
    page_of: Callable[..., Page], volcano_runs: VolcanoRuns, assert_accessible: Check
) -> None:
    page = page_of("alice")
    page.goto(f"/snapshots/{volcano_runs.snapshot('queues')}/volcano/queues/")
    page.get_by_role("button", name="Change queue prod and run").click()
    page.wait_for_url("**/scenarios/*/#last-edit")
    form = page.locator(".edit").last
    expect(form.get_by_label("Queue", exact=True)).to_have_value("prod")
    weight = form.locator("[data-present=weight]")
    expect(weight).to_have_text("now 3")
    form.get_by_label("Weight").fill("5")
    expect(weight.locator("del")).to_have_text("3")
    expect(form.locator("[data-present=capability]")).to_have_text("now none")
    form.get_by_label("May other queues reclaim from it").select_option("no")
    sentence = form.locator(".edit-sentence")
    expect(sentence).to_have_text("Queue prod: weight 3 → 5, reclaimable yes → no")
    assert_accessible(page)
    form.get_by_label("Weight").fill("")
    expect(weight).to_have_text("now 3")
    expect(sentence).to_have_text("Queue prod: reclaimable yes → no")
