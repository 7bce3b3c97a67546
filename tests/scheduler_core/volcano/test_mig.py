"""Cards that Volcano divides into MIG instances: which a pod gets, as the log and explanations tell."""

import copy

import yaml

from scheduler_core.objects.anonymising import Anonymiser
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.volcano.devices.mig import Geometry, Instance, MigCard, Profile, instance_named
from scheduler_core.volcano.devices.vgpu_card import NO_INSTANCE
from scheduler_core.volcano.devices.vgpu_settings import VgpuSettings, vgpu_settings
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.folding import assert_folds_both_ways
from tests.scheduler_core.volcano.test_vgpu_cards import (
    BINPACK,
    CONTENT,
    HELD,
    explained_tries,
    held_in,
    verdicts,
)

SMALL = Geometry("group1", (Profile("1g.5gb", 5120, 7),))
TWO = Geometry("group2", (Profile("2g.10gb", 10240, 3), Profile("1g.5gb", 5120, 1)))
SETTINGS = {
    "nvidia": {
        "resourceCountName": "volcano.sh/vgpu-number",
        "resourceMemoryName": "volcano.sh/vgpu-memory",
        "resourceMemoryPercentageName": "volcano.sh/vgpu-memory-percentage",
        "resourceCoreName": "volcano.sh/vgpu-cores",
        "knownMigGeometries": [
            {
                "models": ["A10"],
                "allowedGeometries": [
                    {"group": "group1", "geometries": [{"name": "1g.6gb", "memory": 6144, "count": 4}]},
                    {"group": "group2", "geometries": [{"name": "4g.24gb", "memory": 24576, "count": 1}]},
                ],
            }
        ],
    }
}


def config_map(settings):
    metadata = {"name": "volcano-vgpu-device-config", "namespace": "kube-system"}
    data = {"device-config.yaml": yaml.safe_dump(settings)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def objects():
    made = [*yaml.safe_load_all(CONTENT.replace(b",hami-core:", b",mig:")), config_map(SETTINGS)]
    return copy.deepcopy(made)


def test_the_first_geometry_with_a_large_enough_instance_is_chosen_and_kept():
    card = MigCard((SMALL, TWO))
    assert card.pick(5120) == Instance("group1", 0, "1g.5gb", 5120)
    assert card.pick(6000) == Instance("group2", 0, "2g.10gb", 10240)
    assert card.pick(20000) is None
    assert card.take("group2", 1) == 10240
    assert card.pick(6000) == Instance("group2", 0, "2g.10gb", 10240)
    assert card.give_back("group2", 1) == 10240
    assert card.pick(5120) == Instance("group2", 3, "1g.5gb", 5120)


def test_of_a_geometry_in_use_only_profiles_in_use_are_given():
    card = MigCard((TWO,))
    card.take("group2", 0)
    assert card.pick(5000) == Instance("group2", 1, "2g.10gb", 10240)
    card.take("group2", 3)
    card.take("group2", 3)
    assert [one.place for one in card.used()] == [0, 3]
    assert card.pick(5000) == Instance("group2", 1, "2g.10gb", 10240)
    for place in (1, 2):
        card.take("group2", place)
    assert card.pick(5000) is None


def test_an_instance_is_named_by_its_group_and_place():
    assert instance_named(SMALL_NAME := Instance("group1", 6, "1g.5gb", 5120).id_on("GPU-a")) == ("group1", 6)
    assert SMALL_NAME == "GPU-a[group1-6]"
    assert [instance_named(text) for text in ("GPU-a", "GPU-a[x]", "GPU-a[g-2-1]", "]GPU[")] == [None] * 4


def test_the_log_tells_instances_and_a_run_from_its_end_counts_the_same():
    first = Simulation(RunInput(objects=objects(), profile="volcano-1.16", config=BINPACK))
    assert_folds_both_ways(first)
    rows = first.state().tables["cards"]
    assert {row["mode"] for row in rows.values()} == {"mig"}
    assert rows["gpu-2/GPU-2a"]["slices"] == ["4g.24gb@0+1"]
    assert held_in(first.objects())["finetune-0"] == (
        "GPU-2a[group2-0],NVIDIA,20480,100:GPU-2b[group2-0],NVIDIA,20480,100:"
    )
    again = Simulation(RunInput(objects=first.objects(), profile="volcano-1.16", config=BINPACK))
    assert again.state().tables["cards"] == rows


def test_pods_of_one_session_may_get_the_same_instance():
    """As from the real one: instances are counted when the next session opens."""
    simulation = Simulation(RunInput(objects=objects(), profile="volcano-1.16", config=BINPACK))
    list(simulation)
    held = held_in(simulation.objects())
    assert {held[f"notebook-{number}"] for number in range(4)} == {"GPU-1a[group1-0],NVIDIA,6144,25:"}
    assert simulation.state().tables["cards"]["gpu-1/GPU-1a"]["used"] == 4


def test_a_card_without_a_large_enough_instance_is_told_so():
    given = objects()
    settings = copy.deepcopy(SETTINGS)
    del settings["nvidia"]["knownMigGeometries"][0]["allowedGeometries"][1]
    given[-1] = config_map(settings)
    run = RunInput(objects=given, profile="volcano-1.16", config=BINPACK)
    decision, explanation = explained_tries(run, "finetune-0")
    assert decision.outcome == "refused"
    assert verdicts(explanation, "gpu-2") == [
        ("GPU-2a", "refused", NO_INSTANCE),
        ("GPU-2b", "refused", NO_INSTANCE),
    ]


def test_settings_replace_the_defaults_and_what_cannot_be_read_leaves_them():
    assert vgpu_settings([]) == VgpuSettings()
    read = vgpu_settings([config_map(SETTINGS)])
    assert read.percentage == "volcano.sh/vgpu-memory-percentage"
    assert read.geometries_of("NVIDIA-A10")[1].profiles == (Profile("4g.24gb", 24576, 1),)
    assert read.geometries_of("NVIDIA-H100") is None
    few = vgpu_settings([config_map({"nvidia": {"resourceCountName": "volcano.sh/vgpu-number"}})])
    assert (few.memory, few.cores, few.memory_factor) == ("", "", 1)
    wrong = {"nvidia": {**SETTINGS["nvidia"], "gpuMemoryFactor": "much"}}
    assert vgpu_settings([config_map(wrong)]) == VgpuSettings()


def test_an_import_keeps_what_the_scheduler_reads():
    private = copy.deepcopy(SETTINGS)
    private["nvidia"] |= {"overwriteEnv": False, "token": "hunter2"}
    kept, _ = withhold_private([config_map(private)])
    assert vgpu_settings(kept) == vgpu_settings([config_map(SETTINGS)])
    assert "hunter2" not in str(kept)


def test_under_other_names_cards_are_divided_alike():
    given = objects()
    held = next(one for one in given if one["kind"] == "Pod" and one["metadata"]["name"] == "notebook-0")
    held["metadata"]["annotations"][HELD] = "GPU-1b[group1-2],NVIDIA,6144,25:;"
    held["spec"]["nodeName"] = "gpu-1"
    made = Anonymiser(given, b"key").anonymised().objects
    slices = []
    for one in (given, made):
        run = RunInput(objects=one, profile="volcano-1.16", config=BINPACK)
        slices.append([row["slices"] for row in Simulation(run).state().tables["cards"].values()])
    assert slices[0] == slices[1] == [[], ["1g.6gb@2+1"], [], []]
