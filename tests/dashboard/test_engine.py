"""Runs played by the engine itself: a preemption through store, log, states and explanations."""

from typing import Any

import msgspec
import pytest

from dashboard.engine import engine_version, imported_of
from dashboard.errors import LeaseLost
from dashboard.models import Run, Scenario, Snapshot
from dashboard.queries import log
from dashboard.queries.lives import pod_history
from dashboard.services.background import execution, recording
from dashboard.services.workspace import runs, scenarios, trying
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core import ENGINE_VERSION
from scheduler_core.events.explanation import AttemptInFull
from scheduler_core.objects.imports.references import gaps
from scheduler_core.world import Simulation
from tests.dashboard.rows import listing, node, pod, whole_log

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are played by the tests themselves."""
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr("dashboard.services.background.bell.ring", lambda run: None)


@pytest.fixture
def scenario(alice: Any) -> Scenario:
    """Two full nodes, and a pod of priority 1000 that needs room on one of them."""
    small = [pod(f"cart-{number}", node=f"node-{number % 2}", cpu="2") for number in range(4)]
    preemptor = pod("urgent", cpu="2", priority=1000)
    waiting = pod("waiting", cpu="3")
    objects = [node("node-0"), node("node-1"), *small, preemptor, waiting]
    snapshot = import_snapshot(alice, "full", [("", listing(*objects))])
    return scenarios.create_scenario(
        alice, {"snapshot": snapshot, "driver": "instant", "controllers": "none"}
    )


def played(user: Any, scenario: Scenario) -> Run:
    run = runs.start_run(user, scenario)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert run.error == ""
    return run


def test_a_preemption_is_logged_explained_and_summed_up(alice: Any, scenario: Scenario) -> None:
    run = played(alice, scenario)
    assert (run.status, run.engine_version) == ("finished", ENGINE_VERSION)
    assert engine_version() == Simulation.ENGINE_VERSION
    first = log.next_stop(run, 0, log.Filters(outcome="nominated"))
    assert first == 1
    attempt = log.explanation(run, first)
    assert isinstance(attempt, AttemptInFull)
    assert attempt.outcome == "nominated"
    reprieve = log.node_explanation(run, first, "node-0").reprieve
    assert reprieve is not None
    assert reprieve.removed
    assert [row.node for row in log.nodes_explanation(run, first)] == ["node-0", "node-1"]
    assert run.outcome["evicted"] == 1
    assert run.outcome["first_eviction"]["by"] == "shop/urgent"
    assert pod_history(run, run.outcome["first_eviction"]["pod"])[-1]["what"] == "evicted"
    assert run.trust["missing"]


def test_a_pod_whose_nomination_goes_to_somebody_more_important_is_told_so(alice: Any) -> None:
    promised = pod("promised", cpu="1", priority=5)
    promised["status"]["nominatedNodeName"] = "node-0"
    objects = [
        node("node-0"),
        pod("cart", node="node-0", cpu="4"),
        promised,
        pod("urgent", cpu="4", priority=9),
    ]
    snapshot = import_snapshot(alice, "promised", [("", listing(*objects))])
    fields = {"snapshot": snapshot, "driver": "instant", "controllers": "none"}
    run = played(alice, scenarios.create_scenario(alice, fields))
    first = pod_history(run, "shop/promised")[0]
    told = (first["what"], first["seq"], first["node"], first["by"])
    assert told == ("nomination lost", 1, "node-0", "shop/urgent")


def test_every_state_and_explanation_agrees_with_the_engine(alice: Any, scenario: Scenario) -> None:
    run = played(alice, scenario)
    for seq in range(run.decisions, 0, -1):
        attempt = log.explanation(run, seq)
        assert (attempt is not None) == (msgspec.json.decode(log.decision(run, seq))["kind"] == "attempt")
    assert log.state_at(run, run.decisions).at == run.decisions
    assert {row.name for row in log.state_at(run, 0).pods()} >= {"cart-0", "urgent", "waiting"}


def test_a_run_that_is_taken_over_at_every_decision_has_the_same_log(
    alice: Any, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = whole_log(played(alice, scenario))
    monkeypatch.setattr(execution, "CHUNK_DECISIONS", 1)
    run = runs.start_run(alice, scenario)
    store = recording.append_chunk

    def store_and_die(*arguments: Any) -> None:
        store(*arguments)
        raise LeaseLost("killed")

    monkeypatch.setattr(recording, "append_chunk", store_and_die)
    for _ in range(100):
        Run.objects.filter(pk=run.pk).exclude(owner="").update(heartbeat_at="2020-01-01T00:00:00Z")
        execution.execute_run(run.pk)
        run.refresh_from_db()
        if run.has_ended:
            break
    assert run.status == "finished"
    assert run.attempt == run.decisions + 1
    assert whole_log(run) == expected


def test_a_validation_says_what_each_edit_does_or_why_not(alice: Any, scenario: Scenario) -> None:
    scenarios.update_scenario(scenario, 1, {"edits": [{"op": "cordon", "node": "node-0"}]})
    answer = trying.validate_scenario(scenario)
    assert answer["problems"] == []
    assert answer["edits"][0]["op"] == "cordon"
    assert "node-0" in answer["edits"][0]["sentence"]
    scenarios.update_scenario(scenario, 2, {"edits": [{"op": "evict", "pod": "shop/nowhere"}]})
    [problem] = trying.validate_scenario(scenario)["problems"]
    assert problem["object"] == "edits[0]"
    run = runs.start_run(alice, scenario)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "failed"
    assert "nowhere" in run.error
    assert run.problems == [problem]


def test_what_an_import_has_found_missing_is_what_its_objects_lack(alice: Any) -> None:
    gone = pod("gone", node="node-9")
    gone["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "no", "uid": "u", "controller": True}
    ]
    claiming = pod("claims")
    claiming["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "lost"}}]
    snapshot = import_snapshot(alice, "gaps", [("", listing(node("node-0"), gone, claiming))])
    snapshot = Snapshot.objects.get(pk=snapshot.pk)
    found = imported_of(snapshot)
    itself = [(gap.phrase, gap.kinds) for gap in gaps(found.objects)]
    assert len(itself) == 2
    assert [(gap.phrase, gap.kinds) for gap in found.gaps] == itself
    snapshot.lacks = None  # of an older import nothing is known: its objects are looked through
    assert [(gap.phrase, gap.kinds) for gap in imported_of(snapshot).gaps] == itself
