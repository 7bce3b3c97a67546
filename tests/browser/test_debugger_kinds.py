"""A decision of any kind is told: an eviction by its own tabs, an unknown one as far as that goes."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import opened
from tests.browser.stages import ties
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
Rewrite = Callable[[dict[str, Any]], dict[str, Any]]


def run_of(stack: Stack, content: bytes, *edits: dict[str, object]) -> int:
    """A finished run of a cluster."""
    return run_by_rest(stack, scenario_by_rest(stack, import_by_rest(stack, "kinds", content), *edits))


@pytest.fixture(scope="module")
def runs() -> dict[str, int]:
    """Runs by name, each made once."""
    return {}


@pytest.fixture
def run(live_stack: Stack, runs: dict[str, int]) -> int:
    """A run of three decisions."""
    if "ties" not in runs:
        runs["ties"] = run_of(live_stack, ties())
    return runs["ties"]


def rebalanced(decision: dict[str, Any]) -> dict[str, Any]:
    """A decision of a kind that was never heard of, with the same changes."""
    kept = {name: decision[name] for name in ("seq", "pod", "changes")}
    told = {"kind": "rebalance", "outcome": "moved", "actor": "descheduler", "node": decision["chosen"]}
    return {**kept, **told, "time": 90, "message": "The node was too full."}


def with_an_unknown_kind(page: Page, *runs: int, tell_of: Rewrite = rebalanced) -> None:
    """Let the second decision of each log be of a kind that was never heard of."""

    def tell(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            items = message.get("items", [])
            message |= {"items": [tell_of(item) if item["seq"] == 2 else item for item in items]}
            socket.send(json.dumps(message))

        server.on_message(pass_on)
        socket.on_message(lambda acknowledgement: None)  # the server may have closed by then

    for number in runs:
        page.route_web_socket(re.compile(f"/ws/runs/{number}/"), tell)


def test_an_unknown_kind_is_told_by_who_when_outcome_message_and_changes(
    page: Page, run: int, assert_accessible: Check
) -> None:
    with_an_unknown_kind(page, run)
    opened(page, run, "?at=2")
    inspector = page.locator(".inspector")
    expect(inspector.locator(".who-name")).to_have_text("shop/web-2")
    expect(inspector.locator(".badge")).to_have_text("moved")
    expect(inspector.locator(".who")).to_contain_text("by descheduler · at 0.09 s")
    expect(inspector.locator(".say")).to_contain_text("moved (rebalance) on node-2: The node was too full.")
    expect(inspector.get_by_role("tab")).to_have_text(["Changes", "Raw"])
    changes = inspector.locator(".changes li")
    expect(changes.first).to_have_text(re.compile("^shop/web-2 leaves active of .*'s queue at "))
    expect(changes.filter(has_text="shop/web-2 is bound to node-2")).to_have_count(1)
    expect(page.get_by_role("slider", name="decision")).to_have_attribute(
        "aria-valuetext", "decision 2 of 3: moved"
    )
    assert_accessible(page)
    page.keyboard.press("2")
    expect(inspector.locator(".tab-panel")).to_contain_text('"kind": "rebalance"')
    page.keyboard.press("5")
    expect(inspector.get_by_role("tab", name="Raw")).to_have_attribute("aria-selected", "true")
    inspector.locator(".who-name").click()
    expect(inspector.locator(".life li")).to_have_text(re.compile("2 moved"))


def test_a_decision_about_nobody_in_the_run_and_with_no_outcome_breaks_nothing(page: Page, run: int) -> None:
    stranger = {"uid": "nobody", "namespace": "shop", "name": "stranger", "priority": 7}
    bare = {"seq": 2, "kind": "tick", "pod": stranger, "changes": []}
    with_an_unknown_kind(page, run, tell_of=lambda decision: bare)
    opened(page, run, "?at=2")
    expect(page.locator(".inspector .who-name")).to_have_text("shop/stranger")
    expect(page.locator(".inspector .badge")).to_have_count(0)
    expect(page.locator(".inspector .say")).to_have_text("decided (tick). It changes nothing.")
    expect(page.locator(".tab-panel")).to_have_text("This decision changed nothing.")
    expect(page.locator(".queue-none")).to_have_text("no pod of the queue")


def test_a_tab_that_a_kind_lacks_comes_back_with_the_next_decision_that_has_it(page: Page, run: int) -> None:
    with_an_unknown_kind(page, run)
    opened(page, run, "?at=1&tab=scores")
    chosen = page.locator(".inspector [role=tab][aria-selected=true]")
    expect(chosen).to_have_text("Scores")
    page.keyboard.press("ArrowRight")
    expect(chosen).to_have_text("Changes")
    page.keyboard.press("ArrowRight")
    expect(chosen).to_have_text("Scores")


def test_play_may_stop_at_a_decision_of_an_unknown_kind(page: Page, run: int) -> None:
    with_an_unknown_kind(page, run)
    opened(page, run, "?at=0")
    page.locator(".stop-menu summary").click()
    page.get_by_label("a decision of another kind").check()
    page.get_by_role("button", name=re.compile("^next")).click()
    expect(page.locator("[data-part=at]")).to_have_value("2")


def test_without_unknown_kinds_no_such_stop_is_offered(page: Page, run: int) -> None:
    opened(page, run, "?at=1")
    page.locator(".stop-menu summary").click()
    expect(page.get_by_label("a gated pod")).to_be_visible()
    expect(page.get_by_label("a decision of another kind")).to_have_count(0)


def test_two_runs_side_by_side_tell_an_unknown_kind_too(page: Page, live_stack: Stack, run: int) -> None:
    other = run_of(live_stack, ties())
    with_an_unknown_kind(page, run, other)
    page.goto(f"/compare/?a={run}&b={other}&at=2")
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    expect(page.locator(".now-sentence")).to_have_text([re.compile(r"^moved \(rebalance\)")] * 2)


def test_an_eviction_shows_what_it_changed_and_no_tab_of_filters(page: Page, live_stack: Stack) -> None:
    cluster = listing(node("node-1"), node("node-2"), pod("held", node="node-1"))
    number = run_of(live_stack, cluster, {"op": "drain", "node": "node-1"})
    opened(page, number, "?at=1")
    expect(page.locator(".inspector .say")).to_have_text("Is evicted from node-1, as an edit asks.")
    expect(page.locator(".inspector [role=tab]")).to_have_text(["Changes", "Events", "Raw"])
    expect(page.locator(".changes li").first).to_have_text("shop/held is evicted")
    page.get_by_role("tab", name="Events").click()
    expect(page.locator(".kubectl-event header b")).to_have_text("Evicted")


def node_comes(decision: dict[str, Any]) -> dict[str, Any]:
    """A change of the cluster in a run with a clock, which wakes the pod that the decision was about."""
    card = {"name": "node-9", "labels": {}, "allocatable": {"cpu": 4000}, "pod_limit": 10}
    row = {**card, "unschedulable": False, "taints": []}
    wake = {"pod": decision["pod"]["uid"], "source": "unschedulable", "target": "active", "event": "NodeAdd"}
    return {
        **{"seq": decision["seq"], "time": 40000, "actor": "scenario", "cause": None, "kind": "change"},
        **{"pod": None, "outcome": "added", "object": "Node node-9", "edit": 0},
        "wakes": [{**wake, "hints": {"NodeResourcesFit": "Queue"}, "during": []}],
        "heard": [{"event": "NodeAdd", "ignored": False, "asked": 1}],
        "changes": [{"verb": "appear", "table": "nodes", "id": "node-9", "row": row}, *decision["changes"]],
    }


def test_a_change_of_the_cluster_tells_what_comes_and_whom_that_wakes(
    page: Page, run: int, assert_accessible: Check
) -> None:
    with_an_unknown_kind(page, run, tell_of=node_comes)
    opened(page, run, "?at=1")
    page.locator(".stop-menu summary").click()
    page.get_by_label("a preemption").uncheck()
    page.get_by_label("a change of the cluster").check()
    page.get_by_role("button", name=re.compile("^next")).click()
    inspector = page.locator(".inspector")
    expect(inspector.locator(".who-name")).to_have_text("Node node-9")
    expect(inspector.locator(".badge")).to_have_text("comes")
    expect(inspector.locator(".say")).to_have_text(
        "Comes into the cluster, as the edits say. It wakes 1 pod."
    )
    expect(inspector.locator(".who")).to_contain_text("edit 1 · by scenario · at 40 s")
    expect(inspector.locator(".tab-panel section li")).to_have_text(
        [
            "shop/web-2 goes from unschedulable to active by NodeAdd; NodeResourcesFit says Queue",
            "NodeAdd: plugins were asked about 1 pod",
        ]
    )
    expect(page.locator("[data-part=nodes]")).to_have_text("5 nodes")
    assert_accessible(page)


def test_scores_say_what_they_prefer_with_the_weights_of_the_profile(page: Page, live_stack: Stack) -> None:
    weighted = {"name": "NodeResourcesFit", "weight": 9}
    score = {"disabled": [{"name": "*"}], "enabled": [weighted]}
    config = {"profiles": [{"plugins": {"score": score}}]}
    snapshot = import_by_rest(live_stack, "weighted", ties())
    scenario = scenario_by_rest(live_stack, snapshot, scheduler={"profile": "kube-1.36", "config": config})
    opened(page, run_by_rest(live_stack, scenario), "?at=1&tab=scores")
    page.get_by_text("what the plugins prefer").click()
    meanings = page.locator(".score-meanings")
    expect(meanings.locator("dt")).to_have_text(["NodeResourcesFit"])
    expect(meanings.locator("dd")).to_have_text(
        "nodes with the largest share of their resources free 0 to 100, × 9"
    )
