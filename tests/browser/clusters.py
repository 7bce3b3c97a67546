"""Clusters for browser tests, and the ways by which several tests bring one in."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack, wait_until


def contested() -> bytes:
    """Three full nodes in two zones, an urgent pod that pushes somebody out, and two that fit nowhere."""
    zone = "topology.kubernetes.io/zone"
    return listing(
        node("node-1", **{zone: "a"}),
        node("node-2", **{zone: "a"}),
        node("node-3", **{zone: "b"}),
        pod("cart-1", node="node-1", cpu="3", priority=100),
        pod("cart-2", node="node-2", cpu="3", priority=200),
        pod("cart-3", node="node-3", cpu="3", priority=300),
        pod("urgent", cpu="2", priority=1000),
        pod("huge-1", cpu="64"),
        pod("huge-2", cpu="64"),
    )


def import_by_rest(
    stack: Stack, name: str, content: bytes | None = None, kind: str = "application/json"
) -> int:
    """A ready snapshot, imported by alice, at once or by a worker; its number."""
    status, answer = stack.request(
        "POST",
        f"/api/v1/snapshots/?name={name}",
        content or contested(),
        who="alice",
        headers={"Content-Type": kind},
    )
    assert status in (201, 202), answer
    address = f"/api/v1/snapshots/{answer['id']}/"
    wait_until(lambda: stack.request("GET", address, who="alice")[1].get("status") == "ready")
    return int(answer["id"])


def scenario_by_rest(stack: Stack, snapshot: int, *edits: dict[str, Any], **fields: Any) -> int:
    """A scenario of the snapshot, of which other fields may be named too; its number.

    It has no clock if it names no driver: the pages that are looked at show what is decided at once.
    """
    body = {"name": "what if", "snapshot": snapshot, "driver": "instant", "edits": list(edits), **fields}
    status, answer = stack.request("POST", "/api/v1/scenarios/", body, who="alice")
    assert status == 201, answer
    return int(answer["id"])


def run_by_rest(stack: Stack, scenario: int) -> int:
    """A finished run of the scenario; its number."""
    run = start_by_rest(stack, scenario)
    address = f"/api/v1/runs/{run}/"
    wait_until(lambda: stack.request("GET", address, who="alice")[1]["status"] == "finished")
    return run


def start_by_rest(stack: Stack, scenario: int, rate: float | None = None) -> int:
    """A run of the scenario that has been asked for and is not waited for; its number."""
    body = {"scenario": scenario, "rate": rate}
    status, answer = stack.request("POST", "/api/v1/runs/", body, who="alice")
    assert status == 202, answer
    return int(answer["id"])


def expect_saved(page: Page) -> None:
    """The editor has stored what was changed."""
    expect(page.locator("[data-save-state]")).to_have_text("saved")
