"""Manifests that an API server refuses beyond misspelt fields: each with the field that is at fault."""

from typing import Any

import pytest

from scheduler_core.objects.kinds import READ_KINDS, SCHEDULER_CONFIGURATION, Kind
from scheduler_core.objects.validation.api_faults import all_faults, api_faults
from scheduler_core.objects.validation.schema import versions_of
from scheduler_core.volcano.api_kinds import VOLCANO_KINDS
from tests.builders import Object, cluster_object, container, node, pod, workload
from tests.cases import for_each

LONG = "a" * 64
GATE = "spec.schedulingGates[0].name"


def fields(document: Object) -> list[str]:
    return [fault.field for fault in all_faults(document)]


def labelled(labels: Any) -> Object:
    return pod("a", labels=labels)


def owned(**reference: Any) -> Object:
    whole = {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"} | reference
    made = pod("a")
    made["metadata"]["ownerReferences"] = [{key: value for key, value in whole.items() if value is not None}]
    return made


def of_version(document: Object, version: str) -> Object:
    return document | {"apiVersion": version}


def spread(**terms: Any) -> Object:
    term = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"} | terms
    return pod("a", spec={"topologySpreadConstraints": [term]})


WRONG = [
    (labelled({"-a": "b"}), ["metadata.labels.others"]),
    (labelled({"a/b/c": "d"}), ["metadata.labels.a/b/c"]),
    (labelled({"Example.com/a": "d"}), ["metadata.labels.Example.com/a"]),
    (labelled({LONG: "d"}), [f"metadata.labels.{LONG}"]),
    (labelled({"a": "b c"}), ["metadata.labels.a"]),
    (labelled({"a": LONG}), ["metadata.labels.a"]),
    (labelled({"a": "-"}), ["metadata.labels.a"]),
    (labelled({"a": 1}), ["metadata.labels.a"]),
    (labelled(["a"]), ["metadata.labels"]),
    (node("n", labels={"a": "b/c"}), ["metadata.labels.a"]),
    (node("n", taints=[{"key": "a b", "effect": "NoSchedule"}]), ["spec.taints[0].key"]),
    (node("n", taints=[{"key": "a", "value": "b c", "effect": "NoSchedule"}]), ["spec.taints[0].value"]),
    (pod("a", spec={"nodeSelector": {"a": "b c"}}), ["spec.nodeSelector.a"]),
    (pod("a", spec={"tolerations": [{"key": "a/", "operator": "Exists"}]}), ["spec.tolerations[0].key"]),
    (spread(labelSelector={"matchLabels": {"a": "b c"}}),
     ["spec.topologySpreadConstraints[0].labelSelector.matchLabels.a"]),
    (pod("a", spec={"schedulingGates": [{"name": ""}]}), [GATE]),
    (pod("a", spec={"schedulingGates": [{}]}), [GATE]),
    (pod("a", spec={"schedulingGates": [{"name": "a b"}]}), [GATE]),
    (pod("a", spec={"schedulingGates": [{"name": "a"}, {"name": "a"}]}), ["spec.schedulingGates[1].name"]),
    (owned(name=""), ["metadata.ownerReferences[0].name"]),
    (owned(name=None, uid=None), ["metadata.ownerReferences[0].name", "metadata.ownerReferences[0].uid"]),
    (owned(kind=None), ["metadata.ownerReferences[0].kind"]),
    (owned(apiVersion=None), ["metadata.ownerReferences[0].apiVersion"]),
    (pod("a", containers=[container("a")], spec={"initContainers": [container("a")]}),
     ["spec.initContainers[0].name"]),
    (pod("a", containers=[container("a"), container("a")]), ["spec.containers[1].name"]),
    (pod("a", containers=[container("A_b")]), ["spec.containers[0].name"]),
    (pod("a", spec={"volumes": [{"emptyDir": {}}]}), ["spec.volumes[0].name"]),
    (pod("a", spec={"volumes": [{"name": "v"}, {"name": "v"}]}), ["spec.volumes[1].name"]),
    (of_version(pod("a"), "v2"), ["apiVersion"]),
    (of_version(workload("Deployment", "a"), "apps/v2"), ["apiVersion"]),
    (of_version(workload("Job", "a"), "batch/v1alpha7"), ["apiVersion"]),
    (cluster_object("Queue", "q", version="scheduling.volcano.sh/v1", spec={}), ["apiVersion"]),
    (pod("a", spec={"hostIPC": "yes"}), ["spec.hostIPC"]),
    (pod("a", spec={"activeDeadlineSeconds": "60"}), ["spec.activeDeadlineSeconds"]),
    (pod("a", spec={"activeDeadlineSeconds": 1.5}), ["spec.activeDeadlineSeconds"]),
    (pod("a", spec={"dnsConfig": []}), ["spec.dnsConfig"]),
    (pod("a", spec={"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "a lot"}}]}),
     ["spec.volumes[0].emptyDir.sizeLimit"]),
    (pod("a", spec={"dnsConfig": {"nameservers": ["a", 1]}}), ["spec.dnsConfig.nameservers[1]"]),
    (pod("a", containers=[container() | {"args": "a b"}]), ["spec.containers[0].args"]),
    (pod("a", containers=[container() | {"env": [{"name": "A", "value": 1}]}]),
     ["spec.containers[0].env[0].value"]),
    (workload("StatefulSet", "a", spec={"serviceName": 1}), ["spec.serviceName"]),
    (cluster_object("Queue", "q", version="scheduling.volcano.sh/v1beta1", spec={"dequeueStrategy": "lifo"}),
     ["spec.dequeueStrategy"]),
]  # fmt: skip


@for_each(WRONG)
def test_it_is_refused_by_field(document: Object, expected: list[str]) -> None:
    assert fields(document) == expected


RIGHT = [
    labelled({"a": "", "example.com/A_b.c-d": "X_y.z-1", "b": None}),
    owned(),
    spread(labelSelector={"matchLabels": {}}),
    spread(topologyKey="a/b/c"),
    node("n", taints=[{"key": "a.b/c", "effect": "NoSchedule", "value": ""}]),
    pod("a", spec={"tolerations": [{"operator": "Exists"}]}),
    pod("a", spec={"schedulingGates": [{"name": "a.b/c"}]}),
    pod("a", spec={"activeDeadlineSeconds": None, "dnsConfig": None, "hostIPC": False}),
    pod("a", containers=[container("a", requests={"cpu": 0.5, "memory": "1Gi", "ephemeral-storage": 1})]),
    of_version(workload("Deployment", "a"), "extensions/v1beta1"),
    cluster_object("Queue", "q", version="scheduling.volcano.sh/v1beta1", spec={"capability": {"cpu": 4}}),
]


@pytest.mark.parametrize("document", RIGHT)
def test_it_is_taken(document: Object) -> None:
    assert fields(document) == []


def test_all_faults_come_at_once() -> None:
    wrong = pod(
        "a", labels={"a": "b c"}, spec={"priority": "high", "nodeselector": {}, "schedulingGates": [{}]},
        containers=[container(requests={"cpu": "a lot"})],
    )  # fmt: skip
    assert sorted(fields(wrong)) == [
        "metadata.labels.a", "spec.containers[0].resources.requests.cpu", "spec.nodeselector",
        "spec.priority", GATE,
    ]  # fmt: skip


def test_the_versions_that_there_are_are_named() -> None:
    [fault] = api_faults(of_version(pod("a"), "v1beta1"))
    assert fault.message == "is none of this kind's: v1"


@for_each(sorted(READ_KINDS - {SCHEDULER_CONFIGURATION} | VOLCANO_KINDS), str)
def test_the_versions_of_every_kind_that_is_read_are_known(kind: Kind) -> None:
    assert versions_of(kind)
