"""Why a pod is still waiting: what woke it, which events did not, its life, and equal pods as one row."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.test_debugger_clock import arriving, opened, part_of_queue
from tests.dashboard.rows import controlled, listing, node, pod
from tests.fixtures.stack import Stack

HEARD = "Woken by the end of shop/short: NodeResourcesFit’s hint"


def copies(name: str, count: int, **fields: Any) -> list[dict[str, Any]]:
    """Pending pods of one ReplicaSet."""
    made = [pod(f"{name}-{number}", **fields) for number in range(count)]
    for one in made:
        one["metadata"]["ownerReferences"] = controlled(name)["metadata"]["ownerReferences"]
    return made


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """The run below, once it was made."""
    return {}


@pytest.fixture
def waiting(live_stack: Stack, runs: dict[str, int]) -> int:
    """`late` waits while a node comes that is too small, until a pod ends; three equal ones fit nowhere."""
    if "waiting" not in runs:
        cluster = listing(node("node-1", cpu="2"), *copies("infer", 3, cpu="64"))
        snapshot = import_by_rest(live_stack, "waiting", cluster)
        small = node("node-2", cpu="1")
        del small["metadata"]["uid"]
        edits = [
            {**arriving("short", "2", 1), "duration": 20},
            arriving("late", "1500m", 5),
            {"op": "add", "at": 8, "manifest": small},
        ]
        scenario = scenario_by_rest(live_stack, snapshot, *edits, driver="timed", until=60)
        runs["waiting"] = run_by_rest(live_stack, scenario)
    return runs["waiting"]


def seq_of(stack: Stack, run: int, kind: str, name: str) -> int:
    """The last decision of a kind about an object or a pod."""
    rows = stack.request("GET", f"/api/v1/runs/{run}/decisions/", who="alice")[1]["results"]
    about = [
        row
        for row in rows
        if row["kind"] == kind and name in (row.get("object"), (row["pod"] or {}).get("name"))
    ]
    return int(about[-1]["seq"])


def test_equal_pods_are_one_row_that_unfolds(
    page: Page, waiting: int, assert_accessible: Callable[[Page], None]
) -> None:
    opened(page, waiting, "?t=4")
    rows = part_of_queue(page, "unschedulable").locator(".queue-row")
    expect(rows).to_have_count(1)
    expect(rows.first).to_have_text(re.compile("shop/web.*×3"))
    expect(rows.first).to_have_attribute("aria-expanded", "false")
    rows.first.focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(4)
    assert_accessible(page)
    rows.nth(2).click()
    expect(page.locator(".pod-card h3").first).to_contain_text("shop/infer-1")


def test_the_tab_says_which_events_did_not_wake_the_pod_and_why(
    page: Page, live_stack: Stack, waiting: int, assert_accessible: Callable[[Page], None]
) -> None:
    came = seq_of(live_stack, waiting, "change", "Node node-2")
    opened(page, waiting, f"?at={came}&pod=uid-infer-0&tab=waiting")
    why = page.locator(".why-not-earlier")
    expect(why.locator("h3")).to_contain_text("since its last attempt: 2 events, 1 skipped, 1 of no concern")
    expect(why.locator("tbody tr")).to_have_text(
        [
            re.compile("a node comes1NodeResourcesFit: the node is too small even if it were empty"),
            re.compile("a pod is placed1NodeResourcesFit does not listen to it"),
        ]
    )
    first = page.locator(".chain-link").first
    expect(first).to_contain_text("is tried again at the latest")
    expect(first).to_contain_text("earlier, for NodeResourcesFit, if a pod goes or asks for less")
    expect(page.locator(".tab-panel .pod-life")).to_contain_text(
        "without an event tried again at the latest 5:30.000"
    )
    assert_accessible(page)


def test_below_the_sentence_stands_what_woke_the_pod(
    page: Page, live_stack: Stack, waiting: int, assert_accessible: Callable[[Page], None]
) -> None:
    ended = seq_of(live_stack, waiting, "change", "Pod shop/short")
    opened(page, waiting, f"?at={ended}")
    box = page.locator(".cause-box")
    expect(box).to_be_hidden()
    part_of_queue(page, "active").get_by_role("button", name=re.compile("late")).click()
    expect(box).to_have_text(f"shop/late · {HEARD}. unschedulable → active.")
    assert_accessible(page)
    tried = seq_of(live_stack, waiting, "attempt", "late")
    opened(page, waiting, f"?at={tried}")
    expect(box).to_contain_text(HEARD)
    box.get_by_role("button", name="shop/short").click()
    expect(page.locator(".pod-card h3").first).to_contain_text("shop/short")


def test_the_card_of_a_pod_shows_its_life_up_to_the_readers_clock(
    page: Page, live_stack: Stack, waiting: int
) -> None:
    tried = seq_of(live_stack, waiting, "attempt", "late")
    opened(page, waiting, f"?at={tried}")
    page.locator(".who-name").click()
    card = page.locator(".pod-card .pod-life")
    expect(card).to_contain_text("✕ 1 failed attempt")
    expect(card.locator(".life-ends")).to_have_text("0:05.000 addednow")
    expect(card.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(r"since 0:05\.000: .*unschedulable 16 s")
    )
    expect(card.locator(".life-attempts span")).to_have_text(["✕", "→"])
    page.keyboard.press("End")
    expect(card.get_by_role("img")).to_have_attribute("aria-label", re.compile("runs"))
