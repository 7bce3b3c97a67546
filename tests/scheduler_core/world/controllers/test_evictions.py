"""The eviction API, and what comes back of pods that it lets go."""

import pytest

from scheduler_core.events.decisions import Eviction
from scheduler_core.objects import types
from scheduler_core.objects.api_server.storage_defaults import with_default_class
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.state.journal import Journal
from scheduler_core.state.volumes import BinderView
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import budget, node, pod

DRAIN = {"op": "drain", "node": "n"}
SCRATCH = {
    "name": "scratch",
    "ephemeral": {
        "volumeClaimTemplate": {
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": "1Gi"}},
                "storageClassName": "late",
            }
        }
    },
}
LATE = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "late", "uid": "late"},
    "provisioner": "example.com/disks",
    "volumeBindingMode": "WaitForFirstConsumer",
}


def stateful(name, **more):
    made = pod(name, owner="web", **more)
    made["metadata"]["ownerReferences"][0]["kind"] = "StatefulSet"
    return made


def decided(objects, *edits, **more):
    return list(Simulation(RunInput(objects=objects, edits=list(edits), **more)))


def first_word(objects, *edits):
    decision = decided(objects, *edits)[0]
    return decision.outcome, decision.message


def test_a_pod_that_has_not_started_is_evicted_whatever_the_budget():
    waiting = pod("waiting", on="n", labels={"app": "kept"})
    waiting["status"]["phase"] = "Pending"
    assert first_word([node("n"), waiting, budget("guard", "kept", 0)], DRAIN)[0] == "evicted"


@pytest.mark.parametrize("selector", [{}, {"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}])
def test_the_eviction_api_asks_budgets_of_every_pod_that_they_select(selector):
    plain = pod("plain", on="n")
    del plain["metadata"]["labels"]
    guard = budget("guard", "x", 0) | {"spec": {"selector": selector}}
    assert first_word([node("n"), plain, guard], DRAIN)[0] == "refused"


def test_a_refusal_says_what_the_api_server_says():
    guard = budget("guard", "kept", 0)
    guard["status"] |= {"currentHealthy": 3, "desiredHealthy": 2}
    objects = [node("n"), pod("p", on="n", labels={"app": "kept"}), guard]
    assert first_word(objects, DRAIN)[1].endswith("budget guard does not allow evicting pods currently.")
    guard["status"] |= {"currentHealthy": 2}
    assert first_word(objects, DRAIN)[1].endswith("needs 2 healthy pods and has 2 currently.")


@pytest.mark.parametrize(("desired", "outcome"), [(0, "refused"), (1, "evicted")])
def test_an_unready_pod_may_go_where_the_budget_wants_any_and_has_enough(desired, outcome):
    unready = pod("unready", on="n", labels={"app": "kept"})
    unready["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}
    guard = budget("guard", "kept", 0)
    guard["status"] |= {"currentHealthy": desired, "desiredHealthy": desired}
    assert first_word([node("n"), unready, guard], DRAIN)[0] == outcome


def test_a_node_may_be_drained_and_deleted():
    objects = [node("n"), node("other"), pod("p", on="n", owner="rs")]
    eviction, copy = decided(objects, DRAIN, {"op": "delete", "kind": "Node", "name": "n"})
    assert eviction.outcome == "evicted"
    assert (copy.pod.name, copy.outcome, copy.chosen) == ("p-r1", "scheduled", "other")


def test_a_copy_does_not_take_a_living_pods_name():
    objects = [node("n"), node("other"), pod("p", on="n", owner="rs"), pod("p-r1", on="other")]
    assert [decision.pod.name for decision in decided(objects, DRAIN)] == ["p", "p-r2"]


def test_a_successor_of_the_same_name_has_claims_of_its_own():
    web = stateful("web-0", volumes=[SCRATCH])
    successor = {**web, "metadata": {**web["metadata"], "uid": "successor"}}
    (first,), (second,) = ephemeral_claims(web), ephemeral_claims(successor)
    assert first["metadata"]["name"] == second["metadata"]["name"]
    before, after = (types.convert(claim, PersistentVolumeClaim) for claim in (first, second))
    view = BinderView()
    view.select_node(before, "n", Journal())
    assert (view.selected_node(before), view.selected_node(after)) == ("n", None)


@pytest.mark.parametrize(
    "make", [lambda **more: pod("web-0", owner="rs", **more), lambda **more: stateful("web-0", **more)]
)
def test_a_deleted_pods_copy_has_its_ephemeral_claims(make):
    objects = [node("n"), LATE, make(on="n", volumes=[SCRATCH])]
    (decision,) = decided(objects, {"op": "delete", "kind": "Pod", "name": "web-0"})
    assert decision.outcome == "scheduled"


def test_two_pods_of_one_stateful_name_do_not_hang_the_deletion_of_one():
    twins = [stateful("web-0", on="n"), stateful("web-0", on="n")]
    twins[1]["metadata"]["uid"] = "other"
    edit = {"op": "delete", "kind": "Pod", "name": "web-0", "uid": "other"}
    with pytest.raises(BadInput):
        Simulation(RunInput(objects=[node("n"), *twins], edits=[edit]))


@pytest.mark.parametrize("year", ["0001", "2500"])
def test_a_start_time_beyond_64_bits_is_kept_at_their_end(year):
    old = pod("old", on="n", started=f"{year}-01-01T00:00:00Z")
    assert decided([node("n"), old, pod("new")])[0].outcome == "scheduled"


def storage_class(name, created, annotation="storageclass.kubernetes.io/is-default-class"):
    return {
        "kind": "StorageClass",
        "metadata": {"name": name, "creationTimestamp": created, "annotations": {annotation: "true"}},
    }


def test_the_default_class_is_the_newest_then_the_first_by_name():
    beta = storage_class("c", "2026-01-01T00:00:00Z", "storageclass.beta.kubernetes.io/is-default-class")
    classes = [storage_class("b", "2026-02-01T00:00:00Z"), storage_class("a", "2026-02-01T00:00:00Z"), beta]
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "x"}, "spec": {"storageClassName": None}}
    assert with_default_class(claim, classes)["spec"]["storageClassName"] == "a"
    assert with_default_class(claim, [beta])["spec"]["storageClassName"] == "c"
    named = {**claim, "metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "old"}}}
    assert with_default_class(named, classes) == named


def foreseen_and_played(*guards, **more):
    """The drain's result beforehand, and its evictions as they come."""
    pods = [pod(f"kept-{number}", on="n", labels={"app": "kept"}, owner="rs") for number in range(3)]
    free = pod("free", on="n", owner="rs")
    objects = [node("n"), node("spare"), free, *pods, *guards]
    simulation = Simulation(RunInput(objects=objects, edits=[DRAIN], **more))
    (result,) = simulation.edit_results
    return result, [decision for decision in simulation if isinstance(decision, Eviction)]


@pytest.mark.parametrize("more", [{}, {"profile": "kube-1.11", "driver": "grace"}])
def test_a_drain_says_beforehand_what_the_budgets_will_refuse(more):
    result, evictions = foreseen_and_played(budget("guard", "kept", 1), **more)
    assert result.evictions == 4
    assert [(refused.pod, refused.node, refused.budgets) for refused in result.refused] == [
        ("default/kept-1", "n", ["default/guard"]),
        ("default/kept-2", "n", ["default/guard"]),
    ]
    assert result.problems == [
        "2 of 4 evictions refused by PodDisruptionBudget default/guard:"
        " default/kept-1 and default/kept-2 stay on n"
    ]
    refused = [(one.pod.uid, one.message) for one in evictions if one.outcome == "refused"]
    assert refused == [(one.uid, one.message) for one in result.refused]


def test_a_drain_that_goes_through_has_no_problems():
    result, evictions = foreseen_and_played(budget("guard", "kept", 3))
    assert (result.evictions, result.refused, result.problems) == (4, [], [])
    assert [one.outcome for one in evictions] == ["evicted"] * 4


def test_pods_under_several_budgets_are_refused_by_all_of_them_by_name():
    result, _ = foreseen_and_played(budget("one", "kept", 9), budget("two", "kept", 9))
    assert [refused.budgets for refused in result.refused] == [["default/one", "default/two"]] * 3
    assert "several PodDisruptionBudgets (default/one, default/two)" in result.problems[0]


def test_each_edit_is_told_its_own_refusals():
    guard = budget("guard", "kept", 0)
    objects = [node("n"), node("m"), pod("a", on="m", labels={"app": "kept"}), guard, pod("b", on="n")]
    evict = {"op": "evict", "pod": "default/a"}
    results = Simulation(RunInput(objects=objects, edits=[DRAIN, evict])).edit_results
    assert [len(result.refused) for result in results] == [0, 1]
    assert results[1].problems == ["refused by PodDisruptionBudget default/guard: default/a stays on m"]


def lasting(spec, status, *pods, drains=("n",)):
    """Return for how long each refused eviction is refused, by the pod's name."""
    guard = budget("guard", "kept", 0) | {
        "spec": {"selector": {"matchLabels": {"app": "kept"}}, **spec},
        "status": status,
    }
    made = [pod(name, on=on, owner=owner, labels={"app": "kept"}) for name, on, owner in pods]
    edits = [{"op": "drain", "node": name} for name in drains]
    simulation = Simulation(RunInput(objects=[node("n"), node("m"), *made, guard], edits=edits))
    return {refused.pod: refused.lasts for result in simulation.edit_results for refused in result.refused}


def counted(expected, desired, allowed):
    return {
        "expectedPods": expected, "desiredHealthy": desired, "currentHealthy": desired + allowed,
        "disruptionsAllowed": allowed,
    }  # fmt: skip


def test_a_budget_of_no_unavailable_pod_refuses_for_ever():
    found = lasting({"maxUnavailable": 0}, counted(2, 2, 0), ("a", "n", "web"), ("b", "m", "web"))
    assert found == {"default/a": "ever"}


def test_a_budget_whose_pods_are_not_all_healthy_refuses_for_now():
    found = lasting({"maxUnavailable": 1}, counted(2, 1, 0), ("a", "n", "web"), ("b", "m", "web"))
    assert found == {"default/a": "now"}


@pytest.mark.parametrize(("needed", "lasts"), [(1, "now"), (2, "ever"), (3, "ever")])
def test_so_many_pods_available_as_there_are_is_for_ever(needed, lasts):
    pods = ("a", "n", "web"), ("b", "m", "web")
    assert lasting({"minAvailable": needed}, counted(2, needed, 0), *pods) == {"default/a": lasts}


def test_what_a_budget_grants_first_comes_back_only_where_somebody_replaces_it():
    controlled = ("a", "n", "web"), ("b", "n", "web"), ("c", "m", "web")
    assert lasting({"minAvailable": 2}, counted(3, 2, 1), *controlled) == {"default/b": "now"}
    alone = ("a", "n", None), ("b", "n", None), ("c", "m", None)
    assert lasting({"minAvailable": 2}, counted(3, 2, 1), *alone) == {"default/b": "ever"}


def test_pods_that_nobody_replaces_refuse_for_now_where_another_one_waits_for_a_node():
    waits = ("a", "n", None), ("b", "m", None), ("c", None, None)
    assert lasting({"minAvailable": 1}, counted(3, 1, 0), *waits) == {"default/a": "now"}
    assert lasting({"minAvailable": 3}, counted(3, 3, 0), *waits) == {"default/a": "ever"}


def test_a_share_of_pods_without_a_controller_is_refused_for_ever():
    assert lasting({"maxUnavailable": 1}, counted(0, 0, 0), ("a", "n", None)) == {"default/a": "ever"}


def test_a_budget_that_was_never_counted_says_nothing_of_how_long():
    assert lasting({"maxUnavailable": 1}, {"disruptionsAllowed": 0}, ("a", "n", "web")) == {"default/a": ""}


def test_several_budgets_refuse_for_ever():
    objects = [
        node("n"), pod("a", on="n", owner="web", labels={"app": "kept"}),
        budget("one", "kept", 1), budget("two", "kept", 1),
    ]  # fmt: skip
    results = Simulation(RunInput(objects=objects, edits=[DRAIN])).edit_results
    assert [refused.lasts for refused in results[0].refused] == ["ever"]
