"""What an import must not keep is gone, the rest is untouched, and what was dropped is said."""

import copy
from typing import Any

import pytest

from scheduler_core.objects.privacy import withhold_private
from tests.builders import Object, cluster_object, container, node, pod, workload


def with_environment(*values: str) -> Object:
    entries: list[Object] = [{"name": f"V{number}", "value": value} for number, value in enumerate(values)]
    return {**container(), "env": [*entries, {"name": "REF", "valueFrom": {"fieldRef": {"fieldPath": "a"}}}]}


def kept(document: Object) -> Any:
    objects, _ = withhold_private([document])
    return objects[0]


def test_secrets_and_kubeconfigs_are_dropped_and_counted() -> None:
    secret = cluster_object("Secret", "s", namespace="a", data={"password": "aHVudGVyMg=="})
    kubeconfig = {"apiVersion": "v1", "kind": "Config", "users": [{"user": {"token": "t"}}]}
    objects, dropped = withhold_private([secret, node("n"), secret, kubeconfig])
    assert objects == [node("n")]
    assert dropped == ["2 Secrets", "1 kubeconfig"]


def test_the_data_of_a_config_map_is_dropped() -> None:
    config_map = cluster_object("ConfigMap", "c", namespace="a", data={"k": "v"}, binaryData={"b": "AA=="})
    objects, dropped = withhold_private([config_map])
    assert objects == [cluster_object("ConfigMap", "c", namespace="a")]
    assert dropped == ["the data of ConfigMaps (1)"]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("config.yaml", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"),
        ("policy", '{"kind":"KubeSchedulerConfiguration"}'),
        ("volcano-scheduler.conf", "actions: allocate\ntiers:\n- plugins: []\n"),
    ],
)
def test_only_the_configuration_of_a_scheduler_stays(key: str, text: str) -> None:
    config_map = cluster_object("ConfigMap", "c", namespace="a", data={key: text, "other": "secret"})
    assert kept(config_map)["data"] == {key: text}


def test_values_of_environment_variables_are_dropped_their_names_stay() -> None:
    private = pod("a", containers=[with_environment("x", "y")])
    private["spec"]["initContainers"] = [with_environment("z")]
    objects, dropped = withhold_private([private])
    assert objects[0]["spec"]["containers"][0]["env"][:2] == [{"name": "V0"}, {"name": "V1"}]
    assert objects[0]["spec"]["containers"][0]["env"][2]["valueFrom"]
    assert objects[0]["spec"]["initContainers"][0]["env"][0] == {"name": "V0"}
    assert dropped == ["3 values of environment variables"]


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"])
def test_templates_of_workloads_lose_them_too(kind: str) -> None:
    private = workload(kind, "w", template={"containers": [with_environment("hunter2")]})
    assert "hunter2" not in str(kept(private))


def test_nested_templates_lose_them_too() -> None:
    spec = {"template": {"spec": {"containers": [with_environment("hunter2")]}}}
    cron_job = cluster_object(
        "CronJob", "c", version="batch/v1", namespace="a", spec={"jobTemplate": {"spec": spec}}
    )
    gang = cluster_object(
        "Job", "v", version="batch.volcano.sh/v1alpha1", namespace="a", spec={"tasks": [spec]}
    )
    objects, dropped = withhold_private([cron_job, gang])
    assert "hunter2" not in str(objects)
    assert dropped == ["2 values of environment variables"]


def test_managed_fields_and_last_applied_annotations_are_dropped() -> None:
    private = pod("a", annotations={"kubectl.kubernetes.io/last-applied-configuration": "{}", "kept": "yes"})
    private["metadata"]["managedFields"] = [{"manager": "kubectl"}]
    objects, dropped = withhold_private([private])
    assert objects == [pod("a", annotations={"kept": "yes"})]
    assert dropped == ["1 managedFields", "1 last-applied annotation"]


def test_what_has_nothing_private_is_passed_on_as_it_is() -> None:
    objects = [node("n"), pod("a"), workload("Deployment", "d")]
    same, dropped = withhold_private(objects)
    assert all(new is old for new, old in zip(same, objects, strict=True))
    assert dropped == []


def test_the_given_objects_are_never_changed() -> None:
    given = [pod("a", containers=[with_environment("x")]), cluster_object("ConfigMap", "c", data={"a": "b"})]
    before = copy.deepcopy(given)
    withhold_private(given)
    assert given == before


def test_odd_shapes_do_no_harm() -> None:
    odd = [
        {"kind": "Pod", "spec": 3},
        {"kind": "Pod", "spec": {"containers": [None, {"env": "x"}, {"env": [1, {"value": "v"}]}]}},
        {"kind": "ConfigMap", "data": None},
        {"kind": "Job", "metadata": "x", "spec": {"tasks": [1, {"template": {}}]}},
    ]
    assert len(withhold_private(odd)[0]) == 4
