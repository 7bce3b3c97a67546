"""The debugger speaks the words of the kube-scheduler that a run was played with."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import expect_other_picture
from tests.browser.pages import opened as opened_run
from tests.browser.stages import ZONE
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

ZONE_THEN = "failure-domain.beta.kubernetes.io/zone"


def contested() -> bytes:
    """A preemptor, and a thief that comes after it and can only go where the preemptor makes room.

    node-3 is full and tainted at once. `thief` asks for the disk of node-1.
    """
    tainted = node("node-3", **{ZONE: "b"})
    tainted["spec"]["taints"] = [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}]
    preemptor = pod("preemptor", cpu="3", priority=1000)
    thief = pod("thief", cpu="3", priority=500, nodeSelector={"disk": "fast"})
    thief["metadata"]["creationTimestamp"] = "2026-05-01T10:00:10Z"
    return listing(
        node("node-1", disk="fast", **{ZONE: "a"}),
        node("node-2", **{ZONE: "a"}),
        tainted,
        pod("crawler", node="node-1", cpu="4", priority=100),
        pod("indexer", node="node-2", cpu="4", priority=200),
        pod("batch", node="node-3", cpu="4", priority=1),
        preemptor,
        thief,
    )


def unmatched_service() -> bytes:
    """Two nodes in zones, and a first pod of a Service: nothing of it runs yet."""
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "shop", "uid": "uid-web"},
        "spec": {"selector": {"app": "web"}},
    }
    first = pod("web-1")
    first["metadata"]["labels"] = {"app": "web"}
    small = node("node-2", cpu="2", **{ZONE_THEN: "b"})
    return listing(node("node-1", **{ZONE_THEN: "a"}), small, service, first)


def run_under(stack: Stack, content: bytes, profile: str, driver: str, **scheduler: Any) -> int:
    """A finished run of a cluster under a version and a driver."""
    snapshot = import_by_rest(stack, f"{profile}-{driver}", content)
    fields = {"name": f"{profile} {driver}", "driver": driver, "controllers": "none"}
    asked = {"profile": profile, **scheduler}
    return run_by_rest(stack, scenario_by_rest(stack, snapshot, scheduler=asked, **fields))


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """Runs by version and driver, each made once."""
    return {}


def opened(page: Page, stack: Stack, runs: dict[str, int], which: str, query: str) -> Page:
    """A run of the contested cluster, named by version and driver, once its log has been read."""
    if which not in runs:
        runs[which] = run_under(stack, contested(), *which.split())
    return opened_run(page, runs[which], query)


def step(page: Page) -> None:
    """One decision forwards, once it has come."""
    expect(page.locator("[data-part=step]")).to_be_enabled()
    page.keyboard.press("ArrowRight")


def sentence(page: Page) -> Locator:
    """The answer."""
    return page.locator(".inspector .say")


def band(page: Page, words: str) -> Locator:
    """A band of the funnel."""
    return page.get_by_role("button", name=re.compile(words))


def test_1_8_says_that_nothing_holds_the_room_and_then_who_took_it(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=1")
    expect(page.locator(".run-facts")).to_contain_text("kube-1.8")
    expect(page.locator(".queue-order")).to_have_text("first in, first out")
    expect(sentence(page)).to_contain_text(
        "1.8 notes node-1 in an annotation; nothing holds the room until it is tried again."
    )
    expect(page.locator(".nomination-note")).to_contain_text("annotation NominatedNodeName")
    step(page)
    expect(sentence(page)).to_have_text("Goes to node-1, the only one of 3 nodes that fits.")
    step(page)
    expect(sentence(page)).to_contain_text("The room it had made on node-1 was taken by shop/thief.")
    expect(sentence(page)).to_contain_text("Evicting 1 pod on node-2 makes room")
    page.get_by_role("button", name="shop/thief").first.click()
    expect(page.locator(".pod-card")).to_contain_text("on node-1")


def test_1_11_holds_the_room(page: Page, live_stack: Stack, runs: dict[str, int]) -> None:
    opened(page, live_stack, runs, "kube-1.11 fifo", "?at=1")
    expect(page.locator(".nomination-note")).to_contain_text("status.nominatedNodeName")
    step(page)
    expect(sentence(page)).to_contain_text("Fits on none of 3 nodes")
    step(page)
    expect(sentence(page)).to_have_text(
        "Takes node-1, the node it was nominated to: the only one of 3 nodes that fits."
    )


def test_the_table_says_to_whom_a_node_is_promised(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    row = page.get_by_role("region", name="nodes of the cluster").locator("tr", has_text="node-1")
    opened(page, live_stack, runs, "kube-1.11 fifo", "?at=2")
    page.get_by_role("button", name="table").click()
    expect(row).to_contain_text("promised to shop/preemptor")
    step(page)
    expect(row).to_contain_text("chosen")
    expect(row).not_to_contain_text("promised")
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=2")
    page.get_by_role("button", name="table").click()
    expect(row).to_contain_text("nominated for shop/preemptor, not held")


def test_1_8_names_every_predicate_and_the_bars_overlap(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=1&tab=filter")
    rows = page.locator(".band")
    expect(rows).to_have_text(
        [
            re.compile("3 nodes.*3"),
            re.compile("insufficient cpu.*3"),
            re.compile("PodToleratesNodeTaints.*1"),
            re.compile("fit.*0"),
        ]
    )
    expect(page.locator(".tab-panel")).to_contain_text("a node is counted at each, so the bars overlap")
    band(page, "PodToleratesNodeTaints").click()
    listed = page.locator(".node-list li")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("also Insufficient cpu")
    band(page, "insufficient cpu").click()
    expect(listed).to_have_count(3)
    expect(page.locator(".band-origin")).to_contain_text("evicting can't help on 1 of them")


def test_1_11_counts_a_node_at_its_first_predicate(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    opened(page, live_stack, runs, "kube-1.11 fifo", "?at=1&tab=filter")
    expect(page.locator(".band")).to_have_text(
        [re.compile("3 nodes"), re.compile("insufficient cpu.*3"), re.compile("fit.*0")]
    )
    expect(page.locator(".tab-panel")).not_to_contain_text("overlap")


def test_why_not_this_node_names_what_was_asked(page: Page, live_stack: Stack, runs: dict[str, int]) -> None:
    failed = page.locator(".node-section .verdict.failed")
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=1&tab=filter&node=node-3")
    expect(failed).to_have_count(2)
    expect(failed.nth(1)).to_contain_text("PodToleratesNodeTaints: a taint isn't tolerated")
    expect(failed.nth(1)).not_to_contain_text("would fail too")
    opened(page, live_stack, runs, "kube-1.11 fifo", "?at=1&tab=filter&node=node-3")
    expect(failed.nth(1)).to_contain_text("would fail too")


def test_candidates_are_compared_by_the_criteria_of_the_version(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    criteria = page.locator(".candidates thead th")
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=1&tab=preemption")
    expect(criteria).to_have_text(["node", "highest victim", "sum of priorities", "victims"])
    expect(page.locator(".tab-panel")).to_contain_text("In 1.8 evicting is no cure for: nodes that aren't")
    opened(page, live_stack, runs, "kube-1.11 fifo", "?at=1&tab=preemption")
    expect(criteria).to_have_text(
        ["node", "budget violations", "highest victim", "sum of priorities", "victims"]
    )


def test_events_read_as_that_version_printed_them(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    messages = page.locator(".kubectl-event p")
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=1&tab=events")
    expect(messages).to_have_text(
        [
            "No nodes are available that match all of the predicates:"
            " Insufficient cpu (3), PodToleratesNodeTaints (1).",
            "by shop/preemptor on node node-1",
        ]
    )
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=2&tab=events")
    expect(messages).to_have_text("Successfully assigned thief to node-1")
    opened(page, live_stack, runs, "kube-1.11 fifo", "?at=3&tab=events")
    expect(messages).to_have_text("Successfully assigned shop/preemptor to node-1")


def test_1_8_scores_a_single_node_too(page: Page, live_stack: Stack, runs: dict[str, int]) -> None:
    opened(page, live_stack, runs, "kube-1.8 fifo", "?at=2&tab=scores")
    expect(page.locator(".tab-panel")).to_contain_text("The only node that fits; 1.8 scores it all the same.")
    expect(page.locator(".score-row")).to_have_count(1)
    expect(page.locator(".legend-line")).to_contain_text("LeastRequestedPriority")


def test_with_a_grace_period_victims_are_terminating_until_they_are_gone(
    page: Page, live_stack: Stack, runs: dict[str, int]
) -> None:
    opened(page, live_stack, runs, "kube-1.11 grace", "?at=1")
    expect(sentence(page)).to_contain_text("The victim is terminating: until it is gone, it takes its room.")
    expect(page.locator(".legend")).to_contain_text("terminating")
    before = page.locator("[data-part=map]").screenshot()
    step(page)
    expect(sentence(page)).to_contain_text("It may not preempt")
    expect_other_picture(page, before)
    page.get_by_role("button", name="table").click()
    row = page.get_by_role("region", name="nodes of the cluster").locator("tr", has_text="node-1")
    expect(row).to_contain_text("1 pod terminating")
    step(page)
    expect(row).to_contain_text("1 terminating pod gone")


def test_without_pod_priority_the_queue_is_in_turn_and_nobody_preempts(page: Page, live_stack: Stack) -> None:
    run = run_under(live_stack, contested(), "kube-1.11", "instant", config={"podPriority": False})
    opened_run(page, run, "?at=1&tab=preemption")
    expect(page.locator(".queue-order")).to_have_text("first in, first out: podPriority is off")
    expect(page.locator(".tab-panel")).to_contain_text("so nobody preempts")


def test_1_8_divides_zero_by_zero_and_the_page_says_so(page: Page, live_stack: Stack) -> None:
    run = run_under(live_stack, unmatched_service(), "kube-1.8", "fifo")
    opened_run(page, run, "?at=1&tab=scores")
    expect(page.locator(".score-total")).to_have_text(["0÷0", "0÷0"])
    expect(page.locator(".tab-panel .notice")).to_contain_text("divides zero by zero")
    expect(sentence(page)).to_contain_text("(total 0÷0). BalancedResourceAllocation decides: +2 over node-2")
