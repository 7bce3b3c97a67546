"""Pages of Volcano's Jobs, pod groups and queues, in a snapshot and in a run; the Order and Gang tabs of a run."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from samples.volcano.sample import volcano_files, volcano_scenarios
from tests.browser.clusters import import_by_rest, run_by_rest
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
PHONE = {"width": 390, "height": 844}


class Made(NamedTuple):
    """A snapshot and its run."""

    snapshot: int
    run: int


def made(stack: Stack, snapshot: int, scenario: dict[str, Any]) -> Made:
    scheduler = {"profile": scenario["profile"], "config": scenario.get("config")}
    body = {"name": "volcano", "snapshot": snapshot, "scheduler": scheduler, "controllers": "none"}
    status, answer = stack.request("POST", "/api/v1/scenarios/", body, who="alice")
    assert status == 201, answer
    return Made(snapshot, run_by_rest(stack, int(answer["id"])))


@pytest.fixture(scope="module")
def queues(live_stack: Stack) -> Made:
    """The sample in which one queue reclaims from another."""
    [(_, text)] = volcano_files("queues")
    [scenario] = volcano_scenarios("queues")
    return made(live_stack, import_by_rest(live_stack, "queues", text, kind="application/yaml"), scenario)


@pytest.fixture(scope="module")
def jobs(live_stack: Stack) -> Made:
    """A Job of Volcano with its pod group and a pod."""
    owner = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "name": "train",
        "uid": "j",
        "controller": True,
    }
    one = pod("train-worker-0", schedulerName="volcano")
    one["metadata"] |= {
        "ownerReferences": [owner],
        "annotations": {"scheduling.k8s.io/group-name": "train-j"},
    }
    job = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train", "namespace": "shop", "uid": "j"},
        "spec": {
            "minAvailable": 1,
            "queue": "default",
            "tasks": [{"name": "worker", "replicas": 1, "template": {"spec": pod("x")["spec"]}}],
        },
        "status": {"state": {"phase": "Pending"}},
    }
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "train-j", "namespace": "shop", "ownerReferences": [owner]},
        "spec": {"minMember": 1, "queue": "default"},
        "status": {"phase": "Pending"},
    }
    snapshot = import_by_rest(live_stack, "jobs", listing(node("node-1"), job, group, one))
    return made(live_stack, snapshot, {"profile": "volcano-1.16"})


@pytest.fixture
def addresses(queues: Made, jobs: Made) -> list[str]:
    """Every page of Volcano's objects."""
    volcano, of_job = f"/snapshots/{queues.snapshot}/volcano", f"/snapshots/{jobs.snapshot}/volcano"
    return [
        f"{volcano}/queues/",
        f"{volcano}/queues/prod/",
        f"{volcano}/podgroups/",
        f"{volcano}/podgroups/ml/rank/",
        f"{of_job}/jobs/",
        f"{of_job}/jobs/shop/train/",
        f"/runs/{queues.run}/queues/prod/",
        f"/runs/{queues.run}/groups/ml/rank/",
        f"/runs/{jobs.run}/jobs/shop/train/",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible(
    page_of: Callable[..., Page], addresses: list[str], assert_accessible: Check, scheme: str
) -> None:
    page = page_of("bob", color_scheme=scheme)
    for address in addresses:
        page.goto(address)
        assert_accessible(page)


def test_the_pages_fit_a_phone(page_of: Callable[..., Page], addresses: list[str], queues: Made) -> None:
    page = page_of("bob", viewport=PHONE, is_mobile=True, has_touch=True)
    widths = {}
    for address in [*addresses, f"/runs/{queues.run}/?at=18&tab=order", f"/runs/{queues.run}/?at=18&tab=gang"]:
        page.goto(address)
        if "?at=" in address:
            page.locator("#debugger[data-loaded]").wait_for()
        widths[address] = page.evaluate(
            "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
        )
    assert {address: found for address, found in widths.items() if found > PHONE["width"]} == {}


def test_the_drawer_leads_from_a_pod_to_its_group_its_queue_and_back(page: Page, queues: Made) -> None:
    page.goto(f"/snapshots/{queues.snapshot}/pods/?group=ml/rank")
    page.get_by_role("link", name="rank-worker-0").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("link", name="ml/rank", exact=True).click()
    expect(drawer).to_contain_text("needs 6 pods at once")
    drawer.get_by_role("link", name="prod", exact=True).click()
    expect(drawer).to_contain_text("weight 3")
    drawer.get_by_role("link", name="ml/rank", exact=True).click()
    expect(drawer.get_by_role("link", name="rank-worker-7")).to_be_visible()


def test_the_order_tab_says_who_decides_and_compares_others(
    page: Page, queues: Made, assert_accessible: Check
) -> None:
    page.goto(f"/runs/{queues.run}/?at=18&tab=order")
    inspector = page.locator(".inspector")
    expect(inspector.get_by_label("what is compared")).to_have_count(0)
    chosen = inspector.get_by_label("the first queue")
    expect(inspector.locator(".order-say")).to_contain_text("comes before")
    inspector.get_by_label("the second queue").select_option("research")
    chosen.select_option("prod")
    expect(inspector.locator(".order-say")).to_contain_text("prod comes before research because of proportion")
    expect(inspector.locator(".order-table tr.selected")).to_contain_text("decides for the first")
    assert_accessible(page)
    chosen.select_option("research")
    expect(inspector.get_by_text("These are the same.")).to_be_visible()


def test_the_gang_tab_tells_the_job_session_by_session(
    page: Page, queues: Made, assert_accessible: Check
) -> None:
    page.goto(f"/runs/{queues.run}/?at=18&tab=gang")
    table = page.locator(".inspector table.gang-sessions")
    rows = table.locator("tbody tr")
    expect(rows.first).to_contain_text("enters its queue")
    expect(rows.first).to_have_attribute("aria-current", "true")
    assert_accessible(page)
    table.get_by_role("button", name="session 2").click()
    expect(page.locator(".inspector .say")).to_contain_text("Committed: 6 pods are bound")
