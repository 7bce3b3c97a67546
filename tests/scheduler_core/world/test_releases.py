"""Runs under the releases before the framework: who gets the room that victims left, drivers, settings."""

import gzip
import json
from pathlib import Path

import pytest

from recorded.decide import decide
from scheduler_core.events.effects import effects
from scheduler_core.events.fold import Fold
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod

VECTORS = Path(__file__).parents[2] / "vectors"
RELEASES = ["1.8", "1.9", "1.11", "1.13"]


def recorded(release, family):
    with gzip.open(VECTORS / f"kube-{release}" / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def run_of(case, release, driver):
    return Simulation(
        RunInput(
            objects=case["cluster"]["items"],
            profile=f"kube-{release}",
            driver=driver,
            controllers="none",
            schedule=case["schedule"],
        )
    )


def a_full_node_and_two_who_want_it():
    low, preemptor, thief = pod("low", on="n", priority=0), pod("preemptor", priority=10), pod("thief")
    for second, waiting in enumerate((preemptor, thief)):
        waiting["metadata"]["creationTimestamp"] = f"2026-05-01T00:00:0{second}Z"
    return [node("n", cpu="1"), low, preemptor, thief]


def placed(simulation):
    return [decision.pod.name for decision in simulation if decision.outcome == "scheduled"]


def test_in_1_8_somebody_else_takes_the_room_that_victims_left():
    simulation = Simulation(RunInput(objects=a_full_node_and_two_who_want_it(), profile="kube-1.8"))
    assert placed(simulation)[0] == "thief"


@pytest.mark.parametrize("release", ["1.9", "1.11", "1.13"])
def test_since_1_9_the_nomination_holds_the_room(release):
    objects = a_full_node_and_two_who_want_it()
    if release == "1.9":
        assert "annotations" not in objects[2]["metadata"]
    simulation = Simulation(RunInput(objects=objects, profile=f"kube-{release}", driver="fifo"))
    assert placed(simulation) == ["preemptor"]


def full_nodes_of(kind):
    """A full node with a pod of this kind of controller, and a more important pod that waits."""
    low = pod("low", on="n", priority=0)
    low["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": kind, "name": "low", "uid": "low-owner", "controller": True}
    ]
    return [node("n", cpu="1"), low, pod("preemptor", priority=10)]


def effects_of(decision):
    return [type(effect).__name__ for effect in effects(decision.changes)]


def test_with_grace_a_victim_stays_until_nothing_else_can_be_tried():
    run_input = RunInput(objects=full_nodes_of("ReplicaSet"), profile="kube-1.11", driver="grace")
    simulation = Simulation(run_input)
    log = list(simulation)
    assert [(decision.pod.name, decision.outcome) for decision in log] == [
        ("preemptor", "nominated"),
        ("preemptor", "unschedulable"),
        ("low-r1", "unschedulable"),
        ("preemptor", "scheduled"),
        ("low-r1", "unschedulable"),
    ]
    assert effects_of(log[0]) == ["Evicted", "Nominated", "Dequeued", "Entered", "Arrived", "Entered"]
    assert log[1].preemption.reason.startswith("not eligible due to a terminating pod")
    assert "Left" in effects_of(log[2])


def test_with_grace_a_stateful_sets_copy_waits_until_its_name_is_free():
    run_input = RunInput(objects=full_nodes_of("StatefulSet"), profile="kube-1.11", driver="grace")
    log = list(Simulation(run_input))
    assert "Arrived" not in effects_of(log[0])
    assert effects_of(log[1])[-2:] == ["Arrived", "Entered"]
    assert log[-1].pod.name == "low"


def test_with_grace_a_drained_pod_goes_when_its_controller_waits_for_it():
    objects = [*full_nodes_of("StatefulSet")[:2], node("other", cpu="1")]
    edits = [{"op": "drain", "node": "n"}]
    simulation = Simulation(RunInput(objects=objects, profile="kube-1.11", driver="grace", edits=edits))
    drained, placed = simulation
    assert effects_of(drained) == ["Evicted", "Left", "Arrived", "Entered"]
    assert placed.chosen == "other"


def test_a_pod_that_was_terminating_before_has_its_copy_already():
    objects = full_nodes_of("ReplicaSet")
    objects[1]["metadata"]["deletionTimestamp"] = "2026-06-01T00:00:00Z"
    first = Simulation(RunInput(objects=objects, profile="kube-1.11")).step()
    assert first.outcome == "nominated"
    assert "Arrived" not in effects_of(first)


def test_without_pod_priority_nobody_preempts():
    objects = a_full_node_and_two_who_want_it()
    simulation = Simulation(RunInput(objects=objects, profile="kube-1.8", config={"podPriority": False}))
    assert {decision.outcome for decision in simulation} == {"unschedulable"}


@pytest.mark.parametrize("config", [{"podPriority": "no"}, {"profiles": []}])
def test_an_older_release_takes_no_other_settings(config):
    with pytest.raises(BadInput):
        Simulation(RunInput(objects=[node("n")], profile="kube-1.8", config=config))


def test_a_driver_that_a_profile_does_not_have_is_refused():
    with pytest.raises(BadInput, match="fifo"):
        Simulation(RunInput(objects=[node("n")], profile="kube-1.36", driver="fifo"))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    ("family", "driver"), [("sequence", "instant"), ("race", "fifo"), ("grace", "grace")]
)
def test_a_run_decides_as_the_recorded_case_and_its_events_fold_to_its_state(release, family, driver):
    for case in recorded(release, family)[::6]:
        simulation = run_of(case, release, driver)
        fold = Fold(simulation.base)
        said = []
        for decision in simulation:
            fold.apply(decision)
            said.append((f"{decision.pod.namespace}/{decision.pod.name}", decision.outcome, decision.chosen))
        cycles = case["expect"]["cycles"]
        assert said == [(cycle["pod"], cycle["result"], cycle.get("chosen")) for cycle in cycles], case["id"]
        assert fold.state() == simulation.state(), case["id"]


@pytest.mark.parametrize("release", RELEASES)
def test_a_run_goes_on_from_a_checkpoint_as_if_it_had_never_stopped(release):
    case = max(recorded(release, "sequence"), key=lambda case: len(case["expect"]["cycles"]))
    whole = list(run_of(case, release, "instant"))
    stopped = run_of(case, release, "instant")
    for _ in range(len(whole) // 2):
        stopped.step()
    resumed = run_of(case, release, "instant")
    resumed.restore(stopped.checkpoint())
    assert list(resumed) == whole[len(whole) // 2 :]


@pytest.mark.parametrize("release", RELEASES)
def test_every_node_of_an_explained_decision_has_its_predicates_and_scores(release):
    for case in recorded(release, "sequence")[:6]:
        simulation, plain = run_of(case, release, "instant"), run_of(case, release, "instant")
        for decision in plain:
            explanation = simulation.explain()
            assert explanation.decision == decision
            for row in explanation.nodes():
                detail = explanation.node(row.node)
                failed = {entry.plugin for entry in detail.filters if entry.reasons}
                assert bool(failed) == (row.status is not None)
                assert "PodFitsResources" in {entry.plugin for entry in detail.filters}
                assert row.numbers or row.status is not None


FAULTS = {
    "1.8": ["ephemeral-storage that 1.8 never took back from a pod that had left"],
    "1.9": ["ephemeral-storage that 1.9 never took back from a pod that had left"],
    "1.11": ["host ports that 1.11.0 forgot when it looked for victims"],
    "1.13": [],
}


@pytest.mark.parametrize("release", FAULTS)
def test_a_fault_of_a_release_is_said_and_not_played(release):
    holding = pod("holding", on="n")
    container = holding["spec"]["containers"][0]
    container["resources"]["requests"]["ephemeral-storage"] = "1Gi"
    container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    simulation = Simulation(RunInput(objects=[node("n"), holding], profile=f"kube-{release}"))
    assert simulation.trust.not_modelled == FAULTS[release]


@pytest.mark.parametrize("release", ["1.8", "1.13"])
def test_pods_on_nodes_that_are_not_there_are_told_of(release):
    run_input = RunInput(objects=[node("n"), pod("lost", on="gone")], profile=f"kube-{release}")
    [phrase] = Simulation(run_input).trust.not_modelled
    assert phrase == f"pods on nodes that are not there, for pod affinity in {release} (1 pod)"


SELECTS_NAMESPACES = {
    "podAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {
                "labelSelector": {"matchLabels": {"app": "other"}},
                "namespaceSelector": {},
                "topologyKey": "kubernetes.io/hostname",
            }
        ]
    }
}


def a_pod_of_today(**spec):
    other = pod("other", on="n")
    other["metadata"]["namespace"] = "elsewhere"
    return [node("n", cpu="2"), other, pod("today", **spec)]


@pytest.mark.parametrize(
    ("spec", "unknown"),
    [
        ({"affinity": SELECTS_NAMESPACES}, "namespaceSelector of 1 pod"),
        ({"schedulingGates": [{"name": "later"}]}, "schedulingGates of 1 pod"),
        ({"overhead": {"cpu": "8"}}, "overhead of 1 pod"),
        ({"preemptionPolicy": "Never"}, "preemptionPolicy of 1 pod"),
    ],
)
def test_fields_that_came_later_are_unknown_and_said_to_be(spec, unknown):
    simulation = Simulation(RunInput(objects=a_pod_of_today(**spec), profile="kube-1.13"))
    assert simulation.trust.unknown == [unknown]
    [decision] = simulation
    without_namespaces = "affinity" in spec
    assert decision.outcome == ("unschedulable" if without_namespaces else "scheduled")


def test_only_who_looks_at_budgets_misses_them():
    missing = {
        release: Simulation(RunInput(objects=a_pod_of_today(), profile=f"kube-{release}")).trust.missing
        for release in ("1.8", "1.9")
    }
    assert not any("PodDisruptionBudgets" in phrase for phrase in missing["1.8"])
    assert any("PodDisruptionBudgets" in phrase for phrase in missing["1.9"])


def test_what_every_pod_of_today_has_is_not_worth_a_word():
    objects = a_pod_of_today(preemptionPolicy="PreemptLowerPriority")
    assert Simulation(RunInput(objects=objects, profile="kube-1.8")).trust.unknown == []


def test_cases_may_name_a_release_without_its_patch():
    case = recorded("1.11", "preempt")[0]
    assert decide({**case, "engine": "kube-scheduler v1.11"}) == case["expect"]


def test_the_log_tells_victims_that_were_on_their_way_out_from_the_others():
    objects = full_nodes_of("ReplicaSet")
    fresh = Simulation(RunInput(objects=objects, profile="kube-1.11", driver="grace")).step()
    objects[1]["metadata"]["deletionTimestamp"] = "2026-06-01T00:00:00Z"
    again = Simulation(RunInput(objects=objects, profile="kube-1.11", driver="grace")).step()
    told = [effect.was_terminating for one in (fresh, again) for effect in list(effects(one.changes))[:1]]
    assert told == [False, True]
