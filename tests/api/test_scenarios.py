"""Scenarios over REST: creating, changing under If-Match, trying, deleting."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dashboard.models import Scenario
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.objects.problems import BadInput, Problem
from tests.dashboard.rows import guarded_node, listing, new_run, new_scenario, new_snapshot

URL = "/api/v1/scenarios/"


@pytest.fixture
def snapshot(alice: Any) -> int:
    """The number of a ready snapshot."""
    return int(new_snapshot(alice).pk)


@pytest.fixture
def scenario(as_alice: Any, snapshot: int) -> dict[str, Any]:
    """A scenario as its creation answered."""
    body = {"name": "drain", "snapshot": snapshot, "edits": [{"op": "drain", "node": "node-1"}]}
    answer = as_alice.post(URL, body, format="json")
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def address(scenario: dict[str, Any]) -> str:
    return f"{URL}{scenario['id']}/"


def test_a_scenario_is_created_as_the_interfaces_page_writes_it(as_alice: Any, snapshot: int) -> None:
    body = {
        "name": "what if", "snapshot": snapshot, "scheduler": {"profile": "kube-1.36", "config": None},
        "driver": "instant", "controllers": "recreate", "edits": [{"op": "cordon", "node": "node-1"}],
        "seed": None,
    }  # fmt: skip
    answer = as_alice.post(URL, body, format="json")
    assert answer.status_code == 201
    assert {key: answer.json()[key] for key in body} == body
    assert answer.json()["version"] == 1
    assert answer["ETag"] == '"1"'
    assert as_alice.get(answer["Location"]).json() == answer.json()


POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        ({"op": "add", "manifest": POD, "replicas": -1}, "replicas"),
        ({"op": "add", "manifest": POD, "replicas": 10**9}, "replicas"),
        ({"op": "scale", "kind": "Job", "name": "j", "replicas": -1}, "replicas"),
        ({"op": "clone-node", "node": "node-1", "count": 0}, "count"),
        ({"op": "clone-node", "node": "node-1", "count": 10**9}, "count"),
        ({"op": "add", "manifest": POD, "duration": 0}, "duration"),
        ({"op": "cordon", "node": "node-1", "at": -1}, "at"),
    ],
)
def test_numbers_that_no_cluster_makes_sense_of_are_not_stored(
    as_alice: Any, snapshot: int, edit: dict[str, Any], field: str
) -> None:
    body = {"snapshot": snapshot, "driver": "timed", "edits": [{"op": "cordon", "node": "node-1"}, edit]}
    answer = as_alice.post(URL, body, format="json")
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert (error["object"], error["field"]) == ("edits[1]", field)
    assert not Scenario.objects.exists()


def test_a_list_counts_edits_without_reading_them(as_alice: Any, scenario: dict[str, Any]) -> None:
    assert [row["edits"] for row in as_alice.get(URL).json()["results"]] == [1]
    edits = [{"op": "cordon", "node": "node-1"}] * 3
    changed = as_alice.patch(address(scenario), {"edits": edits}, format="json", HTTP_IF_MATCH="*")
    assert changed.status_code == 200, changed.content
    with CaptureQueriesContext(connection) as queries:
        assert [row["edits"] for row in as_alice.get(URL).json()["results"]] == [3]
    assert not any('"edits"' in query["sql"] for query in queries)


def test_what_is_not_sent_has_its_default(as_alice: Any, snapshot: int) -> None:
    body = as_alice.post(URL, {"snapshot": snapshot}, format="json").json()
    assert body["scheduler"] == {"profile": "kube-1.37", "config": None}
    assert (body["driver"], body["controllers"], body["edits"], body["seed"]) == (
        "instant", "recreate", [], None,
    )  # fmt: skip
    assert body["name"]


@pytest.mark.parametrize(
    ("fault", "field"),
    [
        ({"driver": "slow"}, "driver"),
        ({"controllers": "maybe"}, "controllers"),
        ({"seed": 2**63}, "seed"),
        ({"seed": "seven"}, "seed"),
        ({"edits": {}}, "edits"),
        ({"edits": ["cordon"]}, "edits.0"),
        ({"edits": [{"op": "explode"}]}, "op"),
        ({"driver": "instant", "edits": [{"op": "cordon", "node": "node-1", "at": 5}]}, "at"),
        ({"driver": "instant", "until": 60}, "until"),
        ({"driver": "instant", "attempt_seconds": 1}, "attempt_seconds"),
        ({"driver": "instant", "ready_seconds": 5}, "ready_seconds"),
        ({"driver": "timed", "ready_seconds": 0}, "ready_seconds"),
        ({"driver": "timed", "ready_seconds": 315_360_001}, "ready_seconds"),
        ({"driver": "timed", "ready_seconds": None}, "ready_seconds"),
        ({"driver": "timed", "until": 0}, "until"),
        ({"driver": "timed", "until": 315_360_001}, "until"),
        ({"driver": "timed", "until": True}, "until"),
        ({"driver": "timed", "until": "nan"}, "until"),
        ({"driver": "timed", "attempt_seconds": 0.0001}, "attempt_seconds"),
        ({"driver": "timed", "attempt_seconds": 61}, "attempt_seconds"),
        ({"driver": "timed", "attempt_seconds": None}, "attempt_seconds"),
        ({"snapshot": 999_999}, "snapshot"),
        ({"snapshot": 2**70}, "snapshot"),
        ({"snapshot": True}, "snapshot"),
        ({"scheduler": {"profile": "kube-1.36", "conf": {}}}, "scheduler.conf"),
        ({"scheduler": "kube-1.36"}, "scheduler"),
        ({"schedulers": {}}, "schedulers"),
        ({"name": "x" * 201}, "name"),
    ],
)
def test_a_faulty_field_is_named(as_alice: Any, snapshot: int, fault: dict[str, Any], field: str) -> None:
    answer = as_alice.post(URL, {"snapshot": snapshot, **fault}, format="json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert field in [error["field"] for error in answer.json()["errors"]]


def test_the_settings_of_the_clock_are_written_read_and_frozen(as_alice: Any, snapshot: int) -> None:
    clock = {"driver": "timed", "until": 90.5, "attempt_seconds": 2, "ready_seconds": 0.5}
    created = as_alice.post(URL, {"snapshot": snapshot, **clock}, format="json").json()
    assert {name: created[name] for name in clock} == clock
    run = as_alice.post("/api/v1/runs/", {"scenario": created["id"]}, format="json").json()
    frozen = as_alice.get(f"/api/v1/runs/{run['id']}/").json()
    assert {name: frozen[name] for name in clock} == clock
    [row] = as_alice.get(URL).json()["results"]
    assert {name: row[name] for name in clock} == clock
    usual = {"until": None, "attempt_seconds": 0.01, "ready_seconds": 20}
    answer = as_alice.post(URL, {"snapshot": snapshot, **usual}, format="json").json()
    assert {name: answer[name] for name in usual} == usual


def test_a_snapshot_is_required(as_alice: Any) -> None:
    answer = as_alice.post(URL, {"name": "nothing"}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "snapshot"


def test_a_change_names_the_version_that_it_is_based_on(as_alice: Any, scenario: dict[str, Any]) -> None:
    answer = as_alice.patch(
        address(scenario), {"name": "drain all"}, format="json", headers={"If-Match": '"1"'}
    )
    assert answer.status_code == 200
    assert answer.json()["name"] == "drain all"
    assert answer.json()["edits"] == scenario["edits"]
    assert answer["ETag"] == '"2"'


def test_a_change_without_a_version_is_428(as_alice: Any, scenario: dict[str, Any]) -> None:
    answer = as_alice.patch(address(scenario), {"name": "x"}, format="json")
    assert answer.status_code == 428
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("tag", ['"7"', '"0"', "nonsense", '"1', 'W/"2"'])
def test_a_change_to_another_version_is_412_and_changes_nothing(
    as_alice: Any, scenario: dict[str, Any], tag: str
) -> None:
    answer = as_alice.patch(address(scenario), {"name": "x"}, format="json", headers={"If-Match": tag})
    assert answer.status_code == 412
    assert as_alice.get(address(scenario)).json() == scenario


@pytest.mark.parametrize("tag", ["*", 'W/"1"', '"9", "1"'])
def test_a_matching_tag_may_be_any_weak_or_one_of_several(
    as_alice: Any, scenario: dict[str, Any], tag: str
) -> None:
    answer = as_alice.patch(address(scenario), {"name": "x"}, format="json", headers={"If-Match": tag})
    assert answer.status_code == 200


def test_of_two_changes_to_the_same_version_one_wins(as_alice: Any, scenario: dict[str, Any]) -> None:
    headers = {"If-Match": '"1"'}
    first = as_alice.patch(address(scenario), {"seed": 1}, format="json", headers=headers)
    second = as_alice.patch(address(scenario), {"seed": 2}, format="json", headers=headers)
    assert (first.status_code, second.status_code) == (200, 412)
    assert as_alice.get(address(scenario)).json()["seed"] == 1


def test_the_whole_answer_may_be_sent_back(as_alice: Any, scenario: dict[str, Any]) -> None:
    body = {**scenario, "name": "renamed"}
    answer = as_alice.patch(address(scenario), body, format="json", headers={"If-Match": '"1"'})
    assert answer.status_code == 200
    assert answer.json()["name"] == "renamed"


def test_a_change_of_the_scheduler_keeps_what_it_does_not_name(
    as_alice: Any, scenario: dict[str, Any]
) -> None:
    config = {"kind": "KubeSchedulerConfiguration"}
    headers = {"If-Match": "*"}
    as_alice.patch(address(scenario), {"scheduler": {"config": config}}, format="json", headers=headers)
    assert as_alice.get(address(scenario)).json()["scheduler"] == {"profile": "kube-1.37", "config": config}


def test_scenarios_are_listed_and_filtered_by_snapshot(
    as_bob: Any, alice: Any, scenario: dict[str, Any]
) -> None:
    new_scenario(alice)
    rows = as_bob.get(URL, {"snapshot": scenario["snapshot"]}).json()["results"]
    assert [row["id"] for row in rows] == [scenario["id"]]
    assert rows[0]["edits"] == 1
    assert len(as_bob.get(URL).json()["results"]) == 2
    assert as_bob.get(URL, {"snapshot": "first"}).status_code == 400


def test_a_scenario_with_runs_is_deleted_only_with_cascade(
    as_alice: Any, alice: Any, fake_engine: None
) -> None:
    run = new_run(alice)
    url = f"{URL}{run.scenario_id}/"
    assert as_alice.delete(url).status_code == 409
    assert as_alice.delete(f"{url}?cascade=true").status_code == 204
    assert as_alice.get(f"/api/v1/runs/{run.pk}/").status_code == 404


def test_trying_a_scenario_tells_what_edits_do_and_stores_nothing(
    as_alice: Any, scenario: dict[str, Any], fake_engine: None
) -> None:
    stored = as_alice.post(f"{address(scenario)}validate/")
    draft = as_alice.post(f"{URL}validate/", {"snapshot": scenario["snapshot"]}, format="json")
    assert stored.status_code == draft.status_code == 200
    assert {"edits", "problems"} <= set(stored.json()) == set(draft.json())
    assert len(as_alice.get(URL).json()["results"]) == 1


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "scale", "kind": "Deployment", "namespace": "shop", "name": "cart", "replicas": 150_000},
        {"op": "add", "manifest": {"kind": "Deployment", "spec": {"replicas": 150_000}}},
        {"op": "add", "manifest": "kind: Pod", "replicas": 150_000},
        {"op": "clone-node", "node": "node-1", "count": 15_000},
    ],
)
def test_edits_that_make_very_many_pods_are_left_to_the_run(
    as_alice: Any, snapshot: int, edit: dict[str, Any], monkeypatch: Any
) -> None:
    monkeypatch.setattr(
        "dashboard.services.workspace.trying.try_scenario", lambda _: pytest.fail("was tried")
    )
    answer = as_alice.post(f"{URL}validate/", {"snapshot": snapshot, "edits": [edit]}, format="json")
    assert answer.status_code == 200
    number = edit.get("count", 150_000)
    assert f"make {number:,} pods and nodes, at most 5,000 are tried" in answer.json()["untried"]
    assert answer.json()["problems"] == []


def test_very_many_edits_are_left_to_the_run(as_alice: Any, snapshot: int, monkeypatch: Any) -> None:
    tried = []

    def note(scenario: Any) -> None:
        tried.append(len(scenario.active_edits()))
        raise BadInput([Problem("edits[0]", "", "is what was tried")])

    monkeypatch.setattr("dashboard.services.workspace.trying.try_scenario", note)
    edit = {"op": "cordon", "node": "node-1"}
    edits = [edit] * 1_000 + [{**edit, "enabled": False}]
    few = as_alice.post(f"{URL}validate/", {"snapshot": snapshot, "edits": edits}, format="json")
    many = as_alice.post(f"{URL}validate/", {"snapshot": snapshot, "edits": [*edits, edit]}, format="json")
    assert tried == [1_000]
    assert few.json()["untried"] == ""
    untried = "There are 1,001 edits, at most 1,000 are tried beforehand: a run checks them."
    assert (many.status_code, many.json()["untried"]) == (200, untried)


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"null", b"{", b'{"name": "\\u0000"}', b"\xff"])
def test_a_body_that_is_no_object_is_a_problem(as_alice: Any, body: bytes) -> None:
    answer = as_alice.generic("POST", URL, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_a_form_is_415(as_alice: Any) -> None:
    assert as_alice.post(URL, {"name": "x"}, format="multipart").status_code == 415


def test_trying_a_drain_names_the_evictions_that_a_budget_will_refuse(as_alice: Any, alice: Any) -> None:
    snapshot = import_snapshot(alice, "guarded", [("cluster.json", listing(*guarded_node()))])
    body = {"snapshot": snapshot.pk, "edits": [{"op": "drain", "node": "node-1"}], "driver": "instant"}
    answer = as_alice.post(f"{URL}validate/", body, format="json").json()
    assert answer["problems"] == []
    [drain] = answer["edits"]
    assert drain["evictions"] == 2
    [refused] = drain["refused"]
    assert (refused["pod"], refused["node"], refused["budgets"]) == (
        "shop/search-0", "node-1", ["shop/search"],
    )  # fmt: skip
    assert drain["problems"] == [
        "1 of 2 evictions refused by PodDisruptionBudget shop/search: shop/search-0 stays on node-1"
    ]


def test_trying_a_drain_with_a_clock_names_what_a_budget_will_refuse_at_first(
    as_alice: Any, alice: Any
) -> None:
    snapshot = import_snapshot(alice, "guarded", [("cluster.json", listing(*guarded_node()))])
    body = {"snapshot": snapshot.pk, "edits": [{"op": "drain", "node": "node-1"}], "driver": "timed"}
    [drain] = as_alice.post(f"{URL}validate/", body, format="json").json()["edits"]
    assert (drain["evictions"], drain["refused"], drain["problems"]) == (2, [], [])
    said = "1 of 2 evictions refused by PodDisruptionBudget shop/search: shop/search-0 stays on node-1"
    assert f"{said} at first, and the drain asks again" in drain["changes"]


def test_a_driver_is_told_with_the_reason_for_it_and_takes_its_own_answer_back(
    as_alice: Any, snapshot: int
) -> None:
    edits = [{"op": "drain", "node": "node-1"}]
    told = as_alice.post(URL, {"snapshot": snapshot, "edits": edits}, format="json").json()
    of = address(told)
    assert (told["driver"], told["driver_chosen"], told["driver_because"]) == (
        "timed",
        False,
        "node-1 is drained",
    )
    headers = {"If-Match": "*"}
    same = as_alice.patch(of, told, format="json", headers=headers).json()
    assert (same["driver"], same["driver_chosen"]) == ("timed", False)
    chosen = as_alice.patch(of, {"driver": "instant"}, format="json", headers=headers).json()
    assert (chosen["driver"], chosen["driver_chosen"], chosen["driver_because"]) == ("instant", True, None)
