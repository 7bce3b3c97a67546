"""A scheduler that is only a folder takes part in runs like those of the engine."""

from collections.abc import Iterator
from typing import Any

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers import registry
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.setting_up.companions import read_companions
from tests.first_fit.kind import PROFILE, SCHEDULER_NAME
from tests.scheduler_core.clusters import node, pod


@pytest.fixture(autouse=True)
def _first_fit() -> Iterator[None]:
    registry.add("tests.first_fit")
    yield
    registry.remove("tests.first_fit")


def asking(name: str, cpu: str, **fields: Any) -> dict[str, Any]:
    made = pod(name, cpu=cpu, **fields)
    made["spec"]["schedulerName"] = SCHEDULER_NAME
    return made


def cluster() -> list[dict[str, Any]]:
    pods = [asking("a", "3"), asking("b", "3"), asking("c", "3"), pod("other", cpu="1")]
    return [node("node-2", cpu="4"), node("node-1", cpu="4"), *pods]


def outcomes(simulation: Simulation) -> list[tuple[str, str, str | None]]:
    return [(one.pod.name, one.outcome, one.chosen) for one in simulation]


def test_the_first_node_with_room_by_name_is_taken_and_other_pods_are_left_alone():
    found = outcomes(Simulation(RunInput(cluster(), profile=PROFILE)))
    assert found == [
        ("a", "scheduled", "node-1"),
        ("b", "scheduled", "node-2"),
        ("c", "unschedulable", None),
    ]


def test_it_acts_beside_a_kube_scheduler():
    beside = read_companions([{"scheduler": SCHEDULER_NAME}])
    simulation = Simulation(RunInput(cluster(), beside=beside))
    chosen = {name: node for name, _, node in outcomes(simulation)}
    assert chosen["a"] == "node-1"
    assert chosen["other"]
    engines = {actor["engine"] for actor in simulation.state().tables["actors"].values()}
    assert engines == {"kube-1.36", PROFILE}


def test_a_run_goes_on_from_a_checkpoint_and_back_and_each_decision_is_explained():
    given = RunInput(cluster(), profile=PROFILE)
    first, again = Simulation(given), Simulation(given)
    whole = list(first)
    assert again.step() == whole[0]
    resumed = Simulation(given, again.checkpoint())
    explained = resumed.explain()
    assert explained.decision == whole[1]
    assert explained.nodes() == []
    resumed.restore(None)
    assert list(resumed) == whole


def test_its_faults_are_told_like_those_of_the_others():
    with pytest.raises(BadInput, match="first-fit-1: speed: is no setting of this scheduler"):
        Simulation(RunInput(cluster(), profile=PROFILE, config={"speed": 1}))
    with pytest.raises(BadInput, match="timed"):
        Simulation(RunInput(cluster(), profile=PROFILE, driver="timed"))
    twice = read_companions([{"scheduler": SCHEDULER_NAME, "name": "another"}])
    with pytest.raises(BadInput, match="schedules pods of first-fit already"):
        Simulation(RunInput(cluster(), profile=PROFILE, beside=twice))
