"""Two kube-schedulers of different configuration in one cluster, each with its own pods."""

import pytest

from scheduler_core.events.fold import Fold
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.run_input import Companion
from scheduler_core.world.setting_up.companions import read_companions
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


def test_with_a_clock_they_are_at_work_at_the_same_time():
    mine = [pod(f"mine-{number}", cpu="100m") for number in range(2)]
    theirs = [pod(f"theirs-{number}", cpu="100m", schedulerName="packing") for number in range(2)]
    decided = list(simulation_of([node("n"), *mine, *theirs], driver="timed"))
    begun = [(one.time, one.pod.name) for one in decided if type(one).__name__ == "Attempt"]
    assert begun == [(0, "mine-0"), (0, "theirs-0"), (10, "mine-1"), (10, "theirs-1")]
    ended = [(one.time, one.pod.name) for one in decided if type(one).__name__ == "Completion"]
    assert ended == [(10, "mine-0"), (10, "theirs-0"), (20, "mine-1"), (20, "theirs-1")]


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
    ("beside", "faults"),
    [
        ([Companion("kube-scheduler", PACKING)], [("beside[0]", "name", "is taken")]),
        ([Companion("eviction API", PACKING)], [("beside[0]", "name", "must have up to 63")]),
        ([Companion("scenario", PACKING)], [("beside[0]", "name", "is taken")]),
        (
            [Companion("one", PACKING), Companion("two", PACKING)],
            [("beside[1]", "config.profiles", "one schedules pods of packing already")],
        ),
        (
            [Companion("default", {"profiles": []}), Companion("", PACKING, release="1.99")],
            [
                (
                    "beside[0]",
                    "config.profiles",
                    "kube-scheduler schedules pods of default-scheduler already",
                ),
                ("beside[1]", "release", "'1.99' is none of 1.37, 1.36, 1.35, 1.34,"),
            ],
        ),
        ([Companion("x", PACKING, release="1.11")], [("beside[0]", "release", "1.11 can't act beside 1.36")]),
        (
            [Companion("x", PACKING, scheduler="volcano")],
            [("beside[0]", "config.actions", "must be a text")],
        ),
        ([Companion("x", {"profile": 1})], [("beside[0]", "config.profile", "is no field of it")]),
    ],
)
def test_what_keeps_schedulers_from_acting_together_is_named_by_place_and_field(beside, faults):
    with pytest.raises(BadInput) as refusal:
        simulation_of([node("n")], beside=beside)
    problems = refusal.value.problems
    assert [(problem.object, problem.field) for problem in problems] == [fault[:2] for fault in faults]
    for problem, (_, _, said) in zip(problems, faults, strict=True):
        assert said in problem.message


def test_a_release_with_one_scheduler_name_acts_alone():
    with pytest.raises(BadInput, match="has one schedulerName"):
        simulation_of([node("n")], beside=[Companion("x")], profile="kube-1.11")


def test_a_scheduler_without_a_name_is_called_by_its_first_profile():
    simulation = simulation_of([node("n")], beside=[Companion(config=PACKING)])
    assert sorted(simulation.base.tables["actors"]) == ["kube-scheduler", "packing"]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"nam": "x"}, ("beside[1]", "nam", "is no field")),
        ({"name": 1}, ("beside[1]", "name", "must be text, not a whole number")),
        ({"config": []}, ("beside[1]", "config", "must be an object, not an array")),
        ("packer", ("beside[1]", "", "Expected `object`, got `str`")),
    ],
)
def test_an_entry_of_another_shape_is_refused_with_its_place_and_field(entry, problem):
    with pytest.raises(BadInput) as refusal:
        read_companions([{"name": "fine"}, entry])
    assert [(found.object, found.field, found.message) for found in refusal.value.problems] == [problem]


def test_there_are_not_more_schedulers_than_the_limit():
    with pytest.raises(BadInput, match="at most 20"):
        read_companions([{}] * 21)
