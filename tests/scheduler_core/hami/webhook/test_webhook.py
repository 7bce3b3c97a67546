"""What the webhook answers, in which order, and as which patch."""

import base64
import json

import pytest

from scheduler_core.hami.configuration.shipped import device_configuration
from scheduler_core.hami.webhook.json_patch import make_patch
from scheduler_core.hami.webhook.webhook import review_answer
from tests.scheduler_core.hami.cards import Cluster, pod, quota

GPU = {"nvidia.com/gpu": 1}


def privileged(made):
    for container in made["spec"]["containers"]:
        container["securityContext"] = {"privileged": True}
    return made


def answer(made, config=None, quotas=()):
    cluster = Cluster(config=config)
    for item in quotas:
        cluster.hami.quota_added(item)
    return cluster.hami.webhook(made)


@pytest.mark.parametrize(("made", "code", "message"), [
    (pod(containers=[]), 403, "pod has no containers"),
    (pod(containers=[], schedulerName="other"), 403, "pod has no containers"),
    (privileged(pod(limits=GPU, nodeName="n")), 403, "container c0 is privileged"),
    (pod(limits=GPU, nodeName="n"), 403, "pod has node assigned"),
    (privileged(pod(limits={"nvidia.com/gpu": 1, "nvidia.com/gpumem-percentage": 101})), 500,
     "invalid nvidia.com/gpumem-percentage value 101 in container c0: must be an integer between 0 and 100"),
])  # fmt: skip
def test_why_a_pod_is_refused(made, code, message):
    found = answer(made)
    assert (found.allowed, found.code, found.message) == (False, code, message)
    assert found.reason == ("Forbidden" if code == 403 else "")
    assert found.patch == []


def test_a_privileged_pod_without_cards_is_none_of_its_business():
    found = answer(privileged(pod(limits={"cpu": 1})))
    assert (found.allowed, found.patch) == (True, [])


@pytest.mark.parametrize(("name", "overwrite", "taken"), [
    ("", True, True), ("default-scheduler", True, True), ("default-scheduler", False, False),
    ("hami-scheduler", False, True), ("other", True, False),
])  # fmt: skip
def test_whose_pods_are_taken(name, overwrite, taken):
    found = answer(pod(limits=GPU, schedulerName=name), {"forceOverwriteDefaultScheduler": overwrite})
    assert found.pod["spec"]["schedulerName"] == ("hami-scheduler" if taken else name)
    assert found.message == ("" if taken else "pod already has different scheduler assigned")


def test_the_patch_has_what_was_added_and_escapes_keys():
    made = pod(limits={"nvidia.com/gpumem-percentage": 100})
    assert answer(made).patch == [
        {"op": "add", "path": "/spec/containers/0/resources/limits/nvidia.com~1gpu", "value": "1"},
        {"op": "add", "path": "/spec/containers/0/resources/limits/nvidia.com~1gpucores", "value": "100"},
        {"op": "add", "path": "/spec/schedulerName", "value": "hami-scheduler"},
    ]
    assert "resources" in made["spec"]["containers"][0]
    assert made["spec"]["containers"][0]["resources"]["limits"] == {"nvidia.com/gpumem-percentage": "100"}


def test_settings_of_nvidia_add_variables_and_a_runtime_class():
    settings = {"gpuCorePolicy": "force", "runtimeClassName": "nvidia", "overwriteEnv": True}
    device = device_configuration()
    device["nvidia"] |= settings
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 5, "nvidia.com/priority": 1}
    found = answer(pod(containers=[limits, {"cpu": 1}]), {"deviceConfig": device})
    force = {"name": "GPU_CORE_UTILIZATION_POLICY", "value": "force"}
    assert [container.get("env") for container in found.pod["spec"]["containers"]] == [
        [{"name": "CUDA_TASK_PRIORITY", "value": "1"}, force],
        [force, {"name": "NVIDIA_VISIBLE_DEVICES", "value": "none"}],
    ]
    assert found.pod["spec"]["runtimeClassName"] == "nvidia"


@pytest.mark.parametrize(("hard", "limits", "allowed"), [
    ({"nvidia.com/gpumem": 1000}, {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 500}, True),
    ({"nvidia.com/gpumem": 1000}, {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 501}, False),
    ({"nvidia.com/gpumem": 0}, {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1}, False),
    ({"nvidia.com/gpumem": 1}, {"nvidia.com/gpu": 1, "nvidia.com/gpumem-percentage": 100}, True),
    ({"nvidia.com/gpucores": 99}, {"nvidia.com/gpu": 1}, False),
    ({"cambricon.com/mlu.smlu.vmemory": 4}, {"cambricon.com/vmlu": 1, "cambricon.com/mlu.smlu.vmemory": 4},
     True),
    ({"cpu": 0}, {"nvidia.com/gpu": 1, "cpu": 5}, True),
])  # fmt: skip
def test_quotas_are_checked_with_what_is_asked_for_in_the_quotas_units(hard, limits, allowed):
    found = answer(pod(limits=limits), quotas=[quota(hard)])
    assert found.allowed is allowed
    assert found.message == ("" if allowed else "exceeding resource quota")


def test_init_containers_count_as_their_greatest():
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 600}
    made = pod(containers=[limits], init=[limits, limits])
    assert answer(made, quotas=[quota({"nvidia.com/gpumem": 600})]).allowed
    assert not answer(pod(containers=[limits] * 2), quotas=[quota({"nvidia.com/gpumem": 600})]).allowed


def test_the_review_has_the_patch_in_base64():
    found = answer(pod(limits=GPU))
    response = review_answer("u", found)["response"]
    assert response["status"] == {"metadata": {}, "code": 200}
    assert json.loads(base64.b64decode(response["patch"])) == found.patch
    refused = review_answer("u", answer(pod(containers=[])))["response"]
    assert refused["status"] == {
        "metadata": {},
        "code": 403,
        "message": "pod has no containers",
        "reason": "Forbidden",
    }


@pytest.mark.parametrize(("old", "new", "patch"), [
    ({"a": 1}, {"a": 2}, [{"op": "replace", "path": "/a", "value": 2}]),
    ({"a/b": 1}, {}, [{"op": "remove", "path": "/a~1b"}]),
    ({"l": [1, 2]}, {"l": [1, 3]}, [{"op": "replace", "path": "/l/1", "value": 3}]),
    ({"l": [1, 1]}, {"l": [1, 1, 1]}, [{"op": "add", "path": "/l/2", "value": 1}]),
    ({"l": [1, 2]}, {"l": [2]}, [{"op": "remove", "path": "/l/0"}]),
    ({"l": [1]}, {"l": {}}, [{"op": "replace", "path": "/l", "value": {}}]),
])  # fmt: skip
def test_a_patch_says_what_differs(old, new, patch):
    assert make_patch(old, new) == patch
