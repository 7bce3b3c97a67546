"""Edits are refused for what an API server would not take: it would change the answer in silence."""

from typing import Any

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world.edits import apply_edits
from tests.builders import Object, container, manifest, pod, workload
from tests.scheduler_core.objects.validation.test_api_faults import foreign


def faults(objects: list[Object], edit: Object) -> list[tuple[str, str]]:
    with pytest.raises(BadInput) as refused:
        apply_edits(objects, [edit])
    return [(problem.field, problem.message) for problem in refused.value.problems]


def added(written: Any) -> list[tuple[str, str]]:
    return faults([], {"op": "add", "manifest": written})


def patch_of(old: Object, change: Object) -> Object:
    metadata = old["metadata"]
    return {
        "op": "patch", "kind": old["kind"], "namespace": metadata["namespace"], "name": metadata["name"],
        "patch": change,
    }  # fmt: skip


@pytest.mark.parametrize("written", [one for one in foreign("misspelt_fields") if one["kind"] != "Strange"])
def test_each_misspelt_field_is_refused(written: Object) -> None:
    assert all(field.startswith("manifest.") for field, _ in added(written))


def test_the_field_that_was_meant_is_asked_for() -> None:
    written = manifest("a", containers=[container(requests={"mem": "900Gi"})], spec={"nodeselector": {}})
    assert added(written) == [
        (
            "manifest.spec.containers[0].resources.requests.mem",
            "is no resource that is known here (known are cpu, memory, ephemeral-storage, hugepages-… and "
            "domain/name); did you mean memory?",
        ),
        ("manifest.spec.nodeselector", "is an unknown field; did you mean nodeSelector?"),
    ]


def test_other_projects_kinds_may_have_any_field() -> None:
    [strange] = [one for one in foreign("misspelt_fields") if one["kind"] == "Strange"]
    assert apply_edits([], [{"op": "add", "manifest": strange}]).results[0].sentence


def test_a_patch_is_refused_for_what_it_brings_and_not_for_what_was_wrong_before() -> None:
    old = workload("Deployment", "web", template={"containers": [{"name": "a"}]})
    assert faults([old], patch_of(old, {"spec": {"replica": 3}})) == [
        ("patch.spec.replica", "is an unknown field; did you mean replicas?")
    ]
    labels = {"spec": {"template": {"metadata": {"labels": {"app": "other"}}}}}
    assert faults([old], patch_of(old, labels)) == [
        ("patch.spec.selector", "does not match the labels of spec.template")
    ]
    assert apply_edits([old], [patch_of(old, {"spec": {"replicas": 2}})]).results[0].sentence


def test_a_node_that_is_like_an_imported_one_may_have_its_faults() -> None:
    odd = {**foreign("plain_dump")[1], "spec": {"taint": []}}
    applied = apply_edits([odd], [{"op": "clone-node", "node": "node-1", "count": 1}])
    assert applied.results[0].sentence == "clone node node-1: 1 node (node-1-1)"


def test_a_pod_of_an_edit_needs_an_image() -> None:
    assert added(pod("a", containers=[{"name": "a"}])) == [
        ("manifest.spec.containers[0].image", "is required")
    ]
