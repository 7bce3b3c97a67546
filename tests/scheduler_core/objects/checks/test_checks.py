"""Checking objects: every fault is named with object, field and reason; nothing else is a fault."""

import time
from typing import Any

import pytest

from scheduler_core.objects.checks.cluster_checks import Limits, check_objects
from tests.builders import Object, cluster_object, container, manifest, node, pod, workload


def only(*objects: Object) -> tuple[str, str, str]:
    """The one problem of these objects."""
    (problem,) = check_objects(list(objects))
    return problem.object, problem.field, problem.message


CLASSES = "scheduling.k8s.io/v1"


def job_spec(**spec: Any) -> Object:
    return {"template": {"spec": spec}}


def with_spec(**spec: Any) -> Object:
    return pod("a", spec=spec)


def affinity(kind: str, when: str, terms: Any) -> Object:
    return with_spec(affinity={kind: {f"{when}DuringSchedulingIgnoredDuringExecution": terms}})


def test_a_sound_cluster_has_no_problems() -> None:
    objects = [node("n"), pod("a", on="n"), workload("Deployment", "cart"), manifest("b")]
    assert check_objects(objects) == []


def test_kinds_that_nobody_knows_are_never_a_fault() -> None:
    strange = {"apiVersion": "example.org/v1", "kind": "Strange", "metadata": {"name": "x"}, "spec": 3}
    assert check_objects([strange]) == []


def test_a_job_of_another_project_is_not_checked_as_a_kubernetes_job() -> None:
    job = cluster_object("Job", "train", version="batch.volcano.sh/v1alpha1", spec={"template": "none"})
    assert check_objects([job]) == []


def test_fields_that_nobody_knows_and_nulls_are_never_a_fault() -> None:
    odd = with_spec(unheardOf={"a": [1]}, nodeSelector=None, tolerations=None, priority=None)
    odd["metadata"]["creationTimestamp"] = None
    assert check_objects([odd]) == []


@pytest.mark.parametrize("field", ["kind", "apiVersion"])
def test_kind_and_version_are_required(field: str) -> None:
    broken = {key: value for key, value in node("n").items() if key != field}
    assert only(broken)[1] == field


def test_an_object_without_a_name_is_named_by_its_place() -> None:
    unnamed = {"apiVersion": "v1", "kind": "Pod", "metadata": {}}
    assert only(node("n"), unnamed)[:2] == ("items[1] (Pod)", "metadata.name")


def test_a_scheduler_configuration_needs_no_name() -> None:
    kind = "KubeSchedulerConfiguration"
    assert check_objects([{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": kind}]) == []


@pytest.mark.parametrize("name", ["Upper", "under_score", "a" * 254, "-a", "a..b", "a/b"])
def test_node_names_are_dns_names(name: str) -> None:
    assert only(node(name))[1] == "metadata.name"


def test_the_same_uid_twice_is_refused() -> None:
    assert only(pod("a", uid="1"), pod("b", uid="1"))[:2] == ("Pod default/b", "metadata.uid")


def test_the_same_node_twice_is_refused() -> None:
    twin = node("n")
    twin["metadata"]["uid"] = "other"
    assert only(node("n"), twin)[:2] == ("Node n", "metadata.name")


def test_pods_are_told_apart_by_uid_and_names_may_come_again() -> None:
    assert check_objects([pod("a", uid="1"), pod("a", uid="2")]) == []


def test_two_pod_manifests_of_one_name_are_refused() -> None:
    assert only(manifest("a"), manifest("a", namespace="default"))[1] == "metadata.name"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("1 Gi", "no quantity"),
        ("-1", "negative"),
        ("1e401", "too large"),
        (True, "must be a quantity"),
        ([], "array"),
    ],
)
def test_a_bad_amount_is_named_by_its_path(text: Any, word: str) -> None:
    broken = pod("a", containers=[container(), container("b", requests={"cpu": "1", "memory": text})])
    _, field, message = only(broken)
    assert field == "spec.containers[1].resources.requests.memory"
    assert word in message


@pytest.mark.parametrize(
    ("broken", "field", "word"),
    [
        (with_spec(containers={}), "spec.containers", "array"),
        (with_spec(priority="high"), "spec.priority", "whole number"),
        (with_spec(priority=2**31), "spec.priority", "between"),
        (with_spec(preemptionPolicy="Always"), "spec.preemptionPolicy", "Never"),
        (with_spec(nodeSelector={"disk": 1}), "spec.nodeSelector.disk", "text"),
        (with_spec(overhead={"cpu": "x"}), "spec.overhead.cpu", "no quantity"),
        (with_spec(nodeName="A_b"), "spec.nodeName", "name"),
        (with_spec(tolerations=[{"operator": "Equal"}]), "spec.tolerations[0].operator", "Exists"),
        (with_spec(tolerations=[{"key": "a", "effect": "No"}]), "spec.tolerations[0].effect", "NoSchedule"),
        (
            with_spec(topologySpreadConstraints=[{"maxSkew": 0, "topologyKey": "z"}]),
            "spec.topologySpreadConstraints[0].maxSkew",
            "between",
        ),
        (
            affinity("nodeAffinity", "preferred", [{"weight": 101, "preference": {}}]),
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
            "100",
        ),
        (
            affinity("podAffinity", "required", [{"labelSelector": {}}]),
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
            "empty",
        ),
        (pod("a", labels={"app": 5}), "metadata.labels.app", "text"),
        (pod("a", status={"phase": "Gone"}), "status.phase", "Pending"),
        (pod("a", status={"startTime": "yesterday"}), "status.startTime", "RFC 3339"),
        (pod("a", creationTimestamp="2026-13-01T00:00:00Z"), "metadata.creationTimestamp", "RFC 3339"),
        (node("n", taints=[{"key": "a", "effect": "Never"}]), "spec.taints[0].effect", "NoSchedule"),
        (node("n", taints=[{"effect": "NoSchedule"}]), "spec.taints[0].key", "empty"),
        (node("n", memory="8GB"), "status.allocatable.memory", "no quantity"),
        (workload("Deployment", "d", replicas=-1), "spec.replicas", "between"),
        (
            workload("CronJob", "c", spec={"jobTemplate": {"spec": job_spec(priority="x")}}),
            "spec.jobTemplate.spec.template.spec.priority",
            "whole number",
        ),
        (cluster_object("PriorityClass", "p", version=CLASSES, value="1"), "value", "whole number"),
        (
            cluster_object("ResourceQuota", "q", namespace="a", spec={"hard": {"pods": "x"}}),
            "spec.hard.pods",
            "no quantity",
        ),
        (
            cluster_object("StorageClass", "s", version="storage.k8s.io/v1", volumeBindingMode="Later"),
            "volumeBindingMode",
            "Immediate",
        ),
    ],
)  # fmt: skip
def test_a_faulty_field_is_named_by_its_path(broken: Object, field: str, word: str) -> None:
    _, found, message = only(broken)
    assert found == field
    assert word in message


@pytest.mark.parametrize(
    ("requirement", "field"),
    [
        ({"key": "a", "operator": "Is", "values": ["b"]}, "operator"),
        ({"key": "a", "operator": "In"}, "values"),
        ({"key": "a", "operator": "Exists", "values": ["b"]}, "values"),
        ({"key": "a", "operator": "Gt"}, "values"),
        ({"key": "a", "operator": "Lt", "values": ["1", "2"]}, "values"),
        ({"operator": "Exists"}, "key"),
    ],
)
def test_selector_requirements_are_checked(requirement: Object, field: str) -> None:
    broken = affinity(
        "nodeAffinity", "required", {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}
    )
    place = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
    assert only(broken)[1] == f"{place}.matchExpressions[0].{field}"


def test_a_bound_that_is_no_number_is_stored_as_an_api_server_stores_it() -> None:
    requirement = {"key": "a", "operator": "Gt", "values": ["many"]}
    stored = affinity(
        "nodeAffinity", "required", {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}
    )
    assert check_objects([stored]) == []


def test_every_fault_of_every_object_is_listed() -> None:
    broken = node("n", cpu="x", taints=[{"key": "a", "effect": "b"}])
    assert len(check_objects([broken, with_spec(priority=2**40), pod("b")])) == 3


def test_more_problems_than_anybody_reads_are_cut() -> None:
    problems = check_objects([node(f"n{number}", cpu="x") for number in range(2_000)])
    assert len(problems) == 201
    assert "more than 200" in problems[-1].message


def test_clusters_beyond_the_limits_are_refused_with_the_number() -> None:
    (problem,) = check_objects([node(f"n{number}") for number in range(4)], Limits(nodes=3, pods=1))
    assert "4 nodes" in problem.message
    assert "limit of 3" in problem.message


def test_ten_thousand_pods_are_checked_in_about_a_second() -> None:
    pods = [
        pod(f"p{number}", on="n", containers=[container(requests={"cpu": f"{number}m"})])
        for number in range(10_000)
    ]
    start = time.process_time()
    assert check_objects(pods) == []
    assert time.process_time() - start < 2


def offered(**attribute: Any) -> Object:
    device = {"name": "g", "attributes": {"memory": attribute}}
    pool = {"name": "a", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "d.example.com", "nodeName": "a", "pool": pool, "devices": [device]}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "s"},
        "spec": spec,
    }


def test_a_devices_whole_number_has_64_bits_as_an_api_server_reads_it() -> None:
    for value in ({"int": 2**63 - 1}, {"int": -(2**63)}, {"string": "x"}):
        assert check_objects([offered(**value)]) == []
    for number in (2**63, -(2**63) - 1):
        assert only(offered(int=number)) == (
            "ResourceSlice s",
            "spec.devices[0].attributes.memory.int",
            f"must be between {-(2**63)} and {2**63 - 1}, not {number}",
        )
