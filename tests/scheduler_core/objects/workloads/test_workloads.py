"""The pods that controllers make, the copies of evicted ones, and whose a pod is."""

from typing import Any

import pytest

from scheduler_core.objects.identity import Owners, comes_back, is_recreated, with_identity
from scheduler_core.objects.workloads.daemons import runs_on
from scheduler_core.objects.workloads.workload_pods import (
    intermediate,
    make_claims,
    make_daemon_pod,
    make_pods,
    recreated_copy,
    selects,
    wanted_replicas,
    with_replicas,
)
from tests.builders import Object, container, node, pod, workload


def names(pods: list[Object]) -> list[str]:
    return [made["metadata"]["name"] for made in pods]


def identified(kind: str, name: str, **parts: Any) -> Object:
    return with_identity(workload(kind, name, **parts))


def pinned_to(made: Object) -> Any:
    required = made["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    return required["nodeSelectorTerms"]


def by_name(node_name: str) -> list[Object]:
    return [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node_name]}]}]


def test_a_deployment_makes_its_pods_through_a_replica_set() -> None:
    deployment = identified("Deployment", "cart", replicas=2)
    replica_set = intermediate(deployment)
    assert replica_set is not None
    digest = replica_set["metadata"]["labels"]["pod-template-hash"]
    assert replica_set["metadata"]["name"] == f"cart-{digest}"
    pods = make_pods(replica_set, 2, set())
    assert names(pods) == [f"cart-{digest}-1", f"cart-{digest}-2"]
    assert pods[0]["metadata"]["labels"] == {"app": "cart", "pod-template-hash": digest}
    assert pods[0]["metadata"]["ownerReferences"][0]["uid"] == replica_set["metadata"]["uid"]
    assert Owners([deployment, replica_set]).workload(pods[0]) == "Deployment/shop/cart"


def test_controllers_that_go_and_come_are_found_as_in_a_cluster_without_and_with_them() -> None:
    deployment = identified("Deployment", "cart")
    replica_set = intermediate(deployment)
    assert replica_set is not None
    (made,) = make_pods(replica_set, 1, set())
    owners = Owners([deployment, replica_set])
    assert owners.workload(made) == "Deployment/shop/cart"
    without = owners.changed([replica_set], [])
    assert without.workload(made) == Owners([deployment]).workload(made) == replica_set_of(made)
    assert without.changed([], [replica_set]).workload(made) == "Deployment/shop/cart"
    another = {**replica_set, "metadata": {**replica_set["metadata"], "uid": "another"}}
    replaced = owners.changed([replica_set], [another])
    assert replaced.workload(made) == replica_set_of(made)
    assert replaced.changed([replica_set], []).workload(made) == replica_set_of(made)
    assert owners.workload(made) == "Deployment/shop/cart"


def replica_set_of(made: Object) -> str:
    return f"ReplicaSet/shop/{made['metadata']['ownerReferences'][0]['name']}"


def test_the_same_workload_always_makes_the_same_pods() -> None:
    def make() -> list[Object]:
        replica_set = intermediate(identified("Deployment", "cart"))
        assert replica_set is not None
        return make_pods(replica_set, 3, set())

    assert make() == make()


def test_another_template_has_another_hash() -> None:
    one = intermediate(identified("Deployment", "cart"))
    other = intermediate(identified("Deployment", "cart", template={"containers": [container("new")]}))
    assert one is not None
    assert other is not None
    assert one["metadata"]["name"] != other["metadata"]["name"]


def test_new_pods_take_names_that_are_free() -> None:
    taken = {"web-1", "web-3"}
    assert names(make_pods(identified("ReplicaSet", "web"), 3, taken)) == ["web-2", "web-4", "web-5"]
    assert "web-5" in taken


def test_pods_of_a_stateful_set_have_ordinals_and_claims() -> None:
    templates = [{"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1Gi"}}}}]
    spec = {"volumeClaimTemplates": templates, "ordinals": {"start": 2}}
    stateful_set = identified("StatefulSet", "db", spec=spec)
    pods = make_pods(stateful_set, 2, {"db-2"})
    assert names(pods) == ["db-3", "db-4"]
    assert pods[0]["metadata"]["labels"]["apps.kubernetes.io/pod-index"] == "3"
    assert pods[0]["spec"]["volumes"] == [
        {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-3"}}
    ]
    (claim,) = make_claims(stateful_set, pods[0])
    assert claim["metadata"]["name"] == "data-db-3"
    assert claim["spec"] == templates[0]["spec"]


def test_a_daemon_pod_is_tied_to_its_node_and_tolerates_node_problems() -> None:
    made = make_daemon_pod(identified("DaemonSet", "proxy"), "one", set())
    assert made["metadata"]["name"] == "proxy-one"
    assert pinned_to(made) == by_name("one")
    assert "nodeName" not in made["spec"]
    keys = {toleration["key"] for toleration in made["spec"]["tolerations"]}
    assert "node.kubernetes.io/unschedulable" in keys
    assert "node.kubernetes.io/network-unavailable" not in keys


@pytest.mark.parametrize(
    ("template", "parts", "answer"),
    [
        ({}, {}, True),
        ({"nodeSelector": {"disk": "ssd"}}, {}, False),
        ({"nodeSelector": {"disk": "ssd"}}, {"labels": {"disk": "ssd"}}, True),
        ({}, {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}, False),
        ({}, {"taints": [{"key": "gpu", "effect": "PreferNoSchedule"}]}, True),
        ({}, {"taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]}, True),
        (
            {"tolerations": [{"key": "gpu", "operator": "Equal", "value": "a"}]},
            {"taints": [{"key": "gpu", "value": "a", "effect": "NoExecute"}]},
            True,
        ),
        ({"nodeName": "other"}, {}, False),
    ],
)
def test_a_daemon_set_runs_where_its_pods_are_let(template: Object, parts: Object, answer: bool) -> None:
    assert runs_on(workload("DaemonSet", "d", template=template), node("one", **parts)) is answer


@pytest.mark.parametrize(
    ("kind", "spec", "number"),
    [
        ("Deployment", {"replicas": None}, 1),
        ("StatefulSet", {"replicas": 0}, 0),
        ("Job", {}, 1),
        ("Job", {"parallelism": 4}, 4),
        ("Job", {"parallelism": 4, "completions": 2}, 2),
        ("Job", {"parallelism": 4, "suspend": True}, 0),
        ("CronJob", {"jobTemplate": {"spec": {"parallelism": 3}}}, 3),
        ("CronJob", {"suspend": True, "jobTemplate": {"spec": {}}}, 0),
    ],
)
def test_a_workload_wants_so_many_pods(kind: str, spec: Object, number: int) -> None:
    assert wanted_replicas(workload(kind, "w", replicas=None, spec=spec)) == number


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicationController", "Job", "CronJob"])
def test_a_scaled_workload_wants_as_many_as_it_was_given(kind: str) -> None:
    assert wanted_replicas(with_replicas(workload(kind, "w"), 7)) == 7


def test_pods_of_an_indexed_job_count_from_zero() -> None:
    job = identified("Job", "sum", spec={"completionMode": "Indexed"})
    pods = make_pods(job, 2, set())
    assert names(pods) == ["sum-0", "sum-1"]
    assert pods[1]["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"] == "1"


def test_a_cron_job_has_its_pods_through_a_job() -> None:
    cron_job = identified("CronJob", "nightly", spec={"jobTemplate": {"spec": {"template": {"spec": {}}}}})
    job = intermediate(cron_job)
    assert job is not None
    (made,) = make_pods(job, 1, set())
    assert names([made]) == ["nightly-1-1"]
    assert Owners([cron_job, job]).workload(made) == "CronJob/shop/nightly"


def test_the_copy_of_an_evicted_pod_is_pending_and_called_after_it() -> None:
    replica_set = identified("ReplicaSet", "web")
    evicted = pod("web-x", namespace="shop", on="one", owner=replica_set, labels={"app": "web"})
    copy = recreated_copy(evicted, 1)
    assert copy["metadata"]["name"] == "web-x-r1"
    assert copy["metadata"]["uid"] != evicted["metadata"]["uid"]
    assert copy["metadata"]["labels"] == {"app": "web"}
    assert copy["metadata"]["ownerReferences"] == evicted["metadata"]["ownerReferences"]
    assert "nodeName" not in copy["spec"]
    assert copy["status"] == {"phase": "Pending"}
    assert evicted["spec"]["nodeName"] == "one"


def test_the_copy_of_a_copy_is_called_after_the_first_pod() -> None:
    evicted = pod("web-x", on="one", owner=identified("ReplicaSet", "web"))
    assert recreated_copy(recreated_copy(evicted, 1), 2)["metadata"]["name"] == "web-x-r2"


def test_a_stateful_sets_pod_keeps_its_name_and_gets_a_new_uid() -> None:
    evicted = pod("db-0", on="one", owner=identified("StatefulSet", "db"))
    copy = recreated_copy(evicted, 1)
    assert copy["metadata"]["name"] == "db-0"
    assert copy["metadata"]["uid"] != evicted["metadata"]["uid"]


def test_daemon_and_mirror_pods_come_back_on_their_node() -> None:
    daemon = pod("proxy-x", on="one", owner=identified("DaemonSet", "proxy"))
    mirror = pod("etcd-one", on="one", annotations={"kubernetes.io/config.mirror": "1"})
    for evicted in (daemon, mirror):
        assert comes_back(evicted)
        assert pinned_to(recreated_copy(evicted, 1)) == by_name("one")
    assert recreated_copy(mirror, 1)["metadata"]["name"] == "etcd-one"


def test_a_bare_pod_does_not_come_back() -> None:
    assert not is_recreated(pod("bare", on="one"))
    assert not comes_back(pod("bare", on="one"))


def test_the_topmost_known_controller_is_named() -> None:
    deployment = identified("Deployment", "cart")
    replica_set = identified("ReplicaSet", "cart-1", owner=deployment)
    made = pod("cart-1-x", namespace="shop", owner=replica_set)
    assert Owners([deployment, replica_set]).workload(made) == "Deployment/shop/cart"
    assert Owners([replica_set]).workload(made) == "Deployment/shop/cart"
    assert Owners([]).workload(made) == "ReplicaSet/shop/cart-1"
    assert Owners([]).workload(pod("bare")) == ""
    assert Owners([node("one")]).workload(pod("etcd", owner=node("one"))) == ""


def test_a_namesake_that_came_later_is_not_the_owner() -> None:
    old = identified("ReplicaSet", "web", uid="old", owner=identified("Deployment", "gone"))
    new = identified("ReplicaSet", "web", uid="new", owner=identified("Deployment", "fresh"))
    assert Owners([new]).workload(pod("web-x", namespace="shop", owner=old)) == "ReplicaSet/shop/web"


def test_owners_in_a_circle_end() -> None:
    one = identified("ReplicaSet", "one", uid="1")
    two = identified("ReplicaSet", "two", uid="2", owner=one)
    one["metadata"]["ownerReferences"] = two["metadata"]["ownerReferences"]
    one["metadata"]["ownerReferences"] = [
        {**one["metadata"]["ownerReferences"][0], "name": "two", "uid": "2"}
    ]
    assert Owners([one, two]).workload(pod("p", namespace="shop", owner=one)).startswith("ReplicaSet/")


def test_a_selector_selects_pods_of_its_namespace_only() -> None:
    deployment = workload("Deployment", "cart")
    assert selects(deployment, pod("a", namespace="shop", labels={"app": "cart"}))
    assert not selects(deployment, pod("a", namespace="other", labels={"app": "cart"}))
    assert not selects(deployment, pod("a", namespace="shop", labels={"app": "web"}))
    controller = workload("ReplicationController", "old", spec={"selector": {"app": "old"}})
    assert selects(controller, pod("a", namespace="shop", labels={"app": "old"}))
