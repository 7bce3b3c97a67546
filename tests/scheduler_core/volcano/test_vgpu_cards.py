"""Cards that Volcano divides: rows of the state like HAMi's, and annotations of the pods that hold some."""

import copy

import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.run_input import Companion
from tests.scheduler_core.folding import assert_folds_both_ways
from tests.scheduler_core.world import test_hami as hami

HELD = "volcano.sh/vgpu-ids-new"
[(_, CONTENT)] = volcano_files("vgpu")
BINPACK, SPREAD = (scenario["config"] for scenario in volcano_scenarios("vgpu"))


def sample(policy=BINPACK, objects=(), **more):
    given = [*yaml.safe_load_all(CONTENT), *objects]
    return RunInput(objects=copy.deepcopy(given), profile="volcano-1.16", config=policy, **more)


def cards_of(simulation):
    rows = simulation.state().tables.get("cards", {})
    return {key: (row["used"], row["used_memory"], row["used_cores"]) for key, row in rows.items()}


def held_in(objects):
    pods = (item for item in objects if item["kind"] == "Pod")
    found = {pod["metadata"]["name"]: pod["metadata"].get("annotations", {}).get(HELD) for pod in pods}
    return {name: text for name, text in found.items() if text}


def test_the_log_tells_cards_as_they_are_given_out_and_folds_both_ways():
    simulation = Simulation(sample())
    assert set(cards_of(simulation).values()) == {(0, 0, 0)}
    assert_folds_both_ways(simulation)
    assert cards_of(simulation) == {
        "gpu-1/GPU-1a": (4, 24576, 100),
        "gpu-1/GPU-1b": (0, 0, 0),
        "gpu-2/GPU-2a": (1, 20480, 100),
        "gpu-2/GPU-2b": (1, 20480, 100),
    }


def test_objects_after_a_run_say_which_cards_pods_hold_and_a_run_from_them_counts_the_same():
    first = Simulation(sample())
    list(first)
    objects = first.objects()
    assert held_in(objects)["finetune-0"] == "GPU-2a,NVIDIA,20480,100:GPU-2b,NVIDIA,20480,100:"
    again = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=BINPACK))
    assert cards_of(again) == cards_of(first)


def test_a_pod_that_goes_gives_its_cards_back_with_the_same_decision():
    first = Simulation(sample())
    list(first)
    edits = [{"op": "delete", "kind": "Pod", "namespace": "ml", "name": "finetune-0"}]
    for driver in ("instant", "timed"):
        given = RunInput(
            objects=first.objects(), profile="volcano-1.16", config=BINPACK, edits=edits, driver=driver
        )
        simulation = Simulation(given)
        list(simulation)
        assert cards_of(simulation)["gpu-2/GPU-2a"] == (0, 0, 0)
        assert len(simulation.state().tables["holdings"]) == 4


def test_without_vgpus_in_the_configuration_no_cards_are_told():
    plain = copy.deepcopy(BINPACK)
    for tier in plain["tiers"]:
        tier["plugins"] = [one for one in tier["plugins"] if one["name"] != "deviceshare"]
    assert cards_of(Simulation(sample(plain))) == {}


def test_hami_and_volcano_each_divide_their_own_cards_in_one_run():
    objects = [hami.machine("h", count=1), hami.asking("shared")]
    simulation = Simulation(sample(SPREAD, objects, beside=[Companion(scheduler="hami")]))
    assert_folds_both_ways(simulation)
    found = cards_of(simulation)
    assert found["h/h-gpu-0"] == (1, 4000, 20)
    assert [found[f"gpu-{node}/GPU-{node}{card}"] for node in "12" for card in "ab"] == [(1, 6144, 25)] * 4


def test_a_node_whose_cards_hami_tells_is_told_once():
    node = hami.machine("both", count=1)
    shared = next(item for item in yaml.safe_load_all(CONTENT) if item["kind"] == "Node")
    node["metadata"]["annotations"] |= shared["metadata"]["annotations"]
    for amounts in (node["status"]["allocatable"], node["status"]["capacity"]):
        amounts |= shared["status"]["allocatable"]
    simulation = Simulation(sample(BINPACK, [node], beside=[Companion(scheduler="hami")]))
    assert [key for key in cards_of(simulation) if key.startswith("both/")] == ["both/both-gpu-0"]
