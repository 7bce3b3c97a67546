"""Services, namespaces, budgets, classes and quotas that come, change and go while a clock moves."""

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.builders import workload
from tests.scheduler_core.clusters import node, pod


def simulation_of(objects, *edits):
    return Simulation(RunInput(objects=objects, driver="timed", edits=list(edits)))


def play(objects, *edits):
    """Return the simulation after its end, and its decisions; it must resume and go back exactly."""
    simulation = simulation_of(objects, *edits)
    decisions, checkpoints = [], [simulation.checkpoint()]
    for decision in simulation:
        decisions.append(decision)
        checkpoints.append(simulation.checkpoint())
    for after, checkpoint in enumerate(checkpoints[:-1]):
        resumed = simulation_of(objects, *edits)
        resumed.restore(checkpoint)
        assert next(iter(resumed)) == decisions[after]
    other = simulation_of(objects, *edits)
    for number, decision in enumerate(decisions):
        explained = other.explain()
        assert explained.decision == decision
        with other._world.before():
            assert other.checkpoint() == checkpoints[number]
    return simulation, decisions


def add(document, at):
    return {"op": "add", "manifest": document, "at": at}


def document(kind, name, version="v1", **fields):
    return {
        "apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "default"}, **fields,
    }  # fmt: skip


def delete(kind, name, at, namespace="default"):
    return {"op": "delete", "kind": kind, "name": name, "namespace": namespace, "at": at}


def placed(decisions):
    attempts = [one for one in decisions if type(one).__name__ == "Attempt"]
    return {one.pod.name: one.chosen for one in attempts if one.outcome == "scheduled"}


def manifest(name, **fields):
    written = pod(name, **fields)
    del written["metadata"]["uid"]
    written["spec"].pop("priority", None)
    return written


SERVICE = document("Service", "web", spec={"selector": {"app": "web"}})


def test_a_service_spreads_the_pods_that_come_after_it_and_no_longer_once_it_is_gone():
    objects = [node("big", cpu="40"), node("small"), pod("w0", on="big", labels={"app": "web"})]
    web = {"labels": {"app": "web"}, "cpu": "100m"}
    edits = [
        add(manifest("w1", **web), 1),
        add(SERVICE, 10),
        add(manifest("w2", **web), 11),
        delete("Service", "web", 20),
        add(manifest("w3", **web), 21),
    ]
    _, decisions = play(objects, *edits)
    assert placed(decisions) == {"w1": "big", "w2": "small", "w3": "big"}
    service = [one for one in decisions if getattr(one, "object", "") == "Service default/web"]
    assert [(one.outcome, one.wakes, one.heard) for one in service] == [
        ("added", [], []),
        ("deleted", [], []),
    ]


def test_a_namespace_that_changes_wakes_nobody_and_counts_at_the_next_attempt():
    """kube-scheduler reads namespaces and does not listen to them: the flush after five minutes finds out."""
    term = {
        "topologyKey": "kubernetes.io/hostname",
        "namespaceSelector": {"matchLabels": {"team": "x"}},
        "labelSelector": {"matchLabels": {"app": "there"}},
    }
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "uid": "ns"}}
    objects = [node("n"), space, pod("there", on="n"), pod("waits", affinity=affinity)]
    label = {"op": "patch", "kind": "Namespace", "name": "default", "at": 10}
    _, decisions = play(objects, {**label, "patch": {"metadata": {"labels": {"team": "x"}}}})
    changed = next(one for one in decisions if getattr(one, "object", "") == "Namespace default")
    assert (changed.time, changed.outcome, changed.wakes) == (10_000, "updated", [])
    attempts = [(one.time, one.outcome) for one in decisions if type(one).__name__ == "Attempt"]
    assert attempts == [(0, "unschedulable"), (330_000, "scheduled")]


def running(name):
    item = pod(name, on="n", labels={"app": "web"}, cpu="100m")
    item["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return item


def budget(**spec):
    spec = {"selector": {"matchLabels": {"app": "web"}}, **spec}
    return document("PodDisruptionBudget", "guard", "policy/v1", spec=spec)


def test_a_budget_counts_the_pods_that_are_healthy_when_it_comes():
    objects = [node("n"), running("a"), running("b"), pod("c", labels={"app": "web"}, cpu="100m")]
    evict = [{"op": "evict", "pod": f"default/{name}", "at": at} for name, at in (("a", 20), ("b", 21))]
    gone = {"op": "evict", "pod": "default/c", "at": 5}
    _, decisions = play(objects, gone, add(budget(minAvailable=1), 10), *evict)
    asked = [(one.pod.name, one.outcome) for one in decisions if type(one).__name__ == "Eviction"]
    assert asked == [("c", "evicted"), ("a", "evicted"), ("b", "refused")]


def test_a_budget_that_changes_or_goes_guards_otherwise_from_then_on():
    objects = [node("n"), running("a"), running("b"), running("c")]
    patch = {"op": "patch", "kind": "PodDisruptionBudget", "name": "guard", "namespace": "default", "at": 20}
    evict = [
        {"op": "evict", "pod": f"default/{name}", "at": at}
        for name, at in (("a", 15), ("b", 16), ("b", 25), ("c", 26), ("c", 35))
    ]
    edits = [
        add(budget(minAvailable=2), 10),
        {**patch, "patch": {"spec": {"minAvailable": 1}}},
        delete("PodDisruptionBudget", "guard", 30),
        *evict,
    ]
    _, decisions = play(objects, *edits)
    asked = [(one.pod.name, one.outcome) for one in decisions if type(one).__name__ == "Eviction"]
    assert asked == [
        ("a", "evicted"), ("b", "refused"), ("b", "evicted"), ("c", "refused"), ("c", "evicted"),
    ]  # fmt: skip


def test_a_priority_class_counts_for_pods_that_come_after_it():
    high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}}
    classed = manifest("p", priorityClassName="high")
    _, decisions = play([node("n")], add(classed, 6), add({**high, "value": 7}, 5))
    [attempt] = [one for one in decisions if type(one).__name__ == "Attempt"]
    assert attempt.pod.priority == 7
    with pytest.raises(BadInput, match="high"):
        simulation_of([node("n")], add(classed, 4), add({**high, "value": 7}, 5))


def test_a_quota_refuses_what_comes_after_it():
    quota = document("ResourceQuota", "few", spec={"hard": {"pods": "1"}})
    cart = workload("ReplicaSet", "cart", namespace="default", replicas=3)
    simulation, decisions = play([node("n")], add(cart, 6), add(quota, 5))
    assert len(placed(decisions)) == 1
    assert "2 of 3 pods not created" in simulation.edit_results[0].problems[0]


def test_what_no_run_knows_is_refused_with_edit_and_field():
    lease = document("Lease", "x", "coordination.k8s.io/v1", spec={})
    with pytest.raises(BadInput) as refused:
        simulation_of([node("n")], add(lease, 5))
    [problem] = refused.value.problems
    assert (problem.object, problem.field) == ("edits[0]", "at")
    assert "can't come, change or go at an instant" in problem.message


@pytest.mark.parametrize(
    ("kind", "group"),
    [
        ("Service", "serving.knative.dev"),
        ("StatefulSet", "apps.kruise.io"),
        ("Job", "kubeflow.org"),
        ("Node", "longhorn.io"),
    ],
)
def test_a_kind_of_another_project_is_not_taken_for_the_one_of_its_name(kind, group):
    """Nor may it come at an instant: what it does is not known."""
    with pytest.raises(BadInput) as refused:
        simulation_of([node("n")], add(document(kind, "x", f"{group}/v1", spec={"selector": {}}), 5))
    [problem] = refused.value.problems
    assert problem.message.startswith(f"{kind}.{group} default/x can't come, change or go at an instant")


def test_deleting_at_an_instant_takes_the_object_of_the_group_that_is_meant():
    theirs = document("Pod", "a", "pods.example/v1")
    ours = pod("a", on="n")
    _, decisions = play([node("n"), ours, theirs], delete("Pod", "a", 5))
    deleted = [(one.object, one.outcome) for one in decisions if getattr(one, "edit", None) == 0]
    assert deleted == [("Pod default/a", "deleted")]
    for objects, kind in (([ours, theirs], "Pod.pods.example"), ([theirs], "Pod")):
        with pytest.raises(BadInput, match=r"Pod\.pods\.example default/a can't come, change or go"):
            simulation_of([node("n"), *objects], delete(kind, "a", 5))
