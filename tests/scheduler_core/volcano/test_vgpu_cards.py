"""Cards that Volcano divides: rows of the state like HAMi's, and annotations of the pods that hold some."""

import copy

import pytest
import yaml

from samples.volcano.sample import FOLDER, volcano_files, volcano_scenarios
from scheduler_core.events.sessions import Placement
from scheduler_core.volcano.devices.vgpu_card import NO_MEMORY, SAME_RULE
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


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_a_run_resumed_at_any_decision_is_the_uninterrupted_one(driver):
    """Volcano's controllers act too, so that all that is kept stands beside each other."""
    job = [one for one in yaml.safe_load_all((FOLDER / "restart.yaml").read_text()) if one["kind"] == "Job"]
    given = sample(objects=job, driver=driver)
    first = Simulation(given)
    while first.step() is not None and first.seq < 18:
        if first.seq % 5 == 0:
            second = Simulation(given, first.checkpoint())
            assert second.state() == first.state()
            assert cards_of(second) == cards_of(first)
    assert list(Simulation(given, first.checkpoint())) == list(first)


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


# -- which card was passed over, and why --------------------------------------------------------------


def explained_tries(given, pod):
    """The first try at a pod, and what its explanation says."""
    simulation = Simulation(given)
    while True:
        found = simulation.explain()
        if isinstance(found.decision, Placement) and found.decision.pod.name == pod:
            return found.decision, found


def verdicts(explanation, node):
    cards = explanation.node(node).cards
    return [(card.id, card.verdict, card.reason) for one in cards.containers for card in one.cards]


def test_a_refused_pod_is_told_of_each_card_why():
    decision, explanation = explained_tries(sample(SPREAD), "finetune-0")
    assert decision.outcome == "refused"
    assert verdicts(explanation, "gpu-1") == [
        ("GPU-1a", "refused", NO_MEMORY),
        ("GPU-1b", "refused", NO_MEMORY),
    ]
    assert explanation.node("gpu-1").cards.reason == "hami-vgpuDeviceSharing error"
    [row, _] = explanation.nodes(with_cards=True)
    assert row.cards.refused == {NO_MEMORY: ["GPU-1a", "GPU-1b"]}


def test_a_pod_that_gets_cards_is_told_of_the_node_as_it_was_before():
    decision, explanation = explained_tries(sample(), "notebook-3")
    assert (decision.node, verdicts(explanation, "gpu-1")) == (
        "gpu-1",
        [("GPU-1a", "taken", ""), ("GPU-1b", "unseen", "")],
    )
    [taken, _] = explanation.node("gpu-1").cards.containers[0].cards
    assert (taken.used, taken.used_memory, taken.used_cores) == (3, 18432, 75)


def test_a_card_of_an_exclusive_rules_other_pod_is_told_as_that():
    config = copy.deepcopy(BINPACK)
    [share] = [one for one in config["tiers"][1]["plugins"] if one["name"] == "deviceshare"]
    share["arguments"]["deviceshare.GPUExclusiveRules"] = [{"team": "a"}]
    given = sample(config)
    for item in given.objects:
        if item["kind"] == "Pod":
            item["metadata"]["labels"]["team"] = "a"
    _, first = explained_tries(given, "notebook-0")
    assert verdicts(first, "gpu-1")[0] == ("GPU-1a", "taken", "")
    _, second = explained_tries(given, "notebook-1")
    assert verdicts(second, "gpu-1")[:2] == [("GPU-1a", "refused", SAME_RULE), ("GPU-1b", "taken", "")]
