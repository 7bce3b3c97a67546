"""Pods of a node that is gone are collected by the clock."""

import pytest

from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.world.test_timed_controllers import controller, running

COLLECTOR = "pod-garbage-collector-controller"
BACK = {"op": "add", "manifest": node("n")}


def collected(objects, *edits, **settings):
    """Return when which pods are collected, the decisions, and the simulation after its end."""
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=list(edits), **settings))
    decisions = list(simulation)
    found = [(one.time / 1000, one.pod.name) for one in decisions if one.actor == COLLECTOR]
    return found, decisions, simulation


def deleted(at):
    return {"op": "delete", "kind": "Node", "name": "n", **({} if at is None else {"at": at})}


@pytest.mark.parametrize(("at", "when"), [(None, 40), (0, 40), (0.001, 60), (20, 60), (21, 80)])
def test_pods_go_forty_seconds_after_the_round_that_missed_their_node(at, when):
    objects = [node("n"), node("other"), pod("a", on="n"), pod("b", on="n"), pod("c", on="other")]
    found, decisions, _ = collected(objects, deleted(at))
    assert found == [(when, "a"), (when, "b")]
    told = [one for one in decisions if one.actor == COLLECTOR]
    assert {(one.outcome, one.message) for one in told} == {("deleted", "its node n is gone")}
    assert [one.cause for one in told] == ([None, None] if at is None else [1, 1])


@pytest.mark.parametrize(("back", "goes"), [(19, False), (59, False), (60, False), (61, True)])
def test_a_node_that_is_back_in_time_keeps_its_pods(back, goes):
    objects = [node("n"), pod("a", on="n")]
    found, _, _ = collected(objects, deleted(5), BACK | {"at": back})
    assert bool(found) == goes


def test_a_node_that_is_back_before_a_round_was_not_missed_by_it():
    objects = [node("n"), pod("a", on="n")]
    found, _, _ = collected(objects, deleted(5), BACK | {"at": 10}, deleted(35))
    assert found == [(80, "a")]
    found, _, _ = collected(objects, deleted(5), BACK | {"at": 30}, deleted(35))
    assert found == [(60, "a")]


def test_controllers_replace_pods_when_they_are_gone_and_bare_pods_are_lost():
    named = pod("db-0", on="n", owner="db")
    named["metadata"]["ownerReferences"][0]["kind"] = "StatefulSet"
    agent = pod("agent", on="n", owner="ds")
    agent["metadata"]["ownerReferences"][0]["kind"] = "DaemonSet"
    objects = [node("n"), node("other"), pod("alone", on="n"), pod("web", on="n", owner="rs"), named, agent]
    found, decisions, simulation = collected(objects, deleted(3))
    assert [name for _, name in found] == ["agent", "alone", "db-0", "web"]
    assert {one.name: one.node for one in simulation.state().pods()} == {"web-r1": "other", "db-0": "other"}
    appeared = [one.time for one in decisions if any(type(it).__name__ == "Appear" for it in one.changes)]
    assert appeared == [60_000, 60_000]


def test_a_pod_that_is_terminating_is_deleted_too():
    slow = pod("slow", on="n", owner="rs", terminationGracePeriodSeconds=500)
    objects = [node("n"), node("other"), slow]
    found, _, simulation = collected(objects, {"op": "drain", "node": "n", "at": 1}, deleted(2))
    assert found == [(60, "slow")]
    assert [one.name for one in simulation.state().pods()] == ["slow-r1"]


def test_the_edit_says_so_where_controllers_act():
    objects = [node("n"), pod("a", on="n")]
    _, _, acting = collected(objects, deleted(None))
    assert acting.edit_results[0].changes[0].startswith("1 pod on it is deleted 40 to 60 seconds later")
    found, _, simulation = collected(objects, deleted(None), controllers="none")
    assert found == []
    assert "stays bound" in simulation.edit_results[0].changes[0]


def test_of_several_nodes_the_edit_says_it_in_one_sum():
    objects = [node("n"), node("m"), node("other"), pod("a", on="n"), pod("b", on="n"), pod("c", on="m")]
    _, _, acting = collected(objects, {"op": "delete", "kind": "Node", "names": ["n", "m", "other"]})
    said = "3 pods on them are deleted 40 to 60 seconds later; drain them first to move them in time"
    assert acting.edit_results[0].changes == [said, "deleted: n, m, other"]


def owned(name, kind, **fields):
    made = pod(name, on="n", owner=kind.lower(), **fields)
    made["metadata"]["ownerReferences"][0]["kind"] = kind
    return made


def test_a_terminating_pod_of_a_stateful_set_comes_back_when_the_old_one_is_collected():
    objects = [node("n"), node("other"), owned("db-0", "StatefulSet")]
    found, _, simulation = collected(objects, {"op": "evict", "pod": "default/db-0", "at": 1}, deleted(2))
    assert found == [(60, "db-0")]
    assert {one.name: one.node for one in simulation.state().pods()} == {"db-0": "other"}


def test_a_pod_that_its_workload_gave_up_does_not_come_back():
    objects = [node("n"), node("other"), *controller("StatefulSet", "db", [running("db-0")])]
    scaled = {"op": "scale", "kind": "StatefulSet", "name": "db", "replicas": 0, "at": 1}
    found, _, simulation = collected(objects, scaled, deleted(2))
    assert found == [(60, "db-0")]
    assert simulation.state().pods() == []


def test_a_node_that_the_import_lacks_is_no_deleted_node():
    found, _, simulation = collected([node("n"), pod("a", on="elsewhere"), pod("b", cpu="100")])
    assert found == []
    assert {one.name: one.node for one in simulation.state().pods()}["a"] == "elsewhere"


def test_a_terminating_pod_on_a_node_out_of_service_is_deleted_in_the_next_round():
    objects = [node("n"), node("other"), owned("db-0", "StatefulSet")]
    stop = {"op": "stop-kubelet", "node": "n", "gracePeriod": 5}
    taint = {"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute"}
    patch = {"spec": {"taints": [taint]}}
    shut_down = {"op": "patch", "kind": "Node", "name": "n", "at": 90, "patch": patch}
    found, _, simulation = collected(objects, stop, shut_down)
    assert found == [(100, "db-0")]
    assert {one.name: one.node for one in simulation.state().pods()} == {"db-0": "other"}
