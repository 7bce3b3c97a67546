"""A gang of eight: what the sample's README tells, held to the engine."""

from typing import Any

import pytest

from samples.gang.sample import gang_files, gang_scenarios
from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation


def objects() -> list[dict[str, Any]]:
    return [document for _, data in gang_files() for document in read_yaml(data)]


def test_its_objects_are_sound() -> None:
    assert check_objects(objects()) == []


@pytest.mark.parametrize(("scenario", "gang", "others"), [(0, 6, 0), (1, 0, 2), (2, 8, 2)])
def test_so_many_run_as_the_table_says(scenario: int, gang: int, others: int) -> None:
    settings = {name: value for name, value in gang_scenarios()[scenario].items() if name != "name"}
    run = Simulation(RunInput(objects=objects(), **settings))
    for _ in run:
        pass
    placed = [pod.name.partition("-")[0] for pod in run.state().pods() if pod.node]
    assert (placed.count("train"), placed.count("infer")) == (gang, others)


def test_the_gang_is_short_by_two() -> None:
    settings = {name: value for name, value in gang_scenarios()[1].items() if name != "name"}
    gang = Simulation(RunInput(objects=objects(), **settings)).why("pod-train-0").cause.gang
    assert gang is not None
    assert (gang.needed, gang.placed, gang.missing) == (8, 6, "train-6")
