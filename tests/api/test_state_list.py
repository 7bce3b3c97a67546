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


def played(as_alice: Any, content: bytes, *edits: dict[str, Any], **fields: Any) -> str:
    """The address of a finished run over these objects with these edits and fields of the scenario."""
    snapshot = as_alice.generic("POST", f"{API}/snapshots/", content, content_type="application/json").json()
    scenario = {"snapshot": snapshot["id"], "edits": list(edits), **fields}
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


# -- where a clock moves -----------------------------------------------------------------------------------


def timed(as_alice: Any, content: bytes, *edits: dict[str, Any], until: float) -> str:
    """The address of a finished run whose clock ends then."""
    return played(as_alice, content, *edits, driver="timed", until=until)


def listed(client: Any, run: str, **query: Any) -> list[dict[str, Any]]:
    items = client.get(f"{run}state/", {"format": "list", **query}).json()["items"]
    assert isinstance(items, list)
    return items


def named(items: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    return {item["metadata"]["name"]: item for item in items if item["kind"] == kind}


def added(manifest: dict[str, Any], at: float, **fields: Any) -> dict[str, Any]:
    """The edit by which an object comes at a second of the run."""
    metadata = {name: value for name, value in manifest["metadata"].items() if name != "uid"}
    metadata.pop("creationTimestamp", None)
    return {"op": "add", "at": at, "manifest": {**manifest, "metadata": metadata}, **fields}


def workload(kind: str, name: str, version: str = "apps/v1", **spec: Any) -> dict[str, Any]:
    template = {
        "metadata": {"labels": {"app": name}, "annotations": spec.pop("annotations", {})},
        "spec": pod(name)["spec"] | spec.pop("pod", {}),
    }
    selector = {} if kind == "Job" else {"selector": {"matchLabels": {"app": name}}}
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {**selector, "template": template, **spec},
    }


def conditions(item: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["type"]: one for one in item["status"].get("conditions", [])}


def test_a_pod_that_is_terminating_says_until_when(as_alice: Any) -> None:
    slow = controlled("web-a", terminationGracePeriodSeconds=40)
    content = listing(node("node-1"), slow)
    evict = {"op": "evict", "pod": "shop/web-a", "at": 10}
    going = named(listed(as_alice, timed(as_alice, content, evict, until=30)), "Pod")["web-a"]
    assert going["metadata"]["deletionTimestamp"] == "2026-06-01T00:00:50Z"
    assert going["metadata"]["deletionGracePeriodSeconds"] == 40
    run = timed(as_alice, content, evict, until=60)
    assert "web-a" not in named(listed(as_alice, run), "Pod")
    assert "deletionTimestamp" not in named(listed(as_alice, run, at=0), "Pod")["web-a"]["metadata"]


def test_pods_of_a_job_stand_there_succeeded_or_failed(as_alice: Any) -> None:
    once: dict[str, Any] = {"pod": {"restartPolicy": "Never"}, "version": "batch/v1"}
    works = workload("Job", "works", annotations={"sandtable/duration": "5"}, **once)
    breaks = workload("Job", "breaks", backoffLimit=0, **once, annotations={
        "sandtable/duration": "5", "sandtable/fails-in-runs": "all", "sandtable/exit-code": "3",
    })  # fmt: skip
    edits = [added(works, 1), added(breaks, 1)]
    run = timed(as_alice, listing(node("node-1")), *edits, until=120)
    pods = pods_of({"items": listed(as_alice, run)})
    assert len(pods) == 2, "with backoffLimit 0 nothing is tried again"
    phases = {item["metadata"]["labels"]["app"]: item for item in pods.values()}
    assert {name: item["status"]["phase"] for name, item in phases.items()} == {
        "works": "Succeeded", "breaks": "Failed",
    }  # fmt: skip
    assert phases["breaks"]["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"] == 3
    assert phases["works"]["spec"]["nodeName"] == "node-1"


def test_the_pods_of_a_deployment_that_came_are_those_of_its_replica_set(as_alice: Any) -> None:
    shop = workload("Deployment", "web", replicas=2)
    run = timed(as_alice, listing(node("node-1")), added(shop, 5), added(node("node-2"), 60), until=100)
    items = listed(as_alice, run)
    [replica_set] = named(items, "ReplicaSet").values()
    assert replica_set["metadata"]["ownerReferences"][0]["name"] == "web"
    pods = pods_of({"items": items})
    assert len(pods) == 2
    for made in pods.values():
        [owner] = made["metadata"]["ownerReferences"]
        assert (owner["kind"], owner["uid"]) == ("ReplicaSet", replica_set["metadata"]["uid"])
        assert made["metadata"]["labels"]["app"] == "web"
        assert made["spec"]["containers"][0]["image"] == "main:1"
        assert conditions(made)["Ready"]["status"] == "True"
    assert not named(listed(as_alice, run, at=0), "Deployment")


def test_objects_and_nodes_are_as_they_have_become(as_alice: Any) -> None:
    content = listing(
        node("node-1"), node("node-2"), node("node-3"), workload("ReplicaSet", "old", replicas=0)
    )
    taint = {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}
    edits: list[dict[str, Any]] = [
        {"op": "cordon", "node": "node-1", "at": 5},
        {"op": "patch", "kind": "Node", "name": "node-2", "patch": {"spec": {"taints": [taint]}}, "at": 5},
        {"op": "delete", "kind": "Node", "name": "node-3", "at": 5},
        {"op": "delete", "kind": "ReplicaSet", "namespace": "shop", "name": "old", "at": 5},
        added(node("node-4"), 5),
        {"op": "uncordon", "node": "node-1", "at": 50},
    ]
    run = timed(as_alice, content, *edits[:-1], until=20)
    before, after = listed(as_alice, run, at=0), listed(as_alice, run)
    assert (set(named(before, "Node")), set(named(before, "ReplicaSet"))) == (
        {"node-1", "node-2", "node-3"}, {"old"},
    )  # fmt: skip
    nodes = named(after, "Node")
    assert (set(nodes), named(after, "ReplicaSet")) == ({"node-1", "node-2", "node-4"}, {})
    assert nodes["node-1"]["spec"]["unschedulable"] is True
    assert [one["key"] for one in nodes["node-2"]["spec"]["taints"]] == [taint["key"]]
    later = named(listed(as_alice, timed(as_alice, content, *edits, until=60)), "Node")
    assert not later["node-1"]["spec"].get("unschedulable")


def test_pods_that_wait_say_why(as_alice: Any) -> None:
    huge, held = pod("huge", cpu="64"), pod("held", schedulingGates=[{"name": "quota.example/hold"}])
    urgent = pod("urgent", cpu="4", priorityClassName="high")
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 9,
    }
    content = listing(node("node-1"), high, controlled("web-a"), huge, held)
    run = timed(as_alice, content, added(urgent, 5), until=15)
    attempts = as_alice.get(f"{run}decisions/", {"limit": 1000}).json()["results"]
    said = {row["pod"]["name"]: row["message"] for row in attempts if row["kind"] == "attempt"}
    pods = pods_of({"items": listed(as_alice, run)})
    for name, reason in (("huge", "Unschedulable"), ("urgent", "Unschedulable"), ("held", "SchedulingGated")):
        condition = conditions(pods[name])["PodScheduled"]
        assert (condition["status"], condition["reason"]) == ("False", reason)
        assert reason == "SchedulingGated" or condition["message"] == said[name]
    assert pods["urgent"]["status"]["nominatedNodeName"] == "node-1"
    assert "nominatedNodeName" not in pods["huge"]["status"]
    first = pods_of({"items": listed(as_alice, run, at=0)})
    assert "PodScheduled" not in conditions(first["huge"])


def test_a_moment_of_a_clocked_run_can_be_imported_with_all_that_came(as_alice: Any) -> None:
    content = listing(node("node-1"), node("node-2"), controlled("web-a"))
    edits = [added(workload("StatefulSet", "db", replicas=2), 5), {"op": "drain", "node": "node-1", "at": 40}]
    run = timed(as_alice, content, *edits, until=45)
    answer = as_alice.get(f"{run}state/", {"format": "list"})
    imported = as_alice.generic("POST", f"{API}/snapshots/", answer.content, content_type="application/json")
    assert imported.status_code == 201, imported.content
    rows = as_alice.get(f"{imported['Location']}pods/").json()["results"]
    state = as_alice.get(f"{run}state/").json()["tables"]["pods"]
    assert {(row["uid"], row["node"]) for row in rows} == {(uid, row["node"]) for uid, row in state.items()}
    assert any(row["terminating"] for row in state.values())
