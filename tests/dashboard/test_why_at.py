"""Why a pod has no node at a decision of a run, asked at that moment of a replay."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from dashboard.errors import NoSuchPod, NotInSession, NotPossibleNow
from dashboard.models import Run, Scenario
from dashboard.queries.log import last_decision, node_explanation, read_decisions
from dashboard.queries.replay import forget_all
from dashboard.queries.why_at import why_at, why_job_at
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace import runs
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_files
from tests.builders import container, node, pod
from tests.dashboard.rows import listing

pytestmark = pytest.mark.django_db


def asking(name: str, cpu: str) -> dict[str, Any]:
    return pod(name, namespace="shop", containers=[container(requests={"cpu": cpu})])


def played(user: Any, snapshot: Any, **settled: Any) -> Run:
    scenario = Scenario.objects.create(name="why", snapshot=snapshot, created_by=user, **settled)
    run = runs.start_run(user, scenario)
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


@pytest.fixture
def run(alice: Any) -> Run:
    forget_all()
    cluster = listing(node("a", cpu="4"), node("b", cpu="3"), asking("first", "3"), asking("next", "3500m"))
    return played(alice, import_snapshot(alice, "why", [("c.json", cluster)]), profile="kube-1.36")


def test_the_answer_is_that_of_the_moment(run: Run) -> None:
    before, after = (why_at(run, "shop/next", at).cause for at in (0, 1))
    assert (before.kind, before.chosen) == ("fits", "a")
    assert (after.kind, after.held[0].node, after.held[0].figure.free) == ("nodes", "b", 3000)


def test_the_run_that_was_asked_goes_on_as_it_was(run: Run) -> None:
    why_at(run, "shop/next", 0)
    assert node_explanation(run, 2, "b", 0).first_failure == "NodeResourcesFit"
    assert why_at(run, "shop/next", 1).cause.kind == "nodes"


def test_who_is_not_there_or_has_a_node_is_told(run: Run) -> None:
    with pytest.raises(NoSuchPod, match="shop/elsewhere"):
        why_at(run, "shop/elsewhere", 0)
    with pytest.raises(NotPossibleNow, match="The pod is on a after decision 1"):
        why_at(run, "shop/first", 1)


def test_rest_says_it_as_a_sentence(run: Run, alice: Any) -> None:
    rest = APIClient()
    rest.force_authenticate(alice)
    body = rest.get(f"/api/v1/runs/{run.pk}/why/?pod=shop/next").json()
    assert body["at"] == 2
    assert body["says"] == "Fits on none of 2 nodes: 2 lack only cpu, the nearest, b, by 500m."
    assert body["marks"] is None


def test_rest_says_every_nodes_part_if_asked(run: Run, alice: Any) -> None:
    rest = APIClient()
    rest.force_authenticate(alice)
    body = rest.get(f"/api/v1/runs/{run.pk}/why/?pod=shop/next&marks=1").json()
    marks = body["marks"]
    assert (marks["nodes"], marks["nearest"], marks["titles"]) == (["a", "b"], "b", ["insufficient cpu"])
    # 3,500m are asked for; a has 1,000m left, b 3,000m.
    assert (marks["first"], marks["number"], marks["short"], marks["rank"]) == (
        [0, 0],
        [1, 1],
        [715, 143],
        [1, 0],
    )
    assert marks["kinds"] == ["far", "middle"]
    assert marks["legend"] == [["middle", "short by up to 50 % of what it asks"], ["far", "more"]]
    assert rest.get(f"/api/v1/runs/{run.pk}/why/?pod=shop/next&marks=all").status_code == 400


def test_in_the_middle_of_a_session_it_is_told_as_far_as_that_has_come(alice: Any) -> None:
    forget_all()
    run = played(alice, import_snapshot(alice, "gang", volcano_files("gang")), profile="volcano-1.16")
    steps = [json.loads(line) for line in read_decisions(run)]
    asks = next(one for one in steps if one["kind"] == "enqueue" and one["outcome"] != "entered")
    opening = max(one["seq"] for one in steps if one["kind"] == "session" and one["seq"] < asks["seq"])
    before, there = (why_job_at(run, asks["job"], at).cause for at in (opening, asks["seq"]))
    assert (before.kind, before.reason) == ("untried", "the session has not come to it so far")
    assert (there.kind, there.gang.job) == ("refused", asks["job"])
    assert why_at(run, f"{there.gang.job}-worker-0", asks["seq"]).cause == there
    with pytest.raises(NotInSession, match="ml/nobody"):
        why_job_at(run, "ml/nobody", opening)
    with pytest.raises(NoSuchPod, match="No pod of the job"):
        why_job_at(run, "ml/nobody", last_decision(run))
    assert why_at(run, "ml/gpt-worker-0", last_decision(run)).cause.kind == "refused"
