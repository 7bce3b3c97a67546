"""At the width of a phone every page fits: wide tables scroll in a box of their own, long names give way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.stages import LONG, wide
from tests.fixtures.stack import Stack

PHONE = {"width": 390, "height": 844}
NODE = f"worker-00.{LONG}"
TABS = ("filter", "scores", "preemption", "events", "raw")


@pytest.fixture(scope="module")
def addresses(live_stack: Stack) -> list[str]:
    """Every page, of a cluster with long names and many candidates."""
    snapshot = import_by_rest(live_stack, f"snapshot-{LONG}", wide())
    scenario = scenario_by_rest(live_stack, snapshot, {"op": "drain", "node": NODE})
    run, other = run_by_rest(live_stack, scenario), run_by_rest(live_stack, scenario)
    snapshots = [f"/snapshots/{snapshot}/{part}" for part in ("", "nodes/", "pods/", "workloads/")]
    debugger = [f"/runs/{run}/?at=0", *(f"/runs/{run}/?at=2&node={NODE}&tab={tab}" for tab in TABS)]
    compare = ["/compare/", f"/compare/?a={run}", f"/compare/?a={run}&b={other}"]
    of_run = [
        f"/runs/{run}/outcome/",
        f"/runs/{run}/nodes/{NODE}/",
        f"/runs/{run}/pods/{pod_of(live_stack, run)}/",
    ]
    plain = [
        "/",
        "/snapshots/",
        "/snapshots/import/",
        "/scenarios/",
        "/runs/",
        "/accounts/",
        "/accounts/users/",
    ]
    return [*plain, *snapshots, f"/scenarios/{scenario}/", *debugger, *of_run, *compare]


def pod_of(stack: Stack, run: int) -> str:
    """The uid of the pod that the run's last decision is about."""
    _, page = stack.request("GET", f"/api/v1/runs/{run}/decisions/?outcome=unschedulable", who="alice")
    return str(page["results"][0]["pod"]["uid"])


def width(page: Page) -> int:
    """How wide the page is, with all that sticks out of it."""
    return int(
        page.evaluate("() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    )


def test_every_page_fits_a_phone(page_of: Callable[..., Page], addresses: list[str]) -> None:
    page = page_of("dora", viewport=PHONE, is_mobile=True, has_touch=True)
    widths = {}
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, address
        if "?at=" in address:
            page.locator("#debugger[data-loaded]").wait_for()
            page.wait_for_load_state("networkidle")
        widths[address] = width(page)
    assert {address: found for address, found in widths.items() if found > PHONE["width"]} == {}


def test_the_debuggers_table_scrolls_in_its_box_on_a_phone(
    page_of: Callable[..., Page], addresses: list[str]
) -> None:
    page = page_of("dora", viewport=PHONE, is_mobile=True, has_touch=True)
    page.goto(next(address for address in addresses if "?at=2" in address))
    page.locator("#debugger[data-loaded]").wait_for()
    page.get_by_role("button", name="table", exact=True).click()
    page.get_by_role("region", name="nodes of the cluster").wait_for()
    assert width(page) <= PHONE["width"]
