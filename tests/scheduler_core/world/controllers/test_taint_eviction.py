"""NoExecute taints evict what does not tolerate them, when the clock says so."""

import pytest

from scheduler_core.events.decisions import Eviction
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod

GONE = {"key": "gone", "effect": "NoExecute"}


def tolerating(seconds=None, key="gone"):
    toleration = {"key": key, "operator": "Exists", "effect": "NoExecute"}
    return {**toleration, **({} if seconds is None else {"tolerationSeconds": seconds})}


def tainted(at, *taints):
    return {"op": "patch", "kind": "Node", "name": "n", "at": at, "patch": {"spec": {"taints": list(taints)}}}


def evictions(objects, *edits, **settings):
    """Return when which pod is evicted, and the simulation after its end."""
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=list(edits), **settings))
    decisions = [one for one in simulation if isinstance(one, Eviction)]
    return [(one.time / 1000, one.pod.name) for one in decisions], decisions, simulation


@pytest.mark.parametrize(
    ("tolerations", "at"),
    [
        ([], 5),
        ([tolerating(key="other")], 5),
        ([tolerating(0)], 5),
        ([tolerating(-3)], 5),
        ([tolerating(7)], 12),
        ([tolerating()], None),
        ([{"operator": "Exists"}], None),
        ([tolerating(9), tolerating(2)], 14),  # the first that covers the taint counts
    ],
)
def test_a_pod_is_evicted_when_its_toleration_ends(tolerations, at):
    objects = [node("n"), pod("p", on="n", tolerations=tolerations)]
    found, _, _ = evictions(objects, tainted(5, GONE))
    assert found == ([] if at is None else [(at, "p")])


def test_of_several_taints_the_shortest_toleration_counts():
    tolerations = [tolerating(20), tolerating(4, "dark")]
    objects = [node("n"), pod("p", on="n", tolerations=tolerations)]
    found, [decision], _ = evictions(objects, tainted(0, GONE, {"key": "dark", "effect": "NoExecute"}))
    assert found == [(4, "p")]
    assert decision.outcome == "tainted"
    assert decision.message == "it tolerates the taint dark:NoExecute for 4 s"


def test_a_taint_that_is_taken_back_in_time_evicts_nobody():
    objects = [node("n"), pod("p", on="n", tolerations=[tolerating(10)])]
    assert evictions(objects, tainted(0, GONE), tainted(9.999))[0] == []
    assert evictions(objects, tainted(0, GONE), tainted(10.001))[0] == [(10, "p")]


def test_a_second_taint_does_not_begin_the_toleration_anew():
    dark = {"key": "dark", "effect": "NoExecute"}
    objects = [node("n"), pod("p", on="n", tolerations=[tolerating(10), tolerating(10, "dark")])]
    assert evictions(objects, tainted(0, GONE), tainted(6, GONE, dark))[0] == [(10, "p")]


def test_taints_of_the_snapshot_count_from_the_start():
    objects = [node("n", taints=[GONE]), pod("p", on="n", tolerations=[tolerating(3)]), pod("q", on="n")]
    assert evictions(objects)[0] == [(0, "q"), (3, "p")]


def test_no_budget_is_asked_and_the_decision_that_led_to_it_is_named():
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "all", "namespace": "default"},
        "spec": {"selector": {}, "minAvailable": 1},
        "status": {"currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1, "disruptionsAllowed": 0},
    }
    objects = [node("n"), pod("p", on="n"), budget]
    _, [decision], simulation = evictions(objects, tainted(5, GONE))
    assert decision.cause == decision.seq - 1
    assert (decision.actor, decision.node) == ("taint-eviction-controller", "n")
    assert decision.message == "it does not tolerate the taint gone:NoExecute"
    assert not [one for one in simulation.state().pods() if one.name == "p"]


def test_a_pod_that_lands_there_again_is_evicted_again():
    objects = [node("n"), pod("p", on="n", owner="rs", tolerations=[tolerating(5)])]
    found, _, _ = evictions(objects, tainted(0, GONE), until=18)
    assert [at for at, _ in found] == [5, 10.01, 15.02]


def test_a_daemon_comes_back_only_where_it_tolerates_the_taint():
    def daemon(name, **spec):
        made = pod(name, on="n", owner="ds", **spec)
        made["metadata"]["ownerReferences"][0]["kind"] = "DaemonSet"
        return made

    objects = [node("n"), daemon("a"), daemon("b", tolerations=[tolerating(5)])]
    found, _, simulation = evictions(objects, tainted(0, GONE), until=6)
    assert found == [(0, "a"), (5, "b")]
    assert sorted(one.name for one in simulation.state().pods() if not one.evicted) == ["b-r1"]


def test_without_controllers_nobody_is_evicted():
    objects = [node("n"), pod("p", on="n")]
    found, _, simulation = evictions(objects, tainted(5, GONE), controllers="none")
    assert found == []
    assert "nobody evicts them in this run" in simulation.edit_results[0].changes[0]
