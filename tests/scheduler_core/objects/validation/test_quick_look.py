"""The quick look at objects whose fields are right finds what the slow one finds."""

from typing import Any

import pytest

from scheduler_core.objects.validation import api_faults
from scheduler_core.objects.validation.api_faults import all_faults, unknown_fields
from scheduler_core.objects.validation.schema_structs import fits
from tests.builders import Object, container, node, pod
from tests.scheduler_core.objects.validation.test_api_server import ASKED

TOKEN, OTHER = "kube-api-access-ab1cd", "kube-api-access-ef2gh"


def test_both_ways_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [all_faults(asked["object"]) for asked in ASKED]
    monkeypatch.setattr(api_faults, "fits", lambda name, value: False)
    assert [all_faults(asked["object"]) for asked in ASKED] == quick


@pytest.mark.parametrize(
    ("name", "value", "is_right"),
    [
        ("core.Pod", pod("a"), True),
        ("core.Pod", pod("a") | {"what": 1}, False),
        ("core.PodSpec", {"priority": 1.0}, False),
        ("core.PodSpec", {"priority": True}, False),
        ("core.PodSpec", {"hostNetwork": 1}, False),
        ("core.PodSpec", {"containers": [None]}, False),
        ("core.PodSpec", {"hostNetwork": None, "priority": 5}, True),
        ("core.PodCondition", {"lastTransitionTime": "2026-02-28T00:00:00Z"}, True),
        ("core.PodCondition", {"lastTransitionTime": "2026-02-29T00:00:00Z"}, False),
        ("core.PodCondition", {"lastTransitionTime": "2026-06-31T00:00:00Z"}, False),
        ("core.PodCondition", {"lastTransitionTime": "2026-06-01 00:00:00Z"}, False),
        ("core.PodCondition", {"lastTransitionTime": "2026-06-01T00:00:00Z\n"}, False),
        ("core.NodeStatus", {"allocatable": {"cpu": "1.5", "memory": "5Gi"}}, True),
        ("core.NodeStatus", {"allocatable": {"cpu": "five"}}, False),
    ],
)
def test_it_is_sure_of_what_is_right(name: str, value: Any, is_right: bool) -> None:
    assert fits(name, value) == is_right


def mounting(volume: str, *, of: str = TOKEN, on: str = "") -> Object:
    mounts = container() | {"volumeMounts": [{"name": volume, "mountPath": "/a"}]}
    return pod("a", on=on, containers=[mounts], spec={"volumes": [{"name": of, "emptyDir": {}}]})


def test_a_pod_like_a_right_one_is_not_taken_for_it() -> None:
    assert all_faults(mounting(TOKEN)) == all_faults(mounting(OTHER, of=OTHER, on="n")) == []
    [fault] = all_faults(mounting(OTHER))
    assert fault.field == "spec.containers[0].volumeMounts[0].name"
    wrong = pod("a", containers=[container(requests={"cpu": 2}, limits={"cpu": 1})])
    assert [len(all_faults(wrong)) for _ in range(2)] == [1, 1]


def test_a_spec_that_is_right_by_its_rules_may_have_unknown_fields() -> None:
    misspelt = pod("a", spec={"nodeselector": {"a": "b"}})
    assert [fault.field for fault in unknown_fields(misspelt)] == ["spec.nodeselector"]
    assert [fault.field for fault in unknown_fields(node("n") | {"what": 1})] == ["what"]
