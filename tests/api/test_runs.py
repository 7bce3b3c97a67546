"""Runs and their logs over REST, played by the stand-in engine."""

import json
from typing import Any

import msgspec
import pytest

from dashboard.models import Run, Scenario
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.fold import Fold
from scheduler_core.events.state import RunState
from scheduler_core.objects.problems import BadInput, Problem
from tests.dashboard.rows import listing, new_run, new_scenario, pod

URL = "/api/v1/runs/"

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture
def queued(alice: Any) -> Run:
    """A run that no worker has seen."""
    return new_run(alice, pods=30)


@pytest.fixture
def finished(alice: Any) -> Run:
    """A run of 450 decisions that has been played to its end."""
    run = new_run(alice, pods=450, nodes=7)
    execute_run(run.pk)
    return run


def address(run: Run) -> str:
    return f"{URL}{run.pk}/"


def test_a_run_is_started_and_sent_to_a_worker(
    as_alice: Any, alice: Any, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("dashboard.services.workspace.runs.send_run", sent.append)
    scenario = new_scenario(alice)
    with django_capture_on_commit_callbacks(execute=True):
        answer = as_alice.post(URL, {"scenario": scenario.pk}, format="json")
    assert answer.status_code == 202
    body = answer.json()
    assert (body["status"], body["decisions"], body["scenario"]) == ("queued", 0, scenario.pk)
    assert sent == [body["id"]]
    assert as_alice.get(answer["Location"]).json() == body


def test_a_run_keeps_the_order_in_which_pods_are_to_enter(as_alice: Any, alice: Any) -> None:
    snapshot = import_snapshot(alice, "two", [("", listing(pod("a"), pod("b")))])
    body = {"scenario": new_scenario(alice, snapshot).pk, "schedule": ["shop/b", "shop/a"]}
    answer = as_alice.post(URL, body, format="json")
    assert answer.json()["schedule"] == ["shop/b", "shop/a"]
    assert Run.objects.get().schedule == ["shop/b", "shop/a"]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (["nope/nope"], "there is no pending pod nope/nope"),
        (["shop/cart-1"], "there is no pending pod shop/cart-1"),
        (["shop/cart-2", "shop/cart-2"], "names shop/cart-2 2 times"),
        ([5], "Not a valid string."),
    ],
)
def test_an_impossible_order_is_refused_before_it_is_queued(
    as_alice: Any, alice: Any, schedule: list[Any], message: str
) -> None:
    scenario = new_scenario(alice)
    Scenario.objects.update(edits=[{"op": "cordon", "node": "node-1"}])
    answer = as_alice.post(URL, {"scenario": scenario.pk, "schedule": schedule}, format="json")
    assert answer.status_code == 400
    assert message in [error["message"] for error in answer.json()["errors"]]
    assert not Run.objects.exists()


def test_an_order_may_name_what_an_edit_makes(as_alice: Any, alice: Any) -> None:
    scenario = new_scenario(alice)
    Scenario.objects.update(edits=[{"op": "add", "manifest": pod("late")}])
    body = {"scenario": scenario.pk, "schedule": ["shop/late"]}
    assert as_alice.post(URL, body, format="json").status_code == 202


def test_an_edit_of_a_missing_node_is_refused_unless_an_earlier_edit_may_make_it(
    as_alice: Any, alice: Any
) -> None:
    scenario = new_scenario(alice)
    clone = {"op": "clone-node", "node": "node-1"}
    edits = [{**clone, "enabled": False}, {"op": "drain", "node": "node-9"}, clone, {**clone, "node": "x"}]
    Scenario.objects.update(edits=edits)
    answer = as_alice.post(URL, {"scenario": scenario.pk}, format="json")
    assert answer.status_code == 400
    fault = {"object": "edits[1]", "field": "node", "message": "there is no Node node-9"}
    assert answer.json()["errors"] == [fault]
    Scenario.objects.update(edits=edits[2:])
    assert as_alice.post(URL, {"scenario": scenario.pk}, format="json").status_code == 202


def test_a_run_that_could_not_begin_says_why(as_bob: Any, queued: Run, monkeypatch: Any) -> None:
    problems = [Problem("edits[0]", "node", "there is no Node x"), Problem("schedule", "", "is odd")]

    def refuse(*_: Any, **__: Any) -> None:
        raise BadInput(problems)

    monkeypatch.setattr("dashboard.services.background.execution.simulation_after", refuse)
    execute_run(queued.pk)
    body = as_bob.get(address(queued)).json()
    assert body["status"] == "failed"
    assert body["error"] == "edits[0] node: there is no Node x\nschedule: is odd"
    assert body["problems"] == [json.loads(msgspec.json.encode(problem)) for problem in problems]
    state = as_bob.get(f"{address(queued)}state/")
    assert state.status_code == 409
    assert "failed before its first decision: edits[0] node: there is no Node x" in state.json()["detail"]


@pytest.mark.parametrize("rate", [True, False, "fast"])
def test_a_rate_that_is_no_number_is_refused(as_alice: Any, alice: Any, rate: Any) -> None:
    answer = as_alice.post(URL, {"scenario": new_scenario(alice).pk, "rate": rate}, format="json")
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["rate"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "scenario"), ({"scenario": 12345}, "scenario"), ({"scenario": None}, "scenario"),
        ({"scenario": [1]}, "scenario"), ({"scenario": 1, "rates": 1}, "scenario"),
    ],
)  # fmt: skip
def test_a_run_without_a_scenario_is_a_problem(as_alice: Any, body: dict[str, Any], field: str) -> None:
    answer = as_alice.post(URL, body, format="json")
    assert answer.status_code == 400
    assert field in [error["field"] for error in answer.json()["errors"]]


def test_a_queued_run_is_paused_resumed_and_cancelled(as_alice: Any, queued: Run) -> None:
    statuses = []
    for verb in ("pause", "resume", "cancel"):
        answer = as_alice.post(f"{address(queued)}{verb}/")
        assert answer.status_code == 202
        statuses.append(answer.json()["status"])
    assert statuses == ["paused", "queued", "cancelled"]
    for verb in ("pause", "resume", "cancel"):
        answer = as_alice.post(f"{address(queued)}{verb}/")
        assert answer.status_code == 409
        assert answer["Content-Type"] == "application/problem+json"


def test_what_a_request_answers_does_not_grow_with_the_runs_edits(as_alice: Any, queued: Run) -> None:
    Run.objects.filter(pk=queued.pk).update(edits=[{"op": "cordon", "node": "n" * 1000}] * 1000)
    for verb in ("pause", "resume", "cancel"):
        answer = as_alice.post(f"/api/v1/runs/{queued.pk}/{verb}/")
        assert answer.status_code == 202
        assert len(answer.content) < 5000


def test_the_rate_is_set_and_taken_back(as_alice: Any, queued: Run) -> None:
    assert as_alice.patch(address(queued), {"rate": 2.5}, format="json").json()["rate"] == 2.5
    assert as_alice.patch(address(queued), {"rate": None}, format="json").json()["rate"] is None


@pytest.mark.parametrize("rate", [0, -1, "fast", 10**9, True, [1], {}])
def test_a_rate_that_makes_no_sense_is_a_problem(as_alice: Any, queued: Run, rate: Any) -> None:
    answer = as_alice.patch(address(queued), {"rate": rate}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "rate"


def test_the_rate_of_a_run_that_has_ended_cannot_be_set(as_alice: Any, finished: Run) -> None:
    assert as_alice.patch(address(finished), {"rate": 1}, format="json").status_code == 409
    assert as_alice.patch(address(finished), {"pinned": True}, format="json").json()["pinned"] is True


def test_a_run_is_deleted_with_its_log(as_alice: Any, finished: Run) -> None:
    assert as_alice.delete(address(finished)).status_code == 204
    assert as_alice.get(address(finished)).status_code == 404


def test_a_run_that_has_not_ended_is_deleted_only_with_cascade(as_alice: Any, queued: Run) -> None:
    assert as_alice.delete(address(queued)).status_code == 409
    assert as_alice.delete(f"{address(queued)}?cascade=true").status_code == 204


def test_runs_are_listed_by_status_and_scenario(as_bob: Any, queued: Run, finished: Run) -> None:
    rows = as_bob.get(URL).json()["results"]
    assert [row["id"] for row in rows] == [finished.pk, queued.pk]
    assert [row["id"] for row in as_bob.get(URL, {"status": "finished"}).json()["results"]] == [finished.pk]
    by_scenario = as_bob.get(URL, {"scenario": queued.scenario_id}).json()["results"]
    assert [row["id"] for row in by_scenario] == [queued.pk]
    assert as_bob.get(URL, {"status": "done"}).status_code == 400


def test_a_finished_run_tells_its_outcome(as_bob: Any, finished: Run) -> None:
    body = as_bob.get(address(finished)).json()
    assert (body["status"], body["decisions"]) == ("finished", 450)
    assert body["outcome"]
    assert body["trust"]["nodes_scored"] == "all"


def test_the_log_is_read_in_order_page_by_page(as_bob: Any, finished: Run) -> None:
    where, found = f"{address(finished)}decisions/?limit=200", []
    while where:
        page = as_bob.get(where).json()
        found += page["results"]
        where = page["next"]
    assert [row["seq"] for row in found] == list(range(1, 451))
    for row in found:
        decision_decoder.decode(json.dumps(row))


def test_after_excludes_the_number_itself(as_bob: Any, finished: Run) -> None:
    page = as_bob.get(f"{address(finished)}decisions/", {"after": 448}).json()
    assert [row["seq"] for row in page["results"]] == [449, 450]
    assert page["next"] is None
    assert as_bob.get(f"{address(finished)}decisions/", {"after": 450}).json()["results"] == []


def test_a_page_that_ends_with_the_log_has_no_next(as_bob: Any, finished: Run) -> None:
    assert as_bob.get(f"{address(finished)}decisions/", {"limit": 450}).json()["next"] is None
    assert as_bob.get(f"{address(finished)}decisions/", {"limit": 449}).json()["next"]


def test_the_log_is_filtered(as_bob: Any, finished: Run) -> None:
    def read(**query: Any) -> list[dict[str, Any]]:
        answer = as_bob.get(f"{address(finished)}decisions/", query)
        assert answer.status_code == 200
        return list(answer.json()["results"])

    assert [row["seq"] for row in read(pod="shop/cart-9")] == [9]
    assert [row["seq"] for row in read(pod="uid-9")] == [9]
    assert read(pod="other/cart-9") == []
    nominated = read(outcome="nominated")
    assert nominated
    assert all(row["outcome"] == "nominated" for row in nominated)
    both = read(outcome="nominated,unschedulable", kind="attempt")
    assert len(both) > len(nominated)
    assert all(row["chosen"] == "node-3" or row["nominated_after"] == "node-3" for row in read(node="node-3"))
    assert read(kind="eviction") == []
    assert read(kind="scale-up") == []
    assert read(outcome="removed") == []
    assert all(row["pod"]["priority"] == 2 for row in read(min_priority=2))


def test_filtered_pages_follow_each_other(as_bob: Any, finished: Run) -> None:
    where, found = f"{address(finished)}decisions/?outcome=unschedulable&limit=7", []
    while where:
        page = as_bob.get(where).json()
        found += [row["seq"] for row in page["results"]]
        where = page["next"]
    everything = as_bob.get(f"{address(finished)}decisions/", {"outcome": "unschedulable"}).json()["results"]
    assert found == [row["seq"] for row in everything]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 5001}, {"limit": 0}, {"after": -1}, {"after": "x"}, {"kind": "X"}, {"kind": "a b"},
        {"kind": "k" * 65}, {"outcome": "a;b"}, {"outcome": "scheduled,"},
        {"min_priority": 2**31}, {"pod": "a\x00"}, {"after": "9" * 30},
    ],
)  # fmt: skip
def test_a_query_of_the_log_that_makes_no_sense_is_a_problem(as_bob: Any, finished: Run, query: Any) -> None:
    assert as_bob.get(f"{address(finished)}decisions/", query).status_code == 400


def test_one_decision_is_the_recorded_one_and_more(as_bob: Any, finished: Run) -> None:
    whole = as_bob.get(f"{address(finished)}decisions/11/").json()
    recorded = as_bob.get(f"{address(finished)}decisions/", {"after": 10, "limit": 1}).json()["results"][0]
    assert {key: whole[key] for key in recorded} == recorded
    assert whole["next"] is None
    assert as_bob.get(f"{address(finished)}decisions/451/").status_code == 404
    assert as_bob.get(f"{address(finished)}decisions/0/").status_code == 404


def test_a_node_of_a_decision_is_explained(as_bob: Any, finished: Run) -> None:
    assert as_bob.get(f"{address(finished)}decisions/11/nodes/node-3/").json()["node"] == "node-3"
    missing = as_bob.get(f"{address(finished)}decisions/11/nodes/node-99/")
    assert missing.status_code == 404
    assert "node-99" in missing.json()["detail"]


def test_the_nodes_of_a_decision_are_paged(as_bob: Any, finished: Run) -> None:
    page = as_bob.get(f"{address(finished)}decisions/11/nodes/", {"limit": 4}).json()
    rest = as_bob.get(page["next"]).json()
    assert [row["node"] for row in page["results"] + rest["results"]] == [f"node-{n}" for n in range(7)]
    assert rest["next"] is None


def test_a_decision_of_another_engine_is_a_conflict_and_never_a_mixture(as_bob: Any, finished: Run) -> None:
    Run.objects.filter(pk=finished.pk).update(engine_version="fake-0")
    answer = as_bob.get(f"{address(finished)}decisions/11/")
    assert answer.status_code == 409
    assert "fake-0" in answer.json()["detail"]


def test_the_state_is_the_fold_of_the_log(as_bob: Any, finished: Run) -> None:
    state = as_bob.get(f"{address(finished)}state/", {"at": 0}).json()
    fold = Fold(msgspec.convert(state, RunState))
    for row in as_bob.get(f"{address(finished)}decisions/").json()["results"]:
        fold.apply(decision_decoder.decode(json.dumps(row)))
        if fold.at in (1, 200, 201, 450):
            there = as_bob.get(f"{address(finished)}state/", {"at": fold.at}).json()
            assert msgspec.convert(there, RunState) == fold.state()
    assert as_bob.get(f"{address(finished)}state/").json()["at"] == 450
    assert as_bob.get(f"{address(finished)}state/", {"at": 451}).status_code == 404


def test_a_run_that_has_not_begun_has_no_state(as_bob: Any, queued: Run) -> None:
    answer = as_bob.get(f"{address(queued)}state/")
    assert answer.status_code == 409
    assert as_bob.get(f"{address(queued)}decisions/").json() == {"results": [], "next": None}
    assert as_bob.get(f"{address(queued)}decisions/1/").status_code == 404


def test_the_state_is_also_a_kubernetes_list(as_bob: Any, finished: Run) -> None:
    body = as_bob.get(f"{address(finished)}state/", {"at": 3, "format": "list"}).json()
    assert (body["apiVersion"], body["kind"]) == ("v1", "List")
    bound = [item["metadata"]["uid"] for item in body["items"]
             if item["kind"] == "Pod" and item["spec"].get("nodeName")]  # fmt: skip
    assert bound == ["uid-1", "uid-2", "uid-3"]
    assert as_bob.get(f"{address(finished)}state/", {"format": "yaml"}).status_code == 400


def test_the_time_line_counts_every_decision_once(as_bob: Any, finished: Run) -> None:
    line = as_bob.get(f"{address(finished)}timeline/", {"buckets": 10}).json()
    assert line["decisions"] == 450
    assert len(line["buckets"]) == 10
    assert sum(sum(bucket["counts"].values()) for bucket in line["buckets"]) == 450
    assert as_bob.get(f"{address(finished)}timeline/", {"buckets": 0}).status_code == 400


def test_stops_are_found_in_both_directions(as_bob: Any, finished: Run) -> None:
    url = f"{address(finished)}stops/"
    first = as_bob.get(url, {"after": 0, "outcome": "nominated"}).json()["seq"]
    second = as_bob.get(url, {"after": first, "outcome": "nominated"}).json()["seq"]
    assert first < second
    assert as_bob.get(url, {"before": second, "outcome": "nominated"}).json()["seq"] == first
    assert as_bob.get(url, {"before": first, "outcome": "nominated"}).json()["seq"] is None
    assert as_bob.get(url).status_code == 400
    assert as_bob.get(url, {"after": 1, "before": 5}).status_code == 400
