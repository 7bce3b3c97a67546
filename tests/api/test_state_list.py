"""The state of a run as a Kubernetes List, by the engine itself: it can be imported again."""

import json
from typing import Any

import pytest

from dashboard import tasks
from tests.dashboard.rows import controlled, listing, node, pod

API = "/api/v1"


@pytest.fixture
def run(as_alice: Any) -> str:
    """A run in which `urgent` evicts a ReplicaSet's and a StatefulSet's pod, and `later` is added."""
    done = pod("done", cpu="4")
    done["status"] = {"phase": "Succeeded"}
    urgent = pod("urgent", cpu="4", priority=1000)
    content = listing(node("node-1"), controlled("web-a", "ReplicaSet"), controlled("db-0", "StatefulSet"),
                      done, urgent)  # fmt: skip
    later = pod("later", cpu="100m")
    del later["metadata"]["uid"]
    return played(as_alice, content, {"op": "add", "manifest": later})


def played(as_alice: Any, content: bytes, *edits: dict[str, Any]) -> str:
    """The address of a finished run over these objects with these edits."""
    snapshot = as_alice.generic("POST", f"{API}/snapshots/", content, content_type="application/json").json()
    scenario = {"snapshot": snapshot["id"], "edits": list(edits)}
    scenario = as_alice.post(f"{API}/scenarios/", scenario, format="json").json()
    started = as_alice.post(f"{API}/runs/", {"scenario": scenario["id"]}, format="json").json()
    tasks.execute_run.apply(args=[started["id"]], throw=True)
    assert as_alice.get(f"{API}/runs/{started['id']}/").json()["status"] == "finished"
    return f"{API}/runs/{started['id']}/"


def pods_of(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {item["metadata"]["name"]: item for item in answer["items"] if item["kind"] == "Pod"}


def test_before_the_first_decision_it_is_the_cluster_with_its_edits(as_bob: Any, run: str) -> None:
    pods = pods_of(as_bob.get(f"{run}state/", {"at": 0, "format": "list"}).json())
    assert set(pods) == {"web-a", "db-0", "done", "urgent", "later"}
    assert pods["web-a"]["spec"]["nodeName"] == "node-1"
    assert "nodeName" not in pods["urgent"]["spec"]


def test_at_the_end_pods_are_where_the_run_left_them(as_bob: Any, run: str) -> None:
    state = as_bob.get(f"{run}state/").json()
    pods = pods_of(as_bob.get(f"{run}state/", {"format": "list"}).json())
    rows = state["tables"]["pods"].values()
    assert {row["name"] for row in rows} | {"done"} == set(pods)
    assert "web-a" not in pods
    assert pods["urgent"]["spec"]["nodeName"] == "node-1"
    for row in rows:
        found = pods[row["name"]]
        assert found["metadata"]["uid"] == row["uid"]
        assert found["spec"].get("nodeName", "") == row["node"]
        assert found["status"].get("nominatedNodeName", "") == row["nominated"]


def test_what_came_back_is_a_pending_copy_of_what_was_evicted(as_bob: Any, run: str) -> None:
    before = pods_of(as_bob.get(f"{run}state/", {"at": 0, "format": "list"}).json())
    after = pods_of(as_bob.get(f"{run}state/", {"format": "list"}).json())
    for old, new in (("web-a", "web-a-r1"), ("db-0", "db-0")):
        assert after[new]["metadata"]["uid"] != before[old]["metadata"]["uid"]
        assert after[new]["metadata"]["ownerReferences"] == before[old]["metadata"]["ownerReferences"]
        assert after[new]["spec"]["containers"] == before[old]["spec"]["containers"]
        assert after[new]["status"]["phase"] == "Pending"


def test_the_list_can_be_imported_and_holds_the_same_pods(as_alice: Any, run: str) -> None:
    answer = as_alice.get(f"{run}state/", {"format": "list"})
    imported = as_alice.generic("POST", f"{API}/snapshots/", answer.content, content_type="application/json")
    assert imported.status_code == 201, imported.content
    rows = as_alice.get(f"{imported['Location']}pods/").json()["results"]
    state = json.loads(as_alice.get(f"{run}state/").content)
    placed = {(row["uid"], row["node"]) for row in rows if row["phase"] != "Succeeded"}
    assert placed == {(uid, row["node"]) for uid, row in state["tables"]["pods"].items()}


def test_copies_have_the_manifest_of_the_pod_that_they_replace_whatever_they_are_called(
    as_alice: Any,
) -> None:
    """Names so long that those of both copies are cut off in the same way."""
    stem = "w" * 252
    evicted = {f"{stem}{letter}": controlled(f"{stem}{letter}", "ReplicaSet") for letter in "ab"}
    for made, memory in zip(evicted.values(), ("1Gi", "2Gi"), strict=True):
        made["spec"]["containers"][0]["resources"]["requests"]["memory"] = memory
        made["metadata"]["uid"] = f"uid-{memory}"
    urgent = pod("urgent", cpu="4", priority=1000)
    run = played(as_alice, listing(node("node-1"), *evicted.values(), urgent))
    rows = as_alice.get(f"{run}state/").json()["tables"]["pods"].values()
    copies = [row for row in rows if row["replaces"]]
    assert len(copies) == 2
    pods = pods_of(as_alice.get(f"{run}state/", {"format": "list"}).json())
    originals = {made["metadata"]["uid"]: made for made in evicted.values()}
    for copy in copies:
        assert pods[copy["name"]]["spec"]["containers"] == originals[copy["replaces"]]["spec"]["containers"]


def test_pods_stand_in_the_order_in_which_they_were_imported(as_alice: Any) -> None:
    made = [pod(name) for name in ("zeta", "alpha", "mid")]
    run = played(as_alice, listing(node("node-1"), *made))
    pods = pods_of(as_alice.get(f"{run}state/", {"at": 0, "format": "list"}).json())
    assert list(pods) == ["zeta", "alpha", "mid"]
