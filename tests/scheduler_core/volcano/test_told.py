"""What the log says of a session beside the recorded cases: whose a pod is, and why a job comes first."""

import yaml

from samples.volcano.sample import volcano_files
from scheduler_core.events.sessions import SessionClosed, SessionOpened
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.simulation import Simulation
from tests.scheduler_core.volcano.small_sessions import group, node, pod, queue

PRIORITY_CLASS = """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: urgent}
value: 100
"""


def of_gangs() -> list[dict[str, object]]:
    """The objects of the sample with two gangs."""
    [(_, text)] = volcano_files("gang")
    return list(yaml.safe_load_all(text))


def openings(objects: list[dict[str, object]]) -> list[SessionOpened]:
    """The openings of a run's sessions."""
    simulation = Simulation(RunInput(objects=objects, profile="volcano-1.16"))
    return [decision for decision in simulation if isinstance(decision, SessionOpened)]


def test_a_pod_says_which_pod_group_it_is_of_and_one_without_says_nothing():
    lone = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "lone", "namespace": "ml"},
        "spec": {"containers": [{"name": "main"}]},
    }
    state = Simulation(RunInput(objects=[*of_gangs(), lone], profile="volcano-1.16")).state()
    groups = {row["name"]: row.get("group") for row in state.tables["pods"].values()}
    assert groups["bert-worker-0"] == "ml/bert"
    assert groups["gpt-worker-3"] == "ml/gpt"
    assert groups["lone"] is None
    assert {row.name: row.group for row in state.pods()}["lone"] == ""


def test_an_opening_names_the_plugin_that_puts_a_job_before_the_next():
    first, second = openings(of_gangs())
    assert first.jobs == {"default": ["ml/bert", "ml/gpt"]}
    assert first.deciders == {"default": [""]}, "only their names tell them apart"
    assert second.jobs == {"default": ["ml/gpt", "ml/bert"]}
    assert second.deciders == {"default": ["gang"]}, "who isn't ready comes first"


def test_a_priority_decides_before_readiness():
    objects = of_gangs()
    bert = next(one for one in objects if one["kind"] == "PodGroup" and one["metadata"]["name"] == "bert")
    bert["spec"]["priorityClassName"] = "urgent"
    _, second = openings([*objects, yaml.safe_load(PRIORITY_CLASS)])
    assert second.jobs == {"default": ["ml/bert", "ml/gpt"]}
    assert second.deciders == {"default": ["priority"]}


def drained_gang(**of_run: object) -> RunInput:
    """A gang of four that runs on two nodes and was once unschedulable; one of the nodes is drained."""
    gang = group("g", 4, "Running")
    gang["status"]["conditions"] = [
        {
            "type": "Unschedulable",
            "status": "True",
            "lastTransitionTime": "2026-05-02T09:00:00Z",
            "reason": "NotEnoughResources",
            "message": "4/4 tasks in gang unschedulable: pod group is not ready",
        },
        {
            "type": "Scheduled",
            "status": "True",
            "lastTransitionTime": "2026-05-02T09:05:00Z",
            "reason": "tasks in gang are ready to be scheduled",
        },
    ]
    nodes = ["n1", "n1", "n2", "n2"]
    pods = [pod(f"g-{number}", "g", on, {"cpu": "2"}) for number, on in enumerate(nodes)]
    owned = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "g", "uid": "rs-g", "controller": True}
    for one in pods:
        one["metadata"]["ownerReferences"] = [owned]
    return RunInput(
        objects=[node("n1"), node("n2"), queue("research"), gang, *pods],
        edits=[{"op": "drain", "node": "n1"}],
        profile="volcano-1.16",
        controllers="recreate",
        **of_run,
    )


def test_a_group_is_told_by_the_condition_that_the_close_wrote_wherever_it_stands():
    simulation = Simulation(drained_gang())
    decisions = list(simulation)
    closed = [decision for decision in decisions if isinstance(decision, SessionClosed)]
    (status,) = closed[-1].groups
    assert (status.phase, status.reason) == ("Unknown", "NotEnoughResources")
    assert "/4 tasks in gang unschedulable" in status.message
    row = simulation.state().tables["groups"]["ml/g"]
    assert (row["reason"], row["message"]) == (status.reason, status.message)
