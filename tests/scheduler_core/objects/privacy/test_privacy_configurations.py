"""Of ConfigMaps stay the configurations of kube-scheduler, and of these what a simulation needs."""

import json
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
import yaml

from scheduler_core.hami.configuration.settings import DeviceSettings
from scheduler_core.hami.configuration.stored_configuration import DEVICE_CONFIGURATION
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.privacy.fields import Fields
from scheduler_core.volcano.configuration.scheduler_conf import ACTIONS, PLUGINS
from scheduler_core.volcano.configuration.stored_configuration import OWNERS_OF_ARGUMENTS
from tests.builders import Object, cluster_object

SECRET = "hunter2"
VERSION = "kubescheduler.config.k8s.io/v1"
PUBLIC: Object = {
    "apiVersion": VERSION,
    "kind": "KubeSchedulerConfiguration",
    "percentageOfNodesToScore": 50,
    "profiles": [
        {
            "schedulerName": "packing",
            "plugins": {"score": {"disabled": [{"name": "ImageLocality"}]}},
            "pluginConfig": [
                {"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "MostAllocated"}}},
            ],
        }
    ],
}
PRIVATE: Object = PUBLIC | {
    "clientConnection": {"kubeconfig": f"/home/{SECRET}/kubeconfig"},
    "leaderElection": {"resourceName": SECRET},
    "extenders": [
        {
            "urlPrefix": f"https://user:{SECRET}@extender.example",
            "filterVerb": "filter",
            "tlsConfig": {"keyData": SECRET},
        }
    ],
}
LOAD_AWARE = {"name": "TargetLoadPacking", "args": {"metricProvider": {"token": SECRET}}}


def config_map(**data: str) -> Object:
    return cluster_object("ConfigMap", "c", namespace="kube-system", data=data)


def kept(document: Object) -> Object:
    objects, _ = withhold_private([document])
    return objects[0]


def test_the_data_of_a_config_map_is_dropped() -> None:
    private = config_map(k=SECRET, l=SECRET) | {"binaryData": {"b": SECRET}}
    objects, dropped = withhold_private([private])
    assert objects == [config_map()]
    assert dropped == ["ConfigMap: binaryData (1)", "ConfigMap.data: entries (2)"]


@pytest.mark.parametrize(
    "text",
    [
        f"password: {SECRET}\n# kind: KubeSchedulerConfiguration\n",
        f'{{"kind": "KubeSchedulerConfiguration", "password": "{SECRET}"}}',
        f"kind: KubeSchedulerConfiguration\napiVersion: example.org/v1\npassword: {SECRET}\n",
        f"apiVersion: {VERSION}\nkind: KubeSchedulerConfiguration\nbroken: [{SECRET}\n",
        f"help: |\n  apiVersion: {VERSION}\n  kind: KubeSchedulerConfiguration\npassword: {SECRET}\n",
        f'actions: "allocate"\ntiers:\n- plugins: []\npassword: {SECRET}\n',
    ],
)
def test_words_alone_keep_nothing(text: str) -> None:
    stripped = kept(cluster_object("ConfigMap", "c", data={"volcano-scheduler.conf": text}))
    assert stripped["data"] == {}


@pytest.mark.parametrize("write", [yaml.safe_dump, json.dumps])
def test_a_configuration_is_kept_without_what_is_private(write) -> None:
    text = kept(config_map(conf=write(PRIVATE), other=SECRET))["data"]
    assert list(text) == ["conf"]
    assert yaml.safe_load(text["conf"]) == PUBLIC | {"extenders": [{"filterVerb": "filter"}]}


def test_comments_and_other_documents_beside_it_are_dropped() -> None:
    text = f"# {SECRET}\npassword: {SECRET}\n---\n{yaml.safe_dump(PUBLIC)}---\nkind: Secret\nkey: {SECRET}\n"
    assert yaml.safe_load(kept(config_map(conf=text))["data"]["conf"]) == PUBLIC


def test_several_configurations_stay_several_and_a_second_time_changes_nothing() -> None:
    once = kept(config_map(conf=yaml.safe_dump_all([PRIVATE, PUBLIC])))
    assert len(list(yaml.safe_load_all(once["data"]["conf"]))) == 2
    assert kept(once) is once


def test_the_arguments_of_other_plugins_are_dropped() -> None:
    config = {**PUBLIC, "profiles": [{"schedulerName": "x", "pluginConfig": [LOAD_AWARE]}]}
    objects, dropped = withhold_private([config_map(conf=json.dumps(config)), config])
    assert SECRET not in str(objects)
    assert dropped == ["KubeSchedulerConfiguration.profiles[].pluginConfig[].args: metricProvider (2)"]


def test_a_configuration_that_is_an_object_of_its_own_is_stripped_alike() -> None:
    stripped = kept(PRIVATE)
    assert stripped == PUBLIC | {"extenders": [{"filterVerb": "filter"}]}
    assert kept(PUBLIC) is PUBLIC
    assert build_profiles(PUBLIC)


VOLCANO: Object = {
    "actions": "enqueue, allocate, backfill",
    "tiers": [
        {"plugins": [{"name": "priority"}, {"name": "gang", "enablePreemptable": False}]},
        {"plugins": [{"name": "binpack", "arguments": {"binpack.weight": 10}}]},
    ],
    "configurations": [{"name": "enqueue", "arguments": {"overcommit-factor": 1.2}}],
}


@pytest.mark.parametrize("write", [yaml.safe_dump, json.dumps])
def test_a_configuration_of_volcano_is_kept_without_what_may_be_private(write: Any) -> None:
    asked = {"extender.predicateVerb": "predicate", "extender.managedResources": ["nvidia.com/gpu"]}
    arguments = {"extender.urlPrefix": SECRET, "extender.prioritizeVerb": f"score?key={SECRET}", **asked}
    outside = {"name": "extender", "arguments": arguments, "secret": SECRET}
    private = {
        **VOLCANO,
        "tiers": [*VOLCANO["tiers"], {"plugins": [outside], "note": SECRET}],
        "configurations": [*VOLCANO["configurations"], {"name": "own", "arguments": {"key": SECRET}}],
        "metrics": {"type": "prometheus", "address": f"https://{SECRET}"},
    }
    text = kept(config_map(**{"volcano-scheduler.conf": write(private)}))["data"]["volcano-scheduler.conf"]
    assert SECRET not in text
    public = yaml.safe_load(text)
    assert public["tiers"][:2] == VOLCANO["tiers"]
    stays = {"name": "extender", "arguments": {"extender.prioritizeVerb": "withheld", **asked}}
    assert public["tiers"][2] == {"plugins": [stays]}
    assert public["configurations"] == [*VOLCANO["configurations"], {"name": "own"}]
    assert public["metrics"] == {"type": "prometheus"}


def test_volcanos_configuration_a_second_time_changes_nothing() -> None:
    once = kept(config_map(conf=yaml.safe_dump(VOLCANO)))
    assert yaml.safe_load(once["data"]["conf"]) == VOLCANO
    assert kept(once) is once


def test_arguments_are_kept_of_the_plugins_and_actions_that_are_played() -> None:
    assert frozenset({*PLUGINS, *ACTIONS}) == OWNERS_OF_ARGUMENTS


@pytest.mark.parametrize("actions", [SECRET * 200, "allocate\n" + SECRET, ["allocate"]])
def test_actions_are_names(actions: Any) -> None:
    assert kept(config_map(conf=json.dumps({**VOLCANO, "actions": actions})))["data"] == {}


HAMI: Object = {
    "nvidia": {"resourceCountName": "nvidia.com/gpu", "defaultMemory": 4000},
    "vnpus": {
        "hamiVnpuCore": False,
        "configs": [{"commonWord": "910A", "templates": [{"name": "vir02", "memory": 2184}]}],
    },
}


@pytest.mark.parametrize("write", [yaml.safe_dump, json.dumps])
def test_a_device_configuration_of_hami_is_kept_as_far_as_its_scheduler_reads_it(write: Any) -> None:
    private = {
        **HAMI,
        "nvidia": {**HAMI["nvidia"], "deviceSplitCount": 10, "own": SECRET},
        "password": SECRET,
    }
    objects, dropped = withhold_private([config_map(**{"device-config.yaml": write(private)})])
    text = objects[0]["data"]["device-config.yaml"]
    assert yaml.safe_load(text) == HAMI
    assert dropped == [
        "device-config.yaml: password (1)",
        "device-config.yaml.nvidia: deviceSplitCount (1), own (1)",
    ]
    assert kept(objects[0]) is objects[0]


@pytest.mark.parametrize(
    "document",
    [
        {"nvidia": {"apiKey": SECRET, "note": "resource Name"}},
        {"nvidia": {"resourceCountName": [SECRET]}},
        {"resourceCountName": f"example.org/{SECRET}"},
        {"kind": "Secret", "nvidia": {"resourceCountName": f"example.org/{SECRET}"}},
    ],
)
def test_a_vendors_word_alone_is_no_device_configuration(document: Object) -> None:
    assert kept(config_map(conf=yaml.safe_dump(document)))["data"] == {}


def test_kept_of_a_device_configuration_are_the_settings_of_its_scheduler() -> None:
    assert _paths(DEVICE_CONFIGURATION) == set(_settings(DeviceSettings))


def _paths(fields: Fields, path: str = "") -> set[str]:
    inner = set().union(*(_paths(part, f"{path}{name}.") for name, part in fields.parts.items()), ())
    return inner | {f"{path}{name}" for name in fields.whole}


def _settings(kind: Any, path: str = "") -> list[str]:
    hints = get_type_hints(kind)
    found: list[str] = []
    for field in msgspec.structs.fields(kind):
        [inner] = get_args(hints[field.name])[:1] or [hints[field.name]]
        name = f"{path}{field.encode_name}"
        found += _settings(inner, f"{name}.") if issubclass(inner, msgspec.Struct) else [name]
    return found
