"""The sample of shared GPUs: what its page says of the four combinations of HAMi's policies."""

from collections.abc import Iterator
from typing import Any

import pytest

from samples.gallery import gallery
from samples.hami.sample import hami_files, hami_scenarios
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation


def objects() -> list[dict[str, Any]]:
    return [item for _, content in hami_files() for item in read_yaml(content)]


def played() -> Iterator[tuple[str, Simulation, list[Any]]]:
    for scenario in hami_scenarios():
        name = scenario.pop("name")
        simulation = Simulation(RunInput(objects=objects(), **scenario))
        yield name, simulation, list(simulation)


@pytest.fixture(scope="module")
def runs() -> dict[str, tuple[Simulation, list[Any]]]:
    return {name: (simulation, decisions) for name, simulation, decisions in played()}


@pytest.mark.parametrize(
    ("name", "idle", "pending"),
    [
        ("Nodes binpack, cards binpack", 1, ["legacy"]),
        ("Nodes binpack, cards spread", 1, ["legacy"]),
        ("Nodes spread, cards binpack", 4, ["legacy", "train-big"]),
        ("Nodes spread, cards spread", 0, ["legacy", "train-big", "train-1", "train-2"]),
    ],
)
def test_the_policies_leave_different_cards_idle(
    runs: dict[str, tuple[Simulation, list[Any]]], name: str, idle: int, pending: list[str]
) -> None:
    simulation, decisions = runs[name]
    cards = simulation.state().tables["cards"].values()
    assert len(cards) == 14
    assert sum(not card["used"] for card in cards) == idle
    assert [one.pod.name for one in decisions if one.outcome == "unschedulable"] == pending
    assert len(decisions) == 20


def test_there_is_no_combination_but_these_four(runs: dict[str, tuple[Simulation, list[Any]]]) -> None:
    settings = [tuple(scenario["config"].values()) for scenario in hami_scenarios()]
    assert settings == [(nodes, cards) for nodes in ("binpack", "spread") for cards in ("binpack", "spread")]
    [sample] = [one for one in gallery() if one.files is hami_files]
    assert [one.name for one in sample.scenarios] == list(runs)


def test_each_wish_is_heard(runs: dict[str, tuple[Simulation, list[Any]]]) -> None:
    for _, decisions in runs.values():
        given = {
            one.pod.name: [piece for pieces in one.exchanges[0].cards.devices.values() for piece in pieces]
            for one in decisions
            if one.exchanges
        }
        chosen = {one.pod.name: one.chosen for one in decisions}
        assert {chosen[f"serve-{number}"][:2] for number in (1, 2, 3)} == {"t4"}
        assert chosen["render-1"].startswith("a100")
        [[half]] = given["embed-1"]
        assert half.memory == (7680 if chosen["embed-1"].startswith("t4") else 20480)
        assert [len(piece) for piece in given["pipeline"]] == [1, 1]
        [[first, second]] = given["tune-1"]
        assert (int(first.id[-1]) < 2) == (int(second.id[-1]) < 2), "the first two cards are on NUMA node 0"
        assert "web" not in given
    [_, decisions] = runs["Nodes spread, cards binpack"]
    [taken] = [one.exchanges[0].cards.devices for one in decisions if one.pod.name == "train-1"]
    [[whole]] = taken["NVIDIA"]
    assert (whole.memory, whole.cores) == (40960, 100)
