"""Answers of runs that have ended are made once, and again only where what they say may have changed."""

from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.words import plain
from dashboard.answers.why import why
from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.results import run_answers
from dashboard.services.results.run_answers import answer_of
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.why_pending import asked
from tests.builders import container, node, pod
from tests.dashboard.test_why_pending import CLUSTER, imported

pytestmark = pytest.mark.django_db

FULL = [
    *CLUSTER,
    *(
        {**pod(f"taken-{name}", namespace="shop", containers=[container(requests={"cpu": "1"})]), "spec": {
            "nodeName": name, "containers": [container(requests={"cpu": "1"})]
        }, "status": {"phase": "Running"}}
        for name in ("a", "b")
    ),
]  # fmt: skip


def finished(user: Any, snapshot: Any, *edits: Any) -> Run:
    scenario = create_scenario(user, {"name": "what if", "snapshot": snapshot, "edits": list(edits)})
    run = start_run(user, scenario)
    execute_run(run.pk)
    return Run.objects.get(pk=run.pk)


def test_an_answer_is_made_once_until_its_form_or_what_it_is_held_against_changes(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    make = run_answers.answer_of_run
    monkeypatch.setattr(run_answers, "answer_of_run", lambda it: made.append(it.run) or make(it))
    run = finished(alice, imported(alice, *FULL, name="once"), {"op": "cordon", "node": "a"})
    first = answer_of(run)
    assert first is not None
    assert first.against is None
    again = answer_of(Run.objects.get(pk=run.pk))
    assert again == first
    assert made == [run.pk]
    assert run.baseline_id is not None
    execute_run(run.baseline_id)
    held = answer_of(Run.objects.get(pk=run.pk))
    assert held is not None
    assert held.against is not None
    assert held.against.name == str(run.baseline_id)
    answer_of(Run.objects.get(pk=run.pk))
    assert made == [run.pk, run.pk]
    monkeypatch.setattr(run_answers, "FORM", run_answers.FORM + 1)
    answer_of(Run.objects.get(pk=run.pk))
    assert made == [run.pk] * 3


def test_an_answer_that_was_made_before_the_run_without_the_edits_ended_does_not_stay(alice: Any) -> None:
    """That run ends between the reading of both rows and the making of the answer."""
    made = finished(alice, imported(alice, *FULL, name="late"), {"op": "cordon", "node": "a"})
    read_before = Run.objects.select_related("baseline").get(pk=made.pk)
    assert made.baseline_id is not None
    execute_run(made.baseline_id)
    early = answer_of(read_before)
    assert early is not None
    assert early.against is None
    later = answer_of(Run.objects.get(pk=made.pk))
    assert later is not None
    assert later.against is not None


def test_a_run_and_its_snapshot_say_the_same_of_the_same_pod(alice: Any, client: Client) -> None:
    snapshot = imported(alice, *FULL, name="same")
    run = finished(alice, snapshot)
    found = asked(snapshot, 60)
    of_snapshot = {
        one.pods.workload or one.pods.names[0]: plain(why(one.answered.cause)) for one in found.found
    }
    answer = answer_of(run)
    assert answer is not None
    [table] = [one for one in answer.tables if one.name == "causes"]
    said = [plain(row[3]) for row in table.rows]
    assert said == [of_snapshot["ReplicaSet/shop/big"], of_snapshot["gated"]]
    assert [plain(cell) for cell in table.rows[0][:3]] == ["3", "Insufficient cpu", "shop/big ×3"]
    assert plain(table.rows[0][4]) == "a: larger than any open node"
    assert plain(table.says) == "asked of the run’s schedulers at its end"
    client.force_login(alice)
    exported = client.get(f"/runs/{run.pk}/outcome/?table=causes&format=json").json()
    assert [(row["cause"], row["workload"], row["pods"]) for row in exported] == [
        ("Insufficient cpu", "ReplicaSet/shop/big", 3),
        ("Scheduling gates", "Pod/shop/gated", 1),
    ]
    assert [row["why"] for row in exported] == said


def test_what_was_not_reached_in_time_is_told_of_a_run(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.results.at_end.ASKED_SECONDS", 0.0)
    run = finished(alice, imported(alice, *FULL, name="late"))
    answer = answer_of(run)
    assert answer is not None
    [table] = [one for one in answer.tables if one.name == "causes"]
    assert [plain(row[1]) for row in table.rows] == ["Insufficient cpu", "Not tried"]
    assert plain(table.says).endswith("; 1 pod was not tried, the time was up")


def test_a_drain_at_an_instant_says_for_how_long_it_is_refused(alice: Any) -> None:
    guard = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "guard", "namespace": "shop"},
        "spec": {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "web"}}},
        "status": {"expectedPods": 1, "desiredHealthy": 1, "currentHealthy": 1, "disruptionsAllowed": 0},
    }
    web = pod("web", namespace="shop", labels={"app": "web"}, containers=[container(requests={"cpu": "1"})])
    web["spec"]["nodeName"] = "a"
    web["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    snapshot = imported(alice, node("a"), node("b"), guard, web, name="guarded")
    run = finished(alice, snapshot, {"op": "drain", "node": "a", "at": 30.0})
    [edit] = run.outcome["incomplete"]
    assert [(one["budgets"], one["lasts"]) for one in edit["refused"]] == [(["shop/guard"], "ever")]
    answer = answer_of(run)
    assert answer is not None
    assert plain(answer.lead).startswith("a never gets empty")
