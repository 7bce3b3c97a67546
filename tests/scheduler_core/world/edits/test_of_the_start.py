"""Edits without an instant where a clock moves: what a clock sees of them happens at the run's start."""

import random

import pytest

from scheduler_core.events.decisions import ClusterChange, Completion, Eviction
from scheduler_core.objects.identity import with_identity
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node
from tests.scheduler_core.world import test_forecast as invented
from tests.scheduler_core.world.controllers.test_workloads import quota, steps, workload


def add(manifest):
    return {"op": "add", "manifest": manifest}


def on(kind, op, name="w", **more):
    return {"op": op, "kind": kind, "name": name, "namespace": "default", **more}


def running(owner, count, at="n", **status):
    """A workload of an import with its running pods, ready for a long time."""
    owner = with_identity(owner)
    made = [owner | {"status": {"replicas": count, **status}}]
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": "w", "controller": True}
    for number in range(count):
        metadata = {"name": f"w-{number}", "namespace": "default", "uid": f"uid-{number}"}
        metadata |= {"labels": {"app": "w"}, "creationTimestamp": "2026-05-01T00:00:00Z"}
        metadata["ownerReferences"] = [reference | {"uid": owner["metadata"]["uid"]}]
        ready = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-05-01T00:00:09Z"}
        spec = owner["spec"]["template"]["spec"] | {"nodeName": at}
        now = {"phase": "Running", "startTime": "2026-05-01T00:00:05Z", "conditions": [ready]}
        made.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": now})
    return made


def play(objects, *edits, **settings):
    simulation = Simulation(
        RunInput(objects=objects, driver="timed", edits=list(edits), ready_seconds=2.0, **settings)
    )
    return simulation, list(simulation)


def changes(decisions):
    """Which edit the log tells of, at which object and when."""
    return [
        (one.edit, one.outcome, one.object, one.time) for one in decisions if isinstance(one, ClusterChange)
    ]


def allowed_now(simulation):
    [budget] = [item for item in simulation.objects() if item["kind"] == "PodDisruptionBudget"]
    return budget["status"]["disruptionsAllowed"]


def names(simulation):
    return sorted(row.name for row in simulation.state().pods())


def test_a_new_stateful_set_makes_its_pods_in_the_run():
    simulation, decisions = play([node("n")], add(workload("StatefulSet", replicas=2)), until=100)
    assert names(Simulation(RunInput(objects=[node("n")], driver="timed"))) == []
    assert simulation.base.pods() == []
    assert changes(decisions) == [(0, "added", "StatefulSet default/w", 0)]
    assert steps(decisions) == [(0, "created", ["w-0"]), (2010, "created", ["w-1"])]


def test_pods_that_the_api_server_refuses_are_an_event_and_refuse_no_edit():
    objects = [node("n"), with_identity(quota(1))]
    simulation, decisions = play(objects, add(workload("ReplicaSet", replicas=2)), until=10)
    assert [one for one in steps(decisions) if one[1] == "refused"] == [(0, "refused", [])]
    assert names(simulation) == ["w-1"]
    [result] = simulation.edit_results
    assert result.problems[0].startswith("1 of 2 pods not created: exceeded quota")


def test_a_limit_range_refuses_the_edit_where_no_clock_moves_and_else_the_pods():
    item = {"type": "Container", "max": {"cpu": "500m"}}
    limits = {"apiVersion": "v1", "kind": "LimitRange", "spec": {"limits": [item]}}
    limits = with_identity({**limits, "metadata": {"name": "small", "namespace": "default"}})
    edit = add(workload("Deployment", replicas=1))
    with pytest.raises(BadInput, match="maximum cpu usage"):
        Simulation(RunInput(objects=[node("n"), limits], driver="instant", edits=[edit]))
    simulation, decisions = play([node("n"), limits], edit, until=10)
    assert [one[1] for one in steps(decisions)] == ["refused"]
    assert names(simulation) == []


def test_what_only_comes_is_there_before_the_first_decision():
    simulation, decisions = play([node("n")], add(workload("Deployment", replicas=2)), until=10)
    assert len(simulation.base.pods()) == 2
    assert changes(decisions) == []


def test_pods_that_a_smaller_workload_loses_hold_their_room_while_they_end():
    objects = [node("n", cpu="3"), *running(workload("ReplicaSet", replicas=3), 3)]
    waiting = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "new", "namespace": "default"}}
    waiting["spec"] = workload("Deployment")["spec"]["template"]["spec"]
    simulation, decisions = play(objects, on("ReplicaSet", "scale", replicas=1), add(waiting), until=100)
    assert len(names(simulation)) == 2
    assert [one.time for one in decisions if isinstance(one, Completion) and one.outcome == "bound"] == [
        30_010
    ]
    assert sorted(row.name for row in simulation.base.pods()) == ["new", "w-0", "w-1", "w-2"]


def test_a_drain_after_it_meets_the_pods_as_the_edit_before_it_leaves_them():
    objects = [node("n"), *running(workload("ReplicaSet", replicas=3), 3)]
    scale, drain = on("ReplicaSet", "scale", replicas=1), {"op": "drain", "node": "n"}
    evicted = [one for one in play(objects, scale, drain, until=5)[1] if isinstance(one, Eviction)]
    assert len(evicted) == 1
    evicted = [one for one in play(objects, drain, scale, until=5)[1] if isinstance(one, Eviction)]
    assert [one.outcome for one in evicted] == ["evicted"] * 3


def test_a_later_edit_of_the_same_object_happens_after_it():
    label = {"patch": {"metadata": {"labels": {"seen": "yes"}}}}
    edits = [add(workload("StatefulSet", replicas=1)), on("StatefulSet", "patch", **label)]
    simulation, decisions = play([node("n")], *edits, on("StatefulSet", "scale", replicas=2), until=100)
    told = [(edit, outcome) for edit, outcome, _, _ in changes(decisions)]
    assert told == [(0, "added"), (1, "updated"), (2, "updated")]
    [found] = [item for item in simulation.objects() if item["kind"] == "StatefulSet"]
    assert found["metadata"]["labels"] == {"seen": "yes"}
    assert names(simulation) == ["w-0", "w-1"]


def test_a_budget_whose_pods_go_in_the_run_is_as_it_was_when_that_begins():
    budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget"}
    budget |= {"metadata": {"name": "guard", "namespace": "default", "uid": "guard"}}
    budget["spec"] = {"minAvailable": 1, "selector": {"matchLabels": {"app": "w"}}}
    counted = {"currentHealthy": 3, "desiredHealthy": 1, "expectedPods": 3, "disruptionsAllowed": 2}
    objects = [node("n"), *running(workload("ReplicaSet", replicas=3), 3), budget | {"status": counted}]
    simulation, _ = play(objects, on("ReplicaSet", "scale", replicas=1), until=100)
    assert allowed_now(simulation) == 0
    simulation.restore(None)
    assert allowed_now(simulation) == 2


def test_what_an_editor_shows_has_all_that_will_come_of_them():
    run_input = RunInput(
        objects=[node("n")], driver="timed", edits=[add(workload("StatefulSet", replicas=3))]
    )
    assert len(Simulation(run_input, foretells=True).base.pods()) == 3


@pytest.mark.parametrize("seed", range(40))
def test_the_same_pods_come_and_go_as_of_edits_at_0(seed):
    """Not always to the same nodes: who is there before the run stands before who comes in it."""
    dice = random.Random(seed)
    objects = invented.random_cluster(dice)
    edits = [invented._edit(dice, objects) for _ in range(dice.randrange(1, 4))]
    ends = []
    for given in (edits, [edit | {"at": 0} for edit in edits]):
        try:
            simulation, _ = play(objects, *given, until=90)
        except BadInput:
            return
        ends.append(sorted((row.name, row.terminating) for row in simulation.state().pods()))
    assert ends[0] == ends[1]


def tolerant(pods, **toleration):
    """The same objects, whose pods tolerate the taint `sick`."""
    tolerations = [{"key": "sick", "operator": "Exists", "effect": "NoExecute", **toleration}]
    return [
        one | {"spec": one["spec"] | {"tolerations": tolerations}} if one["kind"] == "Pod" else one
        for one in pods
    ]


def evicted(decisions):
    """Which pods of the import taints evicted."""
    known = [f"w-{number}" for number in range(3)]
    found = [one for one in decisions if isinstance(one, Eviction) and one.pod.name in known]
    return [one.pod.name for one in found if one.outcome == "tainted"]


def test_the_pods_that_a_no_execute_taint_will_evict_are_counted_beforehand():
    owner = workload("ReplicaSet", replicas=3)
    objects = [node("n"), node("other"), *running(owner, 3)]
    put = {"op": "taint", "node": "n", "taints": ["sick:NoExecute"]}
    for known, number, said in (
        (objects, 3, "NoExecute evicts 3 pods in the run, whatever budgets say"),
        (
            tolerant(objects, tolerationSeconds=7),
            3,
            "NoExecute evicts 3 pods in the run, whatever budgets say, 3 of them after tolerationSeconds",
        ),
        (tolerant(objects), 0, "NoExecute evicts no pod: all that run there tolerate it"),
    ):
        simulation, decisions = play(known, put, until=60)
        [result] = simulation.edit_results
        assert result.evicted_by_taints == number == len(evicted(decisions))
        assert said in result.changes


def test_pods_are_counted_once_for_all_taints_that_are_left_when_the_run_begins():
    objects = [node("n"), node("other"), *running(workload("ReplicaSet", replicas=3), 3)]
    first = {"op": "taint", "node": "n", "taints": ["sick:NoExecute"]}
    patch = {"spec": {"taints": [{"key": "worse", "effect": "NoExecute"}]}}
    second = {"op": "patch", "kind": "Node", "name": "n", "patch": patch}
    simulation, decisions = play(objects, first, second, until=60)
    assert [one.evicted_by_taints for one in simulation.edit_results] == [0, 3]
    assert len(evicted(decisions)) == 3
    back = {"op": "untaint", "node": "n", "taints": ["sick"]}
    simulation, decisions = play(objects, first, back, until=60)
    assert [one.evicted_by_taints for one in simulation.edit_results] == [0, 0]
    assert not any("NoExecute" in change for one in simulation.edit_results for change in one.changes)
    assert evicted(decisions) == []


def test_of_an_instant_or_without_controllers_it_is_not_known_whom_a_taint_evicts():
    objects = [node("n"), node("other"), *running(workload("ReplicaSet", replicas=3), 3)]
    put = {"op": "taint", "node": "n", "taints": ["sick:NoExecute"]}
    simulation, decisions = play(objects, put | {"at": 5}, until=60)
    [result] = simulation.edit_results
    assert (result.evicted_by_taints, len(evicted(decisions))) == (0, 3)
    assert "NoExecute evicts the pods there that do not tolerate it, when the run plays it" in result.changes
    alone = Simulation(RunInput(objects=objects, edits=[put]))
    assert not evicted(list(alone))
    assert any("nobody evicts them in this run" in change for change in alone.edit_results[0].changes)
