"""What the tests of the samples share: the teaching cluster's run, by the engine itself."""

from typing import Any

from samples.teaching.sample import teaching_files, teaching_scenarios
from scheduler_core.events.explanation import NodeInFull
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation


def teaching_objects() -> list[dict[str, Any]]:
    """The teaching cluster's objects in the order of its files."""
    return [document for _, data in teaching_files() for document in read_yaml(data)]


def teaching_simulation(scenario: int = 0) -> Simulation:
    """A run of one of its scenarios, before the first decision."""
    return Simulation(RunInput(objects=teaching_objects(), edits=teaching_scenarios()[scenario][1]))


def explained(seq: int, node: str, scenario: int = 0) -> NodeInFull:
    """The explanation of one node at one decision."""
    simulation = teaching_simulation(scenario)
    for _ in range(seq - 1):
        simulation.step()
    return simulation.explain().node(node)
