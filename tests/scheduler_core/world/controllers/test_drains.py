"""A drain asks again while a budget keeps pods, and budgets count the pods that have become ready."""

import pytest

from scheduler_core.events.decisions import Eviction
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod


def budget(least, healthy, *, name="web", wanted=None):
    status = {
        "currentHealthy": healthy,
        "desiredHealthy": least,
        "expectedPods": wanted or healthy,
        "disruptionsAllowed": max(0, healthy - least),
    }
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "minAvailable": least},
        "status": status,
    }


def web(name, on="n", **spec):
    return pod(name, on=on, owner="rs", labels={"app": "web"}, **spec)


def drained(objects, *, at=None, timeout=None, **settings):
    """Return when which eviction came out how, and the simulation after its end."""
    edit = {"op": "drain", "node": "n", **({} if at is None else {"at": at})}
    edit |= {} if timeout is None else {"timeout": timeout}
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=[edit], **settings))
    decisions = [one for one in simulation if isinstance(one, Eviction)]
    return [(one.time / 1000, one.pod.name, one.outcome) for one in decisions], decisions, simulation


def two_nodes(*more):
    return [node("n"), node("other"), web("a"), web("b"), *more]


def test_the_next_pod_goes_when_the_replacement_of_the_one_before_is_ready():
    found, decisions, _ = drained(two_nodes(budget(1, 2)), at=3)
    assert found == [
        (3, "a", "evicted"),
        (3, "b", "refused"),
        (28, "b", "evicted"),  # the copy is ready at 23.01: asked again at 28, the fifth time
    ]
    assert decisions[2].cause == decisions[0].cause == decisions[0].seq - 1


@pytest.mark.parametrize("at", [None, 0])
def test_a_drain_before_the_run_asks_again_too(at):
    found, _, simulation = drained(two_nodes(budget(1, 2)), at=at, ready_seconds=1)
    assert found == [(0, "a", "evicted"), (0, "b", "refused"), (5, "b", "evicted")]
    if at is None:
        [result] = simulation.edit_results
        assert result.problems == []
        [said] = [change for change in result.changes if "refused" in change]
        assert said.endswith("at first, and the drain asks again")


def test_it_gives_up_after_its_timeout():
    found, _, simulation = drained(two_nodes(budget(1, 2)), timeout=24)
    assert found == [(0, "a", "evicted"), (0, "b", "refused")]
    assert drained(two_nodes(budget(1, 2)), timeout=25)[0][2:] == [(25, "b", "evicted")]
    assert simulation.ended_by == "quiet"


def test_a_budget_that_never_gets_room_keeps_its_pods_and_the_run_does_not_wait_for_it():
    found, _, simulation = drained([node("n"), web("a"), budget(1, 1)], until=10**6)
    assert found == [(0, "a", "refused")]
    assert simulation.ended_by == "quiet"


def test_pods_of_two_budgets_are_given_up():
    objects = two_nodes(budget(1, 2), budget(1, 2, name="too"))
    found, _, simulation = drained(objects)
    assert found == [(0, "a", "refused"), (0, "b", "refused")]
    assert "several PodDisruptionBudgets" in simulation.edit_results[0].problems[0]


def test_one_eviction_is_asked_for_but_once():
    edits = [{"op": "evict", "pod": "default/a"}, {"op": "evict", "pod": "default/b"}]
    simulation = Simulation(RunInput(objects=two_nodes(budget(1, 2)), driver="timed", edits=edits))
    assert [one.outcome for one in simulation if isinstance(one, Eviction)] == ["evicted", "refused"]


def test_a_pod_is_ready_after_its_probes_initial_delay():
    objects = two_nodes(budget(1, 2))
    probes = {"readinessProbe": {"initialDelaySeconds": 7}, "startupProbe": {"initialDelaySeconds": 31}}
    objects[2]["spec"]["containers"][0] |= probes
    assert drained(objects)[0][2] == (35, "b", "evicted")


def test_a_budget_that_goes_lets_its_pods_go():
    objects = two_nodes(budget(2, 2))
    edits = [
        {"op": "drain", "node": "n", "at": 1},
        {"op": "delete", "kind": "PodDisruptionBudget", "name": "web", "at": 7},
    ]
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=edits))
    found = [(one.time / 1000, one.pod.name, one.outcome) for one in simulation if isinstance(one, Eviction)]
    assert found[2:] == [(11, "a", "evicted"), (11, "b", "evicted")]


def test_a_timeout_needs_a_clock():
    edit = {"op": "drain", "node": "n", "timeout": 5}
    with pytest.raises(BadInput, match="timeout: needs the driver timed"):
        Simulation(RunInput(objects=[node("n")], edits=[edit]))


@pytest.mark.parametrize(("at", "victim"), [(10, "z"), (30, "a")])
def test_a_preemptor_spares_a_budget_until_another_of_its_pods_is_ready(at, victim):
    objects = [
        *(node(name, cpu="1") for name in ("n", "m", "o")),
        web("a", cpu="1"),
        pod("z", on="m", cpu="1", priority=5),
        web("b", on=None, cpu="1", priority=8),
        budget(1, 1, wanted=2),
    ]
    vip = pod("vip", cpu="1")
    del vip["metadata"]["uid"], vip["spec"]["priority"]
    rank = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "vip"}}
    edit = {"op": "add", "at": at, "manifest": vip}
    vip["spec"]["priorityClassName"] = "vip"
    simulation = Simulation(RunInput([*objects, {**rank, "value": 9}], driver="timed", edits=[edit]))
    [preemption] = [one.preemption for one in simulation if getattr(one, "outcome", "") == "nominated"]
    assert [one.name for one in preemption.victims] == [victim]
