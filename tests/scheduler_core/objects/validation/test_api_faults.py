"""What an API server refuses: fields that a kind doesn't have above all, each with what was meant."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.kinds import (
    CRON_JOB,
    READ_KINDS,
    REPLICATION_CONTROLLER,
    SCHEDULER_CONFIGURATION,
    Kind,
    kind_named,
)
from scheduler_core.objects.reading.misspelt_kinds import misspelt
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.objects.validation.api_faults import MAX_FAULTS, api_faults, unknown_fields
from scheduler_core.objects.validation.schema import root_type, types
from scheduler_core.volcano.api_kinds import VOLCANO_KINDS
from tests.builders import Object, cluster_object, container, pod, workload
from tests.cases import for_each
from tests.scheduler_core.objects.privacy.test_privacy_reads import views_in

FOREIGN = Path(__file__).parents[3] / "foreign"


def foreign(name: str) -> list[Object]:
    return read_yaml((FOREIGN / f"{name}.yaml").read_bytes())


def faults(*objects: Object) -> list[tuple[str, str]]:
    return [(fault.field, fault.message) for document in objects for fault in api_faults(document)]


def of_pod(**spec: Any) -> list[tuple[str, str]]:
    return faults(pod("a", spec=spec))


def test_misspelt_fields_are_found_in_every_kind_that_is_read() -> None:
    found = [str(fault) for document in foreign("misspelt_fields") for fault in api_faults(document)]
    asks = "is an unknown field; did you mean"
    assert found == [
        f"Pod shop/selector: metadata.label: {asks} labels?",
        f"Pod shop/selector: spec.nodeselector: {asks} nodeSelector?",
        f"Pod shop/requests: spec.containers[0].resources.request: {asks} requests?",
        f"Pod shop/requests: spec.containers[1].limits: {asks} resources.limits?",
        "Pod shop/requests: spec.containers[2].resources.requests.mem: is no resource that is known here "
        "(known are cpu, memory, ephemeral-storage, hugepages-… and domain/name); did you mean memory?",
        f"Pod shop/requests: spec.containers[3].nodeSelector: {asks} spec.nodeSelector?",
        f"Deployment shop/web: spec.replica: {asks} replicas?",
        f"Deployment shop/web: spec.template.spec.toleration: {asks} tolerations?",
        f"PodDisruptionBudget shop/web: spec.minAvailble: {asks} minAvailable?",
        f"Job.batch.volcano.sh ml/train: spec.minavailable: {asks} minAvailable?",
        f"Job.batch.volcano.sh ml/train: spec.tasks[0].template.spec.priorityClass: {asks}"
        " priorityClassName?",
        f"Queue.scheduling.volcano.sh ml: spec.weights: {asks} weight?",
        "Pod elsewhere: spec.containers[0].resources.limits.gpu: is no resource that is known here (known "
        "are cpu, memory, ephemeral-storage, hugepages-… and domain/name); did you mean nvidia.com/gpu?",
        f"Pod elsewhere: spec.namespace: {asks} metadata.namespace?",
        "Node node-1: status.allocatable.memry: is no resource that pods can ask for (known are cpu, memory, "
        "ephemeral-storage, pods, hugepages-… and domain/name); did you mean memory?",
        "Pods a: kind: is an unknown kind; did you mean Pod?",
        "deployment.apps a: kind: is an unknown kind; did you mean Deployment?",
        "Deployment.app a: apiVersion: is of an unknown API group; did you mean apps?",
    ]


@pytest.mark.parametrize(
    "kind",
    ["Endpoints", "Binding", "ControllerRevision.apps", "Node.longhorn.io", "StatefulSet.apps.kruise.io",
     "PodGroup.scheduling.x-k8s.io", "Service.serving.knative.dev", "Ingress.extensions"],
)  # fmt: skip
def test_kinds_that_others_have_are_not_misspelt(kind: str) -> None:
    assert misspelt(kind_named(kind)) is None


def test_a_dump_of_a_real_cluster_has_no_fault() -> None:
    dump = foreign("plain_dump")
    assert check_objects(dump) == []
    assert faults(*dump) == []


@for_each(sorted(READ_KINDS - {SCHEDULER_CONFIGURATION} | VOLCANO_KINDS), str)
def test_the_fields_of_every_kind_that_is_read_are_known(kind: Kind) -> None:
    assert root_type(kind) in types()


def unheard_of(view: type[msgspec.Struct], name: str, path: str) -> set[str]:
    """The fields that a typed view reads and the table lacks."""
    found, kind = set(), types()[name]
    for field in msgspec.structs.fields(view):
        place, inner = f"{path}.{field.encode_name}", kind.inner.get(field.encode_name)
        if field.encode_name not in kind.fields:
            found.add(place)
        elif inner in types():
            found |= {lost for part in views_in(field.type) for lost in unheard_of(part, inner, place)}
    return found


SHARED = (CRON_JOB, REPLICATION_CONTROLLER)
OWN_VIEW = [kind for kind in KIND_CHECKS if KIND_CHECKS[kind].view.__name__ == kind.name]
"""Kinds whose typed view is theirs alone: one of several kinds has the fields of all of them."""


@pytest.mark.parametrize("kind", [kind for kind in OWN_VIEW if kind not in SHARED], ids=str)
def test_every_field_that_the_engine_reads_is_in_the_table(kind: Kind) -> None:
    name = root_type(kind)
    assert name is not None
    lost = unheard_of(KIND_CHECKS[kind].view, name, kind.name)
    # Of those that have resources only containers have claims; of what is asked of devices alternatives alone
    # have names, and all but them admin access.
    elsewhere = (".resources.claims", ".exactly.name", ".firstAvailable.adminAccess")
    assert {place for place in lost if not place.endswith(elsewhere)} == set()


def test_a_null_takes_a_field_away_and_is_no_fault_of_a_patch() -> None:
    patch = {"kind": "Pod", "spec": {"nodeselector": None, "containers": [{"limits": {}}]}}
    assert [fault.field for fault in unknown_fields(patch)] == ["spec.containers[0].limits"]


def test_the_name_of_an_unknown_field_is_shown_only_if_it_is_a_plain_one() -> None:
    assert of_pod(**{"hunter 2 !": 1}) == [("spec.others", "is an unknown field")]


@pytest.mark.parametrize("name", ["cpu", "hugepages-2Mi", "nvidia.com/gpu", "alpha.kubernetes.io/nvidia-gpu"])
def test_resources_that_containers_may_ask_for(name: str) -> None:
    assert of_pod(containers=[container(requests={name: "2Mi"})]) == []


@pytest.mark.parametrize("name", ["pods", "gpu", "requests.cpu", "requests.x/y", "x/y/z", "-a"])
def test_resources_that_they_may_not(name: str) -> None:
    [(field, _)] = of_pod(containers=[container(limits={name: 1})])
    assert field == f"spec.containers[0].resources.limits.{name}"


def test_names_of_resources_in_overhead_whole_pods_quotas_and_limits() -> None:
    assert [field for field, _ in of_pod(overhead={"mem": 1}, resources={"limits": {"a.b/c": 1}})] == [
        "spec.overhead.mem",
        "spec.resources.limits.a.b/c",
    ]
    quota = cluster_object("ResourceQuota", "q", namespace="a", spec={"hard": {"pods": 1, "pod": 1}})
    [(field, message)] = faults(quota)
    assert (field, message.endswith("did you mean pods?")) == ("spec.hard.pod", True)
    limits = [
        {"type": "Container", "max": {"storage": 1}},
        {"type": "PersistentVolumeClaim", "max": {"storage": 1}},
    ]
    assert [
        field
        for field, _ in faults(cluster_object("LimitRange", "l", namespace="a", spec={"limits": limits}))
    ] == ["spec.limits[0].max.storage"]


def test_containers_need_a_name_and_an_image_and_there_must_be_one() -> None:
    assert of_pod(containers=[{"name": "a"}], initContainers=[{"image": "a:1"}]) == [
        ("spec.containers[0].image", "is required"),
        ("spec.initContainers[0].name", "is required"),
    ]
    assert faults(workload("Job", "a", template={"containers": []})) == [
        ("spec.template.spec.containers", "must have at least one")
    ]


def test_a_mount_needs_a_volume_of_its_name() -> None:
    mounts = [{"name": "here", "mountPath": "/a"}, {"name": "data", "mountPath": "/b"}]
    spec = {
        "containers": [{**container(), "volumeMounts": mounts}],
        "volumes": [{"name": "here", "emptyDir": {}}],
    }
    fault = "containers[0].volumeMounts[1].name", "is the name of no volume"
    assert of_pod(**spec) == [(f"spec.{fault[0]}", fault[1])]
    asks = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    claims = [{"metadata": {"name": "data"}, "spec": asks}]
    assert faults(workload("StatefulSet", "a", template=spec, spec={"volumeClaimTemplates": claims})) == []
    assert faults(workload("Deployment", "a", template=spec)) == [
        (f"spec.template.spec.{fault[0]}", fault[1])
    ]


@pytest.mark.parametrize("text", ["soon", "2026-02-30T00:00:00Z", "2026-06-01", "", 7])
def test_a_time_that_cannot_be_read(text: Any) -> None:
    told = pod("a", status={"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": text}]})
    assert faults(told) == [
        ("status.conditions[0].lastTransitionTime", "is no RFC 3339 timestamp, as in 2026-06-01T00:00:00Z")
    ]


def test_a_kind_without_namespaces_can_be_in_none() -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/a"}}
    volume = cluster_object("PersistentVolume", "v", namespace="shop", spec=spec)
    assert faults(volume) == [("metadata.namespace", "must be absent: a PersistentVolume is in no namespace")]


@pytest.mark.parametrize("kind", ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"])
def test_a_selector_must_be_there_and_match_the_template(kind: str) -> None:
    assert faults(workload(kind, "a", spec={"selector": None})) == [("spec.selector", "is required")]
    other = {"matchLabels": {"app": "b"}}
    assert faults(workload(kind, "a", spec={"selector": other})) == [
        ("spec.selector", "does not match the labels of spec.template")
    ]
    assert faults(workload(kind, "a", spec={"template": None})) == [("spec.template", "is required")]


def test_a_selector_that_a_version_makes_up_may_be_left_out() -> None:
    old = workload("Deployment", "a", spec={"selector": None}) | {"apiVersion": "extensions/v1beta1"}
    assert faults(old, workload("ReplicationController", "a"), workload("Job", "a")) == []


@pytest.mark.parametrize("policy", ["always", "OnSuccess"])
def test_a_restart_policy_is_one_of_three(policy: str) -> None:
    fault = "restartPolicy", "must be one of Always, OnFailure, Never"
    assert of_pod(restartPolicy=policy) == [(f"spec.{fault[0]}", fault[1])]
    job = workload("Job", "a", template={"containers": [container()], "restartPolicy": policy})
    assert faults(job) == [(f"spec.template.spec.{fault[0]}", fault[1])]
    assert [of_pod(restartPolicy=right) for right in ("Always", "OnFailure", "Never")] == [[], [], []]


def test_a_disruption_budget_has_one_of_its_two_bounds() -> None:
    def budget(**spec: Any) -> Object:
        return cluster_object("PodDisruptionBudget", "b", version="policy/v1", namespace="a", spec=spec)

    assert faults(budget(minAvailable=0, maxUnavailable="10%")) == [
        ("spec.maxUnavailable", "must be absent where there is minAvailable")
    ]
    assert faults(budget(minAvailable=1), budget(maxUnavailable=0, minAvailable=None)) == []


def test_a_kind_of_another_project_is_none_of_our_business() -> None:
    knative = cluster_object("Service", "s", version="serving.knative.dev/v1", namespace="a", spec={"x": 1})
    assert faults(knative) == []


def test_of_very_many_faults_of_an_object_the_first_are_listed() -> None:
    assert len(of_pod(**{f"field{number}": 1 for number in range(1000)})) == MAX_FAULTS
