"""What anything reads of an object is checked before: an import takes nothing that fails later."""

from typing import Any

import pytest

from scheduler_core.objects.checks.cluster_checks import check_objects
from tests.builders import Object, cluster_object, container, node, pod, workload

STORAGE = "storage.k8s.io/v1"
POLICY = "policy/v1"


def only(document: Object) -> tuple[str, str]:
    (problem,) = check_objects([document])
    return problem.field, problem.message


def kind(name: str, version: str = "v1", **fields: Any) -> Object:
    return cluster_object(name, "x", version=version, **fields)


def stateful_set(**spec: Any) -> Object:
    document = workload("StatefulSet", "x")
    return {**document, "spec": {**document["spec"], **spec}}


def from_template(**spec: Any) -> Object:
    document = workload("ReplicaSet", "x")
    template = {**document["spec"]["template"], "spec": spec}
    return {**document, "spec": {**document["spec"], "template": template}}


def with_volume(**volume: Any) -> Object:
    return pod("x", spec={"volumes": [{"name": "v", **volume}]})


def quota(**spec: Any) -> Object:
    return kind("ResourceQuota", spec=spec)


def budget(**spec: Any) -> Object:
    return kind("PodDisruptionBudget", POLICY, spec=spec)


def volume(**spec: Any) -> Object:
    return kind("PersistentVolume", spec=spec)


def volume_on(operator: str) -> Object:
    term = {"matchExpressions": [{"key": "zone", "operator": operator, "values": ["a"]}]}
    return volume(nodeAffinity={"required": {"nodeSelectorTerms": [term]}})


def images(size: int) -> Object:
    return node("x") | {"status": {"images": [{"names": ["a"], "sizeBytes": size}]}}


AN_OBJECT = "must be an object, not a whole number"
AN_ARRAY = "must be an array, not a whole number"
TEXT = "must be text, not a whole number"


@pytest.mark.parametrize(
    ("document", "field", "message"),
    [
        (kind("Service", spec=5), "spec", AN_OBJECT),
        (kind("Service", spec={"selector": {"app": 1}}), "spec.selector.app", TEXT),
        (stateful_set(volumeClaimTemplates=5), "spec.volumeClaimTemplates", AN_ARRAY),
        (
            stateful_set(volumeClaimTemplates=[None]),
            "spec.volumeClaimTemplates[0]",
            "must be an object, not nothing",
        ),
        (
            stateful_set(ordinals={"start": "x"}),
            "spec.ordinals.start",
            "must be a whole number, not text",
        ),
        (
            stateful_set(volumeClaimTemplates=[{"spec": {"resources": {"requests": {"storage": "much"}}}}]),
            "spec.volumeClaimTemplates[0].spec.resources.requests.storage",
            "'much' is no quantity",
        ),
        (quota(scopes=5), "spec.scopes", AN_ARRAY),
        (quota(scopeSelector=5), "spec.scopeSelector", AN_OBJECT),
        (
            quota(scopeSelector={"matchExpressions": [None]}),
            "spec.scopeSelector.matchExpressions[0]",
            "must be an object, not nothing",
        ),
        (
            quota(scopeSelector={"matchExpressions": [{"scopeName": "PriorityClass", "values": True}]}),
            "spec.scopeSelector.matchExpressions[0].values",
            "must be an array, not true or false",
        ),
        (
            budget(minAvailable={"a": 1}),
            "spec.minAvailable",
            "must be a whole number or text, not an object",
        ),
        (
            budget(maxUnavailable=1.5),
            "spec.maxUnavailable",
            "must be a whole number or text, not a fraction",
        ),
        (
            budget(minAvailable="9" * 5000 + "%"),
            "spec.minAvailable",
            "must be a whole number or a percentage up to 100%",
        ),
        (budget(maxUnavailable=-1), "spec.maxUnavailable", "must be between 0 and"),
        (from_template(runtimeClassName=[5]), "spec.template.spec.runtimeClassName", "must be text"),
        (
            with_volume(awsElasticBlockStore={"volumeID": 5}),
            "spec.volumes[0].awsElasticBlockStore.volumeID",
            TEXT,
        ),
        (with_volume(cinder={"volumeID": [5]}), "spec.volumes[0].cinder.volumeID", "must be text"),
        (with_volume(rbd={"monitors": [[]]}), "spec.volumes[0].rbd.monitors[0]", "must be text"),
        (
            with_volume(ephemeral={"volumeClaimTemplate": 5}),
            "spec.volumes[0].ephemeral.volumeClaimTemplate",
            AN_OBJECT,
        ),
        (
            pod("x", spec={"tolerations": [{"operator": "Exists", "tolerationSeconds": "5"}]}),
            "spec.tolerations[0].tolerationSeconds",
            "must be a whole number, not text",
        ),
        (pod("x", spec={"priority": 1.5}), "spec.priority", "must be a whole number, not a fraction"),
        (
            node("x") | {"status": {"allocatable": {"cpu": True}}},
            "status.allocatable.cpu",
            "must be a quantity, not true or false",
        ),
        (images(10**30), "status.images[0].sizeBytes", "must be between -9223372036854775808 and"),
        (volume(nodeAffinity=5), "spec.nodeAffinity", AN_OBJECT),
        (volume(claimRef=[]), "spec.claimRef", "must be an object, not an array"),
        (volume(csi="x"), "spec.csi", "must be an object, not text"),
        (volume(azureDisk={"diskURI": 5}), "spec.azureDisk.diskURI", TEXT),
        (kind("PersistentVolume", status=5), "status", AN_OBJECT),
        (
            volume_on("Foo"),
            "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].operator",
            "must be one of In, NotIn",
        ),
        (
            kind("PersistentVolumeClaim", spec={"selector": []}),
            "spec.selector",
            "must be an object, not an array",
        ),
        (kind("StorageClass", STORAGE, allowedTopologies=5), "allowedTopologies", AN_ARRAY),
        (kind("CSINode", STORAGE, spec={"drivers": [{"name": 5}]}), "spec.drivers[0].name", TEXT),
        (
            kind("CSINode", STORAGE, spec={"drivers": [{"name": "d", "allocatable": {"count": 2**63}}]}),
            "spec.drivers[0].allocatable.count",
            "must be between 0 and",
        ),
        (kind("CSIDriver", STORAGE, spec=5), "spec", AN_OBJECT),
        (kind("CSIStorageCapacity", STORAGE, capacity="much"), "capacity", "'much' is no quantity"),
        (kind("CSIStorageCapacity", STORAGE, nodeTopology=5), "nodeTopology", AN_OBJECT),
        (kind("VolumeAttachment", STORAGE, spec={"source": 5}), "spec.source", AN_OBJECT),
        (kind("DeviceClass", "resource.k8s.io/v1", spec=5), "spec", AN_OBJECT),
        (workload("Deployment", "x") | {"status": "x"}, "status", "must be an object, not text"),
        (kind("CronJob", "batch/v1", status="x"), "status", "must be an object, not text"),
        (
            kind("Job", "batch/v1", status={"active": []}),
            "status.active",
            "must be a whole number, not an array",
        ),
        (
            {
                "apiVersion": "example.org/v1",
                "kind": "Strange",
                "metadata": {"name": "x", "ownerReferences": 5},
            },
            "metadata.ownerReferences",
            AN_ARRAY,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else None,
)
def test_a_wrong_type_is_named_with_its_whole_path(document: Object, field: str, message: str) -> None:
    found, said = only(document)
    assert found == field
    assert said.startswith(message)


@pytest.mark.parametrize("spec", [{"minAvailable": 2}, {"minAvailable": "50%"}, {"maxUnavailable": "0%"}])
def test_numbers_and_percentages_are_what_a_budget_may_have(spec: Object) -> None:
    assert check_objects([budget(**spec)]) == []


def test_a_null_label_in_a_selector_counts_as_absent() -> None:
    assert check_objects([budget(selector={"matchLabels": {"app": None}})]) == []


@pytest.mark.parametrize(
    ("status", "field"),
    [
        ({"allocatedResources": {"cpu": "text"}}, "status.allocatedResources.cpu"),
        ({"allocatedResources": {"cpu": "-1"}}, "status.allocatedResources.cpu"),
        ({"resources": {"requests": {"cpu": "text"}}}, "status.resources.requests.cpu"),
        ({"resources": {"requests": {"cpu": -1}}}, "status.resources.requests.cpu"),
    ],
)
def test_the_resources_of_a_pod_as_a_whole_are_checked_in_its_status(status: Object, field: str) -> None:
    assert only(pod("x", on="n") | {"status": status})[0] == field


def asking(**requests: str) -> Object:
    return container(requests=requests)


LARGE = asking(memory="5E")


@pytest.mark.parametrize("amount", ["1E", "9223372036854776", "1e30", "8Ei"])
def test_amounts_that_64_bits_cannot_hold_are_taken_as_an_api_server_takes_them(amount: str) -> None:
    large = pod(
        "x", spec={"containers": [LARGE, asking(memory=amount, cpu=amount)], "overhead": {"cpu": amount}}
    )
    assert check_objects([large, node("n", cpu=amount)]) == []


NUL = "must not contain the character U+0000"


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (kind("Strange", "example.org/v1", spec={"list": ["a", {"b": "x\0"}]}), "spec.list[1].b"),
        (kind("Strange", "example.org/v1", spec={"a\0": 1}), "spec"),
        (kind("ConfigMap") | {"metadata": {"name": "a\0b"}}, "metadata.name"),
        (
            kind("Deployment", "apps/v1") | {"metadata": {"name": "a", "namespace": "\0"}},
            "metadata.namespace",
        ),
        ({"apiVersion": "v1", "kind": "No\0de", "metadata": {}}, "kind"),
    ],
)
def test_no_text_may_contain_what_a_database_cannot_hold(document: Object, field: str) -> None:
    (problem,) = check_objects([document])
    assert (problem.field, problem.message) == (field, NUL)
    assert "\0" not in problem.object


def test_an_escaped_backslash_is_not_taken_for_it() -> None:
    assert check_objects([kind("Strange", "example.org/v1", spec="\\u0000")]) == []


@pytest.mark.parametrize("name", ["Strange", "ConfigMap", "Deployment"])
def test_names_of_any_kind_have_a_length(name: str) -> None:
    version = "apps/v1" if name == "Deployment" else "v1"
    long_name = kind(name, version) | {"metadata": {"name": "a" * 254}}
    assert only(long_name) == ("metadata.name", "must be a name of 1 to 253 characters")
    long_space = kind(name, version) | {"metadata": {"name": "a", "namespace": "a" * 64}}
    assert only(long_space) == ("metadata.namespace", "must be at most 63 characters")


def test_a_phase_that_does_not_exist_and_a_priority_beyond_int32_are_refused() -> None:
    assert only(pod("x") | {"status": {"phase": "a" * 300}})[0] == "status.phase"
    assert only(pod("x", spec={"priority": 2**31}))[0] == "spec.priority"
