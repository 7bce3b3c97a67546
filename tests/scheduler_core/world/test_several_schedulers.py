"""Two kube-schedulers of different configuration in one cluster, each with its own pods."""

import pytest

from scheduler_core.events.fold import Fold
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.run_input import Companion
from tests.scheduler_core.clusters import node, pod

CPU = [{"name": "cpu", "weight": 1}]
PACKING = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [
        {
            "schedulerName": "packing",
            "pluginConfig": [
                {
                    "name": "NodeResourcesFit",
                    "args": {
                        "scoringStrategy": {
                            "type": "MostAllocated",
                            "resources": [{"name": "cpu", "weight": 1}],
                        }
                    },
                }
            ],
        }
    ],
}
BESIDE = [Companion("packer", PACKING)]


def simulation_of(objects, **more):
    return Simulation(RunInput(objects=objects, **{"beside": BESIDE, **more}))


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_each_scheduler_places_its_own_pods_in_its_own_way(driver):
    objects = [
        node("half"),
        node("idle"),
        pod("there", cpu="2", on="half"),
        pod("spread", cpu="1"),
        pod("packed", cpu="1", schedulerName="packing"),
        pod("nobodys", cpu="1", schedulerName="third"),
    ]
    simulation = simulation_of(objects, driver=driver)
    fold = Fold(simulation.base)
    attempts = []
    for decision in simulation:
        fold.apply(decision)
        assert fold.state() == simulation.state()
        if type(decision).__name__ == "Attempt":
            attempts.append((decision.actor, decision.pod.name, decision.chosen))
    assert sorted(attempts) == [("kube-scheduler", "spread", "idle"), ("packer", "packed", "half")]


def test_they_take_turns_and_a_checkpoint_keeps_whose_turn_it_is():
    mine = [pod(f"mine-{number}", cpu="100m") for number in range(4)]
    theirs = [pod(f"theirs-{number}", cpu="100m", schedulerName="packing") for number in range(4)]
    objects = [node("n"), *mine, *theirs]
    whole = list(simulation_of(objects))
    assert [decision.actor for decision in whole] == ["kube-scheduler", "packer"] * 4
    stopped = simulation_of(objects)
    for _ in range(3):
        stopped.step()
    resumed = simulation_of(objects)
    resumed.restore(stopped.checkpoint())
    assert list(resumed) == whole[3:]


def test_a_scheduler_knows_only_its_own_nominations():
    """A node that one scheduler has promised is free for the other, as in a real cluster."""
    objects = [
        node("n", cpu="1"),
        pod("low", on="n", cpu="1"),
        pod("promised", cpu="1", priority=10),
        pod("thief", cpu="1", priority=5, schedulerName="packing"),
    ]
    simulation = simulation_of(objects)
    decided = [(decision.pod.name, decision.outcome) for decision in simulation]
    assert decided[:2] == [("promised", "nominated"), ("thief", "scheduled")]


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        ([Companion("kube-scheduler", PACKING)], "is taken or empty"),
        ([Companion("one", PACKING), Companion("two", PACKING)], "one schedules pods of packing already"),
        (
            [Companion("default", {"profiles": []})],
            "kube-scheduler schedules pods of default-scheduler already",
        ),
    ],
)
def test_two_schedulers_cannot_have_the_same_name_or_profile(beside, said):
    with pytest.raises(BadInput, match=said):
        simulation_of([node("n")], beside=beside)
