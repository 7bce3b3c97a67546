"""Cards by ResourceClaims: what the sample's README tells, held to the engine."""

from typing import Any

from samples.devices.sample import devices_files, devices_scenarios
from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation


def objects() -> list[dict[str, Any]]:
    return [document for _, data in devices_files() for document in read_yaml(data)]


def play(scenario: int) -> dict[str, tuple[str | None, list[str]]]:
    """A scenario's run: of each pod its node and its devices."""
    settings = {name: value for name, value in devices_scenarios()[scenario].items() if name != "name"}
    story = {}
    for decision in Simulation(RunInput(objects=objects(), **settings)):
        assert isinstance(decision, Attempt)
        claims = decision.claims or []
        devices = [device.device for claim in claims for device in claim.devices]
        story[decision.pod.name] = (decision.chosen, devices)
    return story


def test_its_objects_are_sound() -> None:
    assert check_objects(objects()) == []


def test_each_pod_gets_what_the_table_says() -> None:
    assert play(0) == {
        "train-0": ("gpu-a", ["gpu-0", "gpu-1"]),
        "infer-0": ("gpu-parts", ["gpu-0-mig-1g-0"]),
        "infer-1": ("gpu-parts", ["gpu-0-mig-1g-1"]),
        "render-0": ("gpu-b", ["gpu-0"]),
        "notebook-0": ("gpu-b", ["gpu-1"]),
        "notebook-1": ("gpu-b", ["gpu-1"]),
        "legacy-0": ("gpu-a", ["gpu-2"]),
        "train-1": (None, []),
        "plain-0": ("plain", []),
    }


def test_a_copy_of_a_node_has_the_cards_of_its_driver() -> None:
    node, devices = play(1)["train-1"]
    assert (node, devices) == ("gpu-a-1", ["gpu-2", "gpu-3"])
