"""Admission: what an API server does to an object before it stores it, and what it refuses."""

import copy
from typing import Any

import pytest

from scheduler_core.objects.api_server.admission import Admission, Admitted, admit_imported
from scheduler_core.objects.api_server.runtime_classes import merge_tolerations
from tests.builders import Object, cluster_object, container, manifest, node, pod

CLASSES = "scheduling.k8s.io/v1"


def priority_class(name: str, value: int, **fields: Any) -> Object:
    return cluster_object("PriorityClass", name, version=CLASSES, value=value, **fields)


def limit_range(**item: Any) -> Object:
    return cluster_object(
        "LimitRange", "range", namespace="default", spec={"limits": [{"type": "Container", **item}]}
    )


def quota(hard: Object, **parts: Any) -> Object:
    status = parts.pop("status", {})
    return cluster_object(
        "ResourceQuota", "quota", namespace="default", spec={"hard": hard, **parts}, status=status
    )


def admit(written: Object, *objects: Object) -> Admitted:
    return Admission(objects).admit(written)


def spec_of(answer: Admitted) -> Any:
    return answer.document["spec"]


def reasons(answer: Admitted) -> list[tuple[str, str]]:
    return [(problem.field, problem.message) for problem in answer.problems]


def test_a_plain_pod_gets_the_defaults_and_each_is_said() -> None:
    answer = admit(manifest("web"))
    assert answer.problems == []
    assert answer.document["metadata"]["namespace"] == "default"
    assert answer.document["metadata"]["uid"]
    assert answer.document["status"] == {"phase": "Pending"}
    assert spec_of(answer)["schedulerName"] == "default-scheduler"
    assert spec_of(answer)["priority"] == 0
    assert spec_of(answer)["preemptionPolicy"] == "PreemptLowerPriority"
    said = " / ".join(answer.changes)
    for word in ("namespace default", "schedulerName default-scheduler", "priority 0", "300 s"):
        assert word in said


def test_the_given_manifest_is_never_changed() -> None:
    written = manifest("web", containers=[container(limits={"cpu": "1"})])
    before = copy.deepcopy(written)
    admit(written, limit_range(default={"memory": "1Gi"}))
    assert written == before


def test_missing_requests_are_taken_from_limits() -> None:
    answer = admit(
        manifest("web", containers=[container(limits={"cpu": "1", "memory": "1Gi"}, requests={"cpu": "1m"})])
    )
    assert spec_of(answer)["containers"][0]["resources"]["requests"] == {"cpu": "1m", "memory": "1Gi"}
    assert "container app: requests memory 1Gi from its limits" in answer.changes


def test_pod_level_requests_come_from_the_containers_or_the_limits() -> None:
    written = manifest("web", containers=[container(requests={"cpu": "250m"})])
    written["spec"]["resources"] = {"limits": {"cpu": "1", "memory": "1Gi"}}
    answer = admit(written)
    assert spec_of(answer)["resources"]["requests"] == {"cpu": "250m", "memory": "1Gi"}


def test_ports_of_a_pod_on_the_host_network_are_host_ports() -> None:
    written = manifest(
        "web", containers=[{**container(), "ports": [{"containerPort": 80}]}], spec={"hostNetwork": True}
    )
    assert spec_of(admit(written))["containers"][0]["ports"][0]["hostPort"] == 80


def test_the_priority_is_that_of_the_class() -> None:
    high = priority_class("high", 1000, preemptionPolicy="Never")
    answer = admit(manifest("web", spec={"priorityClassName": "high"}), high)
    assert (spec_of(answer)["priority"], spec_of(answer)["preemptionPolicy"]) == (1000, "Never")
    assert "priority 1000 by PriorityClass high" in answer.changes


def test_the_global_default_class_counts_where_none_is_named() -> None:
    classes = [priority_class("b", 20, globalDefault=True), priority_class("a", 10, globalDefault=True)]
    answer = admit(manifest("web"), *classes)
    assert (spec_of(answer)["priorityClassName"], spec_of(answer)["priority"]) == ("a", 10)


@pytest.mark.parametrize(
    ("name", "value"), [("system-node-critical", 2_000_001_000), ("system-cluster-critical", 2_000_000_000)]
)
def test_the_system_classes_are_always_there(name: str, value: int) -> None:
    assert spec_of(admit(manifest("web", spec={"priorityClassName": name})))["priority"] == value


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"priorityClassName": "nope"}, "spec.priorityClassName"),
        ({"priority": 7}, "spec.priority"),
        ({"preemptionPolicy": "Never"}, "spec.preemptionPolicy"),
        ({"runtimeClassName": "nope"}, "spec.runtimeClassName"),
        ({"overhead": {"cpu": "1"}}, "spec.overhead"),
        ({"containers": []}, "spec.containers"),
    ],
)
def test_what_an_api_server_refuses_is_refused(spec: Object, field: str) -> None:
    written = manifest("web")
    written["spec"].update(spec)
    ((found, _),) = reasons(admit(written))
    assert found == field


@pytest.mark.parametrize(
    ("resources", "field", "word"),
    [
        ({"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}, "requests.cpu", "greater"),
        ({"requests": {"nvidia.com/gpu": "1"}}, "limits.nvidia.com/gpu", "equal"),
        ({"limits": {"nvidia.com/gpu": "500m"}}, "requests.nvidia.com/gpu", "whole"),
        (
            {"requests": {"cpu": "1", "hugepages-2Mi": "2Mi"}, "limits": {"hugepages-2Mi": "4Mi"}},
            "requests.hugepages-2Mi",
            "equal",
        ),
    ],
)  # fmt: skip
def test_requests_must_fit_limits(resources: Object, field: str, word: str) -> None:
    ((found, message),) = reasons(admit(manifest("web", containers=[container(**resources)])))
    assert found == f"spec.containers[0].resources.{field}"
    assert word in message


def test_tolerations_of_sick_nodes_are_added_unless_they_are_there() -> None:
    own = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
    answer = admit(manifest("web", spec={"tolerations": [own]}))
    assert [toleration["key"] for toleration in spec_of(answer)["tolerations"]] == [
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
    ]
    everything = {"operator": "Exists"}
    assert spec_of(admit(manifest("web", spec={"tolerations": [everything]})))["tolerations"] == [everything]


def test_a_runtime_class_adds_overhead_selector_and_tolerations() -> None:
    sandbox = cluster_object(
        "RuntimeClass",
        "sandbox",
        version="node.k8s.io/v1",
        overhead={"podFixed": {"cpu": "250m"}},
        scheduling={
            "nodeSelector": {"sandbox": "yes"},
            "tolerations": [{"key": "sandbox", "operator": "Exists"}],
        },
    )
    answer = admit(manifest("web", spec={"runtimeClassName": "sandbox"}), sandbox)
    assert spec_of(answer)["overhead"] == {"cpu": "250m"}
    assert spec_of(answer)["nodeSelector"] == {"sandbox": "yes"}
    assert {"key": "sandbox", "operator": "Exists"} in spec_of(answer)["tolerations"]
    clash = manifest("web", spec={"runtimeClassName": "sandbox", "nodeSelector": {"sandbox": "no"}})
    assert reasons(admit(clash, sandbox))[0][0] == "spec.nodeSelector.sandbox"


def test_tolerations_that_another_covers_are_merged_away() -> None:
    wide = {"key": "a", "operator": "Exists"}
    narrow = {"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"}
    assert merge_tolerations([narrow, wide, wide]) == [wide]
    assert merge_tolerations([narrow]) == [narrow]


def test_label_keys_are_merged_into_selectors() -> None:
    term = {
        "topologyKey": "zone",
        "labelSelector": {"matchLabels": {"app": "web"}},
        "matchLabelKeys": ["version", "absent"],
        "mismatchLabelKeys": ["tenant"],
    }
    spread = {"topologyKey": "zone", "maxSkew": 1, "labelSelector": {}, "matchLabelKeys": ["version"]}
    spec = {
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}},
        "topologySpreadConstraints": [spread],
    }
    answer = admit(manifest("web", labels={"version": "2", "tenant": "a"}, spec=spec))
    merged = spec_of(answer)["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        0
    ]
    assert merged["labelSelector"]["matchExpressions"] == [
        {"key": "version", "operator": "In", "values": ["2"]},
        {"key": "tenant", "operator": "NotIn", "values": ["a"]},
    ]
    constraint = spec_of(answer)["topologySpreadConstraints"][0]
    assert constraint["labelSelector"]["matchExpressions"] == [
        {"key": "version", "operator": "In", "values": ["2"]}
    ]


def test_a_limit_range_gives_defaults() -> None:
    answer = admit(manifest("web"), limit_range(default={"cpu": "500m"}, defaultRequest={"cpu": "100m"}))
    assert spec_of(answer)["containers"][0]["resources"] == {
        "limits": {"cpu": "500m"},
        "requests": {"cpu": "100m"},
    }
    assert "container app: limits cpu 500m by LimitRange range" in answer.changes


def test_a_maximum_is_the_default_limit_and_a_minimum_the_default_request() -> None:
    answer = admit(manifest("web"), limit_range(max={"cpu": "2"}, min={"memory": "64Mi"}))
    assert spec_of(answer)["containers"][0]["resources"] == {
        "limits": {"cpu": "2"},
        "requests": {"cpu": "2", "memory": "64Mi"},
    }


@pytest.mark.parametrize(
    ("item", "resources", "message"),
    [
        (
            {"max": {"cpu": "1"}},
            {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}},
            "maximum cpu usage per Container is 1, but limit is 2",
        ),
        (
            {"min": {"cpu": "200m"}},
            {"requests": {"cpu": "100m"}},
            "minimum cpu usage per Container is 200m, but request is 100m",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            {"requests": {"cpu": "100m"}, "limits": {"cpu": "500m"}},
            "cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            {},
            "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
        (
            {"type": "Pod", "max": {"memory": "1Gi"}},
            {"requests": {"memory": "2Gi"}, "limits": {"memory": "2Gi"}},
            "maximum memory usage per Pod is 1Gi, but limit is 2Gi",
        ),
    ],
)
def test_a_limit_range_refuses_in_the_api_servers_words(
    item: Object, resources: Object, message: str
) -> None:
    answer = admit(manifest("web", containers=[container(**resources)]), limit_range(**item))
    whom = "" if item.get("type") == "Pod" else ", container app"
    assert ("", f"{message} (LimitRange range{whom})") in reasons(answer)


def test_a_limit_range_names_all_containers_of_a_fault_once() -> None:
    small = {"requests": {"cpu": "100m"}}
    pair = [{**container(**small), "name": name} for name in ("app", "proxy")]
    answer = admit(manifest("web", containers=pair), limit_range(min={"cpu": "200m"}))
    assert reasons(answer) == [
        (
            "",
            "minimum cpu usage per Container is 200m, but request is 100m "
            "(LimitRange range, containers app, proxy)",
        )
    ]


def test_a_request_above_a_limit_range_s_default_limit_says_whose_limit_it_is() -> None:
    asks = manifest("web", containers=[container(requests={"memory": "1Gi"})])
    [(field, message)] = reasons(admit(asks, limit_range(default={"memory": "512Mi"})))
    assert field == "spec.containers[0].resources.requests.memory"
    assert message == (
        "must not be greater than the limit of 512Mi, the default of LimitRange range for container app"
    )
    own = container(requests={"memory": "1Gi"}, limits={"memory": "512Mi"})
    [(_, message)] = reasons(admit(manifest("web", containers=[own]), limit_range(default={"memory": "2Gi"})))
    assert message == "must not be greater than the limit of 512Mi"


def test_a_quota_counts_what_it_admits_and_refuses_the_rest() -> None:
    admission = Admission([quota({"pods": "3", "requests.cpu": "1"}), pod("old", on="n")])
    written = manifest("a", containers=[container(requests={"cpu": "400m"})])
    assert admission.admit_pod(written).quota_refusals == []
    assert (
        admission.admit_pod(manifest("b", containers=[container(requests={"cpu": "400m"})])).quota_refusals
        == []
    )
    assert admission.admit_pod(
        manifest("c", containers=[container(requests={"cpu": "400m"})])
    ).quota_refusals == [
        "exceeded quota: quota, requested: pods=1,requests.cpu=400m, "
        "used: pods=3,requests.cpu=800m, limited: pods=3,requests.cpu=1"
    ]


def test_a_pod_that_is_gone_makes_room_in_the_quota() -> None:
    old = pod("old", on="n")
    admission = Admission([quota({"pods": "1"}), old])
    assert admission.admit_pod(manifest("a")).quota_refusals
    admission.release(old)
    assert not admission.admit_pod(manifest("a")).quota_refusals


def test_the_quota_status_says_what_is_used() -> None:
    full = quota({"pods": "10"}, status={"hard": {"pods": "10"}, "used": {"pods": "10"}})
    assert admit(manifest("a"), full).quota_refusals


def test_a_quota_on_cpu_demands_that_cpu_is_given() -> None:
    answer = admit(manifest("a"), quota({"limits.cpu": "10", "cpu": "10"}))
    assert answer.quota_refusals == ["failed quota: quota: must specify cpu for: app; limits.cpu for: app"]


@pytest.mark.parametrize(
    ("parts", "spec", "counts"),
    [
        ({"scopes": ["BestEffort"]}, {}, True),
        ({"scopes": ["NotBestEffort"]}, {}, False),
        ({"scopes": ["Terminating"]}, {"activeDeadlineSeconds": 5}, True),
        ({"scopes": ["NotTerminating"]}, {"activeDeadlineSeconds": 5}, False),
        (
            {
                "scopeSelector": {
                    "matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]
                }
            },
            {"priorityClassName": "high"},
            True,
        ),
        (
            {
                "scopeSelector": {
                    "matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]
                }
            },
            {},
            False,
        ),
    ],
)
def test_a_quota_with_scopes_counts_only_those_pods(parts: Object, spec: Object, counts: bool) -> None:
    answer = admit(manifest("a", spec=spec), quota({"pods": "0"}, **parts), priority_class("high", 1))
    assert bool(answer.quota_refusals) is counts


def test_a_node_gets_allocatable_and_host_name() -> None:
    written = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n"},
        "status": {"capacity": {"cpu": "4"}},
    }
    answer = admit(written)
    assert answer.document["status"]["allocatable"] == {"cpu": "4"}
    assert answer.document["metadata"]["labels"] == {"kubernetes.io/hostname": "n"}
    assert len(answer.changes) == 2


def test_imported_pods_with_a_uid_are_taken_as_they_stand() -> None:
    objects = [node("n"), pod("a", on="n", spec={"priorityClassName": "unknown", "priority": 7})]
    same, changes, problems = admit_imported(objects)
    assert same is objects
    assert (changes, problems) == ([], [])


def test_imported_manifests_pass_admission_but_keep_what_they_say() -> None:
    written = manifest("a", spec={"priority": 7, "nodeName": "n"})
    written["status"] = {"phase": "Running"}
    objects, changes, problems = admit_imported([pod("b"), written, quota({"pods": "0"})])
    assert problems == []
    assert objects[0] == pod("b")
    assert objects[1]["spec"]["priority"] == 7
    assert objects[1]["spec"]["schedulerName"] == "default-scheduler"
    assert objects[1]["status"] == {"phase": "Running"}
    assert objects[1]["metadata"]["uid"]
    assert all(change.startswith("Pod default/a: ") for change in changes)


def test_an_imported_manifest_of_an_unknown_class_is_refused() -> None:
    _, _, problems = admit_imported([manifest("a", spec={"priorityClassName": "nope"})])
    assert [(problem.object, problem.field) for problem in problems] == [
        ("Pod default/a", "spec.priorityClassName")
    ]
