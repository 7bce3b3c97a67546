"""Which driver a scenario has where nobody chose one: what it asks decides, anew with every change."""

from typing import Any

import pytest
from django.test import Client
from yaml import safe_dump

from dashboard.models import Scenario
from dashboard.services.workspace.driver_choice import DriverChoice, choose_driver
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario, update_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import controlled, listing, node, pod

pytestmark = pytest.mark.django_db


def scenario_of(*edits: dict[str, Any], pods: Any = (), **fields: Any) -> Scenario:
    """A scenario of a small cluster with these edits."""
    objects = listing(node("node-1"), node("node-2"), controlled("web-a"), *pods)
    snapshot = import_snapshot(None, "small", [("cluster.json", objects)])
    return create_scenario(None, {"name": "one", "snapshot": snapshot, "edits": list(edits), **fields})


NO_EXECUTE = {"spec": {"taints": [{"key": "broken", "effect": "NoExecute"}]}}
NO_SCHEDULE = {"spec": {"taints": [{"key": "reserved", "effect": "NoSchedule"}]}}


def added(**spec: Any) -> dict[str, Any]:
    manifest = pod("new")
    manifest["spec"] |= spec
    return {"op": "add", "manifest": manifest}


@pytest.mark.parametrize(
    ("edit", "because"),
    [
        ({"op": "drain", "node": "node-1"}, "node-1 is drained"),
        ({"op": "drain", "node": ""}, "a node is drained"),
        ({"op": "evict", "pod": ""}, "pods are evicted"),
        ({"op": "delete", "kind": "Pod", "name": ""}, "pods are deleted"),
        ({"op": "evict", "pod": "shop/web-a"}, "shop/web-a is evicted"),
        ({"op": "delete", "kind": "Node", "name": "node-1"}, "the node node-1 is deleted"),
        ({"op": "delete", "kind": "Pod", "namespace": "shop", "name": "web-a"}, "the pod web-a is deleted"),
        ({"op": "cordon", "node": "node-1", "at": 5}, "an edit has an instant"),
        ({**added(), "duration": 60}, "added pods run for a set time"),
        (
            {"op": "patch", "kind": "Node", "name": "node-1", "patch": NO_EXECUTE},
            "a NoExecute taint evicts pods from node-1",
        ),
        (added(priority=5), "pods with a priority are added, and may preempt others"),
        (
            {"op": "add", "manifest": "kind: Pod\nspec:\n  priorityClassName: high\n"},
            "pods with a priority are added, and may preempt others",
        ),
    ],
)
def test_what_takes_time_is_played_with_a_clock(edit: dict[str, Any], because: str) -> None:
    scenario = scenario_of(edit)
    assert choose_driver(scenario) == DriverChoice("timed", because)
    assert (scenario.driver, scenario.driver_chosen) == ("timed", False)


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "cordon", "node": "node-1"},
        {"op": "drain", "node": "node-1", "enabled": False},
        {"op": "clone-node", "node": "node-1", "count": 2},
        {"op": "patch", "kind": "Node", "name": "node-1", "patch": NO_SCHEDULE},
        added(),
        added(priority=0),
        {"op": "add", "manifest": "# priorityClassName: high\n" + safe_dump(added()["manifest"])},
    ],
)
def test_where_pods_would_go_now_needs_no_clock(edit: dict[str, Any]) -> None:
    scenario = scenario_of(edit)
    assert choose_driver(scenario).because == "nothing is evicted, drained, deleted or timed"
    assert scenario.driver == "instant"


def test_a_cluster_whose_waiting_pods_may_preempt_is_played_with_a_clock() -> None:
    scenario = scenario_of(pods=[pod("urgent", priority=1000)])
    assert scenario.driver == "timed"
    assert "may preempt them" in choose_driver(scenario).because
    assert scenario_of(pods=[pod("patient", priority=0)]).driver == "instant"


def test_a_cluster_with_durations_is_played_with_a_clock() -> None:
    task = pod("task", node="node-1")
    task["metadata"]["annotations"] = {"sandtable/duration": "60"}
    assert choose_driver(scenario_of(pods=[task])).because == "pods of the snapshot run for a set time"


def test_a_scaled_workload_with_a_priority_is_played_with_a_clock() -> None:
    template = {"spec": {"priorityClassName": "high", "containers": [{"name": "main", "image": "i"}]}}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "search", "namespace": "shop", "uid": "uid-search"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"app": "search"}},
            "template": {"metadata": {"labels": {"app": "search"}}, **template},
        },
    }
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 9,
    }
    scale = {"op": "scale", "kind": "Deployment", "namespace": "shop", "name": "search", "replicas": 2}
    assert scenario_of(scale, pods=[deployment, high]).driver == "timed"


def test_a_changed_template_that_is_rolled_out_is_played_with_a_clock() -> None:
    def deployment(cpu: str, kind: str = "Deployment", **container: Any) -> dict[str, Any]:
        main = {"name": "main", "image": "i", "resources": {"requests": {"cpu": cpu}}, **container}
        labels = {"app": "search"}
        return {
            "apiVersion": "apps/v1",
            "kind": kind,
            "metadata": {"name": "search", "namespace": "shop", "uid": "uid-search"},
            "spec": {
                "replicas": 1,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [main]}},
            },
        }

    def chosen(manifest: Any, there: dict[str, Any]) -> DriverChoice:
        return choose_driver(scenario_of({"op": "add", "manifest": manifest}, pods=[there]))

    there = deployment("1", imagePullPolicy="Always")
    because = "a changed template is rolled out, a few pods at a time"
    assert chosen(deployment("2"), there) == DriverChoice("timed", because)
    assert chosen(safe_dump(deployment("2")), there) == DriverChoice("timed", because)
    assert chosen(deployment("1"), there).driver == "instant", "the API server's defaults are no change"
    scaled = deployment("1")
    scaled["spec"]["replicas"] = 3
    assert chosen(scaled, there).driver == "instant"
    elsewhere = deployment("2")
    elsewhere["metadata"]["namespace"] = "other"
    assert chosen(elsewhere, there).driver == "instant"
    once = deployment("2", "ReplicaSet")
    assert chosen(once, deployment("1", "ReplicaSet")).driver == "instant", "it leaves its pods as they are"


@pytest.mark.parametrize(
    ("metadata", "spec"),
    [({"name": ["a"]}, [1]), ({"name": "a", "namespace": {}}, "x"), ({"name": "web"}, "x"), ([1], "x")],
)
def test_a_workload_that_is_none_is_no_change_of_a_template(metadata: Any, spec: Any) -> None:
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    assert scenario_of({"op": "add", "manifest": manifest}).driver == "instant"


def test_each_change_of_the_edits_chooses_anew() -> None:
    scenario = scenario_of()
    assert scenario.driver == "instant"
    scenario = update_scenario(scenario, 1, {"edits": [{"op": "drain", "node": "node-1"}]})
    assert scenario.driver == "timed"
    scenario = update_scenario(scenario, 2, {"edits": []})
    assert scenario.driver == "instant"


def test_a_chosen_driver_stays_until_the_choice_is_taken_back_or_the_profile_lacks_it() -> None:
    drain = {"op": "drain", "node": "node-1"}
    scenario = scenario_of(drain, driver="instant")
    assert (scenario.driver, scenario.driver_chosen) == ("instant", True)
    scenario = update_scenario(scenario, 1, {"edits": [drain, drain]})
    assert scenario.driver == "instant"
    scenario = update_scenario(scenario, 2, {"driver": None})
    assert (scenario.driver, scenario.driver_chosen) == ("timed", False)
    scenario = update_scenario(scenario, 3, {"driver": "timed"})
    scenario = update_scenario(scenario, 4, {"profile": "kube-1.8"})
    assert (scenario.driver, scenario.driver_chosen) == ("fifo", False)


def test_a_run_with_an_order_of_entering_has_no_clock_where_nobody_chose_one() -> None:
    pods = [pod("urgent", priority=1000)]
    scenario = scenario_of(pods=pods)
    assert start_run(None, scenario).driver == "timed"
    assert start_run(None, scenario, schedule=["shop/urgent"]).driver == "instant"
    chosen = scenario_of(pods=pods, driver="timed")
    assert start_run(None, chosen, schedule=["shop/urgent"]).driver == "timed"


def test_a_copy_leaves_the_choice_open(client: Client, alice: Any) -> None:
    client.force_login(alice)
    scenario = scenario_of({"op": "drain", "node": "node-1"})
    client.post(f"/scenarios/{scenario.pk}/copy/")
    assert list(Scenario.objects.values_list("driver", "driver_chosen")) == [("timed", False)] * 2
