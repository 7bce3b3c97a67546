"""Runs as an operator means them: order, copies of evicted pods, drains, seeds, limits, refusals."""

import msgspec
import pytest
from msgspec.structs import replace

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import budget, node, pod


def outcomes(simulation):
    return [(decision.pod.name, decision.outcome) for decision in simulation]


def test_pending_pods_enter_by_priority_then_creation_then_name():
    young, old, urgent = pod("young"), pod("old"), pod("urgent", priority=9)
    young["metadata"]["creationTimestamp"] = "2026-05-02T00:00:00Z"
    old["metadata"]["creationTimestamp"] = "2026-05-01T00:00:00Z"
    urgent["metadata"]["creationTimestamp"] = "2026-05-03T00:00:00Z"
    simulation = Simulation(RunInput(objects=[node("n"), young, old, urgent]))
    assert [name for name, _ in outcomes(simulation)] == ["urgent", "old", "young"]


def test_a_victim_with_a_controller_comes_back_as_a_copy_and_a_bare_one_does_not():
    objects = [
        node("n", cpu="2"),
        pod("owned", on="n", owner="rs"),
        pod("bare", on="n"),
        pod("urgent", cpu="2", priority=10),
    ]
    simulation = Simulation(RunInput(objects=objects))
    decided = outcomes(simulation)
    assert ("urgent", "scheduled") in decided
    assert ("owned-r1", "unschedulable") in decided
    assert {card.name for card in simulation.state().pods()} == {"urgent", "owned-r1"}


def test_without_controllers_nothing_comes_back():
    objects = [node("n", cpu="1"), pod("owned", on="n", owner="rs"), pod("urgent", priority=10)]
    simulation = Simulation(RunInput(objects=objects, controllers="none"))
    assert outcomes(simulation) == [("urgent", "nominated"), ("urgent", "scheduled")]


def test_a_drain_evicts_through_the_budgets_and_logs_what_they_refuse():
    objects = [
        node("full"),
        node("spare"),
        pod("free", on="full", owner="rs"),
        pod("kept", on="full", labels={"app": "kept"}, owner="rs"),
        budget("guard", "kept", 0),
    ]
    simulation = Simulation(RunInput(objects=objects, edits=[{"op": "drain", "node": "full"}]))
    evictions = [decision for decision in simulation if type(decision).__name__ == "Eviction"]
    assert [(e.pod.name, e.outcome) for e in evictions] == [("free", "evicted"), ("kept", "refused")]
    assert "disruption budget" in evictions[1].message
    where = {card.name: card.node for card in simulation.state().pods()}
    assert where == {"kept": "full", "free-r1": "spare"}


WITHOUT_CLAIMS = "kube-1.37"
LEFT_OUT = "1 pod with {}, which only kube-scheduler 1.35 and 1.36 are played with"


def test_a_pod_with_resource_claims_is_left_alone_and_named():
    claiming = pod("claiming", resourceClaims=[{"name": "gpu", "resourceClaimName": "one"}])
    simulation = Simulation(RunInput(objects=[node("n"), claiming, pod("plain")], profile=WITHOUT_CLAIMS))
    assert outcomes(simulation) == [("plain", "scheduled")]
    assert simulation.trust.not_modelled == [LEFT_OUT.format("resource claims")]


DEVICES = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu", "uid": "gpu"},
    "spec": {"extendedResourceName": "example.com/gpu"},
}


def asks_for(resource):
    container = {"name": "main", "image": "app:1", "resources": {"requests": {resource: "1"}}}
    return pod("asking", containers=[container])


@pytest.mark.parametrize("resource", ["example.com/gpu", "deviceclass.resource.kubernetes.io/gpu"])
def test_a_pod_that_asks_for_a_device_class_by_an_extended_resource_is_left_alone_and_named(resource):
    objects = [node("n"), DEVICES, asks_for(resource), pod("plain")]
    simulation = Simulation(RunInput(objects=objects, profile=WITHOUT_CLAIMS))
    assert outcomes(simulation) == [("plain", "scheduled")]
    assert simulation.trust.not_modelled == [LEFT_OUT.format("extended resources of a DeviceClass")]


def test_a_copy_of_a_pod_with_devices_is_not_placed_by_guess():
    claiming = pod("claiming", on="n", owner="rs", resourceClaims=[{"name": "gpu"}])
    objects, drain = [node("n"), node("other"), claiming], {"op": "drain", "node": "n"}
    simulation = Simulation(RunInput(objects=objects, edits=[drain], profile=WITHOUT_CLAIMS))
    _, copy = simulation
    assert (copy.pod.name, copy.outcome) == ("claiming-r1", "error")
    assert copy.message == "not modelled: resource claims"


def test_an_older_release_does_not_know_devices():
    claiming = pod("claiming", resourceClaims=[{"name": "gpu", "resourceClaimName": "one"}])
    simulation = Simulation(RunInput(objects=[node("n"), DEVICES, claiming], profile="kube-1.13"))
    assert outcomes(simulation) == [("claiming", "scheduled")]
    assert simulation.trust.unknown == ["resourceClaims of 1 pod"]


def test_a_pod_of_another_scheduler_is_left_alone():
    simulation = Simulation(RunInput(objects=[node("n"), pod("theirs", schedulerName="volcano")]))
    assert outcomes(simulation) == []
    assert list(simulation.state().waiting()) == []


def test_a_seed_draws_among_the_best_and_none_takes_the_first_by_name():
    objects = [*(node(f"n{number}") for number in range(8)), pod("p")]
    chosen = {next(iter(Simulation(RunInput(objects=objects, seed=seed)))).chosen for seed in range(12)}
    assert len(chosen) > 2
    decision = next(iter(Simulation(RunInput(objects=objects))))
    assert decision.chosen == "n0"
    assert decision.best == [f"n{number}" for number in range(8)]
    again = [next(iter(Simulation(RunInput(objects=objects, seed=3)))).chosen for _ in range(3)]
    assert len(set(again)) == 1


def test_a_seed_draws_anew_at_each_decision():
    objects = [
        *(node(f"n{number}") for number in range(8)),
        *(pod(f"p{number}", cpu="10m") for number in range(12)),
    ]
    only_images = {"disabled": [{"name": "*"}], "enabled": [{"name": "ImageLocality"}]}
    config = {"profiles": [{"schedulerName": "default-scheduler", "plugins": {"score": only_images}}]}
    decisions = list(Simulation(RunInput(objects=objects, config=config, seed=3)))
    assert all(len(decision.best) == 8 for decision in decisions)
    assert len({decision.chosen for decision in decisions}) > 2


def test_an_attempt_limit_that_is_reached_is_said():
    objects = [node("n", cpu="1"), pod("p", cpu="3")]
    simulation = Simulation(RunInput(objects=objects, attempt_limit=1))
    assert outcomes(simulation) == [("p", "unschedulable")]
    assert simulation.limit_reached
    assert (simulation.ended_by, simulation.until) == ("limit", None)


def test_a_run_without_a_clock_ends_when_nothing_is_left_to_decide():
    simulation = Simulation(RunInput(objects=[node("n", cpu="1"), pod("p", cpu="1")]))
    assert outcomes(simulation) == [("p", "scheduled")]
    assert (simulation.ended_by, simulation.until) == ("quiet", None)


def test_a_cluster_without_nodes_has_its_own_message():
    decision = next(iter(Simulation(RunInput(objects=[pod("p")]))))
    assert decision.message == "no nodes available to schedule pods"


def test_what_an_import_lacks_is_said_with_the_line_that_adds_it():
    trust = Simulation(RunInput(objects=[node("n"), pod("p")])).trust
    assert any("PodDisruptionBudgets" in phrase for phrase in trust.missing)
    assert "poddisruptionbudgets" in trust.remedies[0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"profile": "kube-9.9"}, "profile"),
        ({"driver": "warp"}, "driver"),
        ({"controllers": "maybe"}, "controllers"),
        ({"config": {"profiles": [{"plugins": {"score": {"enabled": [{"name": "Nope"}]}}}]}}, "Nope"),
    ],
)
def test_a_run_that_cannot_be_played_is_refused_with_the_field(change, field):
    with pytest.raises(BadInput) as refused:
        Simulation(RunInput(objects=[node("n")], **change))
    assert field in str(refused.value)


def test_a_quantity_that_is_none_is_refused_with_its_pod():
    with pytest.raises(BadInput) as refused:
        Simulation(RunInput(objects=[node("n"), pod("p", cpu="lots")]))
    assert refused.value.problems[0].object == "Pod default/p"


def test_the_numbers_of_a_rejection_say_what_was_asked_and_what_was_free():
    objects = [node("n", cpu="2"), pod("there", cpu="1500m", on="n"), pod("p", cpu="1")]
    row = Simulation(RunInput(objects=objects)).explain().nodes()[0]
    cpu = next(figure for figure in row.numbers if figure.what == "cpu")
    assert (cpu.asked, cpu.free, cpu.size, cpu.unit) == (1000, 500, 2000, "m")


def test_a_reprieve_is_told_pod_by_pod_with_the_protected_ones_first():
    objects = [
        node("n", cpu="3"),
        pod("guarded", on="n", labels={"app": "guarded"}),
        pod("low", on="n", priority=1),
        pod("high", on="n", priority=2),
        budget("guard", "guarded", 0),
        pod("urgent", cpu="1", priority=10),
    ]
    steps = Simulation(RunInput(objects=objects)).explain().node("n").reprieve.steps
    assert [(step.pod.name, step.violates_budget, step.outcome) for step in steps] == [
        ("guarded", True, "reprieved"),
        ("high", False, "reprieved"),
        ("low", False, "victim"),
    ]


def scratch_volume(storage_class=None):
    """A generic ephemeral volume."""
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    if storage_class:
        spec["storageClassName"] = storage_class
    return {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": spec}}}


def a_class(name, mode, default=False):
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"} if default else {}
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name, "uid": name, "annotations": annotations},
        "provisioner": "example.com/disks",
        "volumeBindingMode": mode,
    }


def test_the_claim_of_an_evicted_pods_ephemeral_volume_is_made_again_for_its_copy():
    owned = pod("owned", on="n", owner="rs", volumes=[scratch_volume()])
    objects = [node("n"), node("other"), owned, a_class("late", "WaitForFirstConsumer", default=True)]
    run_input = RunInput(objects=objects, edits=[{"op": "drain", "node": "n"}])
    simulation = Simulation(run_input)
    _, copy = simulation
    assert (copy.pod.name, copy.outcome, copy.chosen) == ("owned-r1", "scheduled", "other")
    simulation.restore(None)
    assert [decision.outcome for decision in simulation] == ["evicted", "scheduled"]
    resumed = Simulation(run_input, simulation.checkpoint())
    assert resumed.state() == simulation.state()


def test_an_added_pod_has_the_claims_of_its_ephemeral_volumes():
    manifest = pod("added", volumes=[scratch_volume("late")])
    del manifest["metadata"]["uid"]
    objects = [node("n"), a_class("late", "WaitForFirstConsumer")]
    simulation = Simulation(RunInput(objects=objects, edits=[{"op": "add", "manifest": manifest}]))
    assert outcomes(simulation) == [("added", "scheduled")]
    assert any("added-scratch" in change for change in simulation.edit_results[0].changes)


def test_a_class_that_never_saw_an_api_server_binds_at_once():
    immediate = a_class("now", None)
    del immediate["metadata"]["uid"], immediate["volumeBindingMode"]
    manifest = pod("added", volumes=[scratch_volume("now")])
    del manifest["metadata"]["uid"]
    simulation = Simulation(
        RunInput(objects=[node("n"), immediate], edits=[{"op": "add", "manifest": manifest}])
    )
    [decision] = simulation
    assert "unbound immediate PersistentVolumeClaims" in decision.message


def test_a_copy_that_comes_again_after_going_back_is_on_no_node_yet():
    """Its place among the columns is that of the copy which was placed before."""
    alone = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "a"}}}
    ]}}  # fmt: skip
    objects = [
        node("n"),
        node("other"),
        pod("owned", on="n", owner="rs", labels={"app": "a"}, affinity=alone),
    ]
    simulation = Simulation(RunInput(objects=objects, edits=[{"op": "drain", "node": "n"}]))
    first = list(simulation)
    assert first[-1].chosen == "other"
    simulation.restore(None)
    assert list(simulation) == first


def test_going_back_reads_neither_nodes_nor_pods_again_that_are_the_same(monkeypatch):
    objects = [node("n"), pod("here", on="n"), pod("first"), pod("second")]
    simulation = Simulation(RunInput(objects=objects, edits=[]))
    checkpoint = simulation.checkpoint()
    first = list(simulation)
    known = simulation._world.state.nodes.all
    simulation.restore(checkpoint)
    assert simulation._world.state.nodes.all is known
    assert list(simulation) == first


def test_pods_that_have_changed_are_in_a_checkpoint_whole_and_older_ones_are_read_too():
    state = Simulation(RunInput(objects=[node("n"), pod("moved", on="n")]))._world.state
    imported = state.pods.infos[0].pod
    version = replace(imported, metadata=replace(imported.metadata, labels={"app": "b"}))
    state.change_pod(0, version)
    dumped = state.pod_changes.dump()
    older = [[row, msgspec.msgpack.decode(packed)] for row, packed in dumped["changed"]]
    for changed in (dumped["changed"], older):
        state.pod_changes.load({**dumped, "changed": []})
        assert state.pods.infos[0].pod is imported
        state.pod_changes.load({**dumped, "changed": changed})
        assert state.pods.infos[0].pod == version


def test_two_nodes_of_one_name_are_refused():
    with pytest.raises(BadInput) as refused:
        Simulation(RunInput(objects=[node("a"), node("b"), node("a", cpu="9")]))
    [problem] = refused.value.problems
    assert str(problem) == "Node a: metadata.name: another node has the same name"
