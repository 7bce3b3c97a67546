"""The stolen room: what its README tells, held to the engine."""

from typing import Any

from samples.stolen_room.sample import stolen_room_files, stolen_room_scenarios
from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation


def objects() -> list[dict[str, Any]]:
    return [document for _, data in stolen_room_files() for document in read_yaml(data)]


def play(scenario: int) -> tuple[Simulation, list[tuple[str, str, str, list[str]]]]:
    """A scenario's run, and of each decision the pod, the outcome, the node and the victims."""
    settings = {name: value for name, value in stolen_room_scenarios()[scenario].items() if name != "name"}
    simulation = Simulation(RunInput(objects=objects(), **settings))
    story = []
    for decision in simulation:
        assert isinstance(decision, Attempt)
        victims = [victim.name for victim in decision.preemption.victims] if decision.preemption else []
        node = decision.chosen or (decision.preemption.nominated if decision.preemption else "")
        story.append((decision.pod.name, decision.outcome, node, victims))
    return simulation, story


def test_in_1_8_the_freed_room_is_taken_and_a_second_pod_is_evicted_elsewhere() -> None:
    assert play(0)[1] == [
        ("checkout-1", "nominated", "node-a", ["crawler-1"]),
        ("report-1", "scheduled", "node-a", []),
        ("checkout-1", "nominated", "node-b", ["indexer-1"]),
        ("checkout-1", "scheduled", "node-b", []),
    ]


def test_in_1_11_the_nomination_holds_the_room() -> None:
    simulation, story = play(1)
    assert story == [
        ("checkout-1", "nominated", "node-a", ["crawler-1"]),
        ("report-1", "unschedulable", "", []),
        ("checkout-1", "scheduled", "node-a", []),
    ]
    assert [pod.name for pod in simulation.state().pods() if not pod.node] == ["report-1"]


def test_in_1_8_copies_of_the_evicted_pods_take_the_room_until_the_limit() -> None:
    simulation, story = play(2)
    preemptions = [step for step in story if step[1] == "nominated"]
    assert {step[0] for step in preemptions} == {"checkout-1"}
    assert len(preemptions) == 10
    assert simulation.limit_reached
