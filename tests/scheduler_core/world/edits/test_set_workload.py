"""A workload's pods changed field by field: what is said, what comes of it, and what is refused."""

from typing import Any

import pytest

from scheduler_core.objects.identity import with_identity
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.edits import Applied, apply_edits
from tests.builders import Object, workload


def web() -> Object:
    made = workload("Deployment", "web", replicas=2)
    spec = made["spec"]["template"]["spec"]
    spec["containers"][0]["resources"] = {"requests": {"cpu": "500m"}, "limits": {"memory": "8Gi"}}
    spec["nodeSelector"] = {"pool": "a", "disk": "ssd"}
    return with_identity(made)


def changed(**fields: Any) -> Applied:
    edit = {"op": "set-workload", "kind": "Deployment", "namespace": "shop", "name": "web", **fields}
    return apply_edits([web()], [edit])


def deployment(applied: Applied) -> Any:
    [found] = [one for one in applied.objects if one["kind"] == "Deployment"]
    return found["spec"]


def test_each_field_is_said_with_its_old_and_its_new_value() -> None:
    applied = changed(
        replicas=3,
        cpu="2",
        memory="4Gi",
        nodeSelector={"pool": "b", "disk": None},
        tolerations=["gpu:NoSchedule"],
    )
    assert applied.results[0].sentence == (
        "change Deployment shop/web: replicas 2 → 3, node selector pool=a,disk=ssd → pool=b, "
        "tolerates gpu:NoSchedule too, cpu 500m → 2, memory 8Gi → 4Gi"
    )
    spec = deployment(applied)
    pod = spec["template"]["spec"]
    assert spec["replicas"] == 3
    assert pod["containers"][0]["resources"]["requests"] == {"cpu": "2", "memory": "4Gi"}
    assert pod["nodeSelector"] == {"pool": "b"}
    assert {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"} in pod["tolerations"]


def test_pods_are_made_of_the_changed_template() -> None:
    pods = [one for one in changed(replicas=3, cpu="2").objects if one["kind"] == "Pod"]
    assert len(pods) == 3
    assert {one["spec"]["containers"][0]["resources"]["requests"]["cpu"] for one in pods} == {"2"}


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({}, "", "changes nothing"),
        ({"replicas": -1}, "replicas", "between"),
        ({"cpu": "lots"}, "cpu", "lots"),
        ({"memory": "9Gi"}, "memory", "must not be greater than the limit of 8Gi"),
        ({"cpu": "1", "container": "other"}, "container", "there is no container other"),
        ({"kind": "Job", "cpu": "1"}, "kind", "must be one of"),
    ],
)
def test_what_is_wrong_is_said_by_field(fields: Any, field: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        changed(**fields)
    first = refused.value.problems[0]
    assert (first.field, words in first.message) == (field, True), first
