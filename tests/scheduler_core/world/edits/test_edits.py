"""Edits: what each does to the cluster, in objects and in words, and how a faulty one is refused."""

import copy
from typing import Any

import pytest

from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.identity import Owners, with_identity
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.edits import Applied, apply_edits
from scheduler_core.world.edits.merge_patch import merge_patch
from scheduler_core.world.edits.ranking import first_to_go
from tests.builders import Object, cluster_object, container, manifest, node, pod, workload

READY = {"type": "Ready", "status": "True"}


def apply(objects: list[Object], *edits: Object, **options: Any) -> Applied:
    """Apply the edits and make sure that the given objects stay as they were."""
    before = copy.deepcopy(objects)
    applied = apply_edits(objects, list(edits), **options)
    assert objects == before
    return applied


def faults(objects: list[Object], *edits: Any, **options: Any) -> list[tuple[str, str, str]]:
    with pytest.raises(BadInput) as refused:
        apply_edits(objects, list(edits), **options)
    return [(problem.object, problem.field, problem.message) for problem in refused.value.problems]


NAMED: Object = {"name": "a", "namespace": "shop"}


def names(applied: Applied, kind: str = "Pod") -> list[str]:
    return [found["metadata"]["name"] for found in applied.objects if found["kind"] == kind]


def find(applied: Applied, kind: str, name: str) -> Any:
    (found,) = [item for item in applied.objects if (item["kind"], item["metadata"]["name"]) == (kind, name)]
    return found


def add(written: Any, **fields: Any) -> Object:
    return {"op": "add", "manifest": written, **fields}


def scale(kind: str, name: str, replicas: int) -> Object:
    return {"op": "scale", "kind": kind, "namespace": "shop", "name": name, "replicas": replicas}


def patch(kind: str, name: str, change: Object, **fields: Any) -> Object:
    return {"op": "patch", "kind": kind, "name": name, "patch": change, **fields}


def web(*pods: Object, replicas: int | None = None) -> list[Object]:
    """ReplicaSet shop/web with pods of these."""
    owner = with_identity(workload("ReplicaSet", "web", replicas=len(pods) if replicas is None else replicas))
    return [owner, *(owned(owner, item) for item in pods)]


def owned(owner: Object, item: Object) -> Object:
    reference = {"kind": owner["kind"], "name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"]}
    metadata = {**item["metadata"], "ownerReferences": [{**reference, "controller": True}]}
    return {**item, "metadata": metadata}


def running(name: str, on: str = "one", **parts: Any) -> Object:
    status = {"phase": "Running", "conditions": [{**READY, **parts.pop("ready", {})}]}
    return pod(name, namespace="shop", on=on, status=status, labels={"app": "web"}, **parts)


# -- add


def test_without_edits_the_objects_are_passed_on() -> None:
    objects = [node("one")]
    applied = apply_edits(objects, [])
    assert (applied.objects, applied.results, applied.evictions) == (objects, [], [])
    assert not applied.timeline


def test_an_added_pod_is_admitted_and_stands_at_the_end() -> None:
    applied = apply([node("one")], add(manifest("web")))
    assert applied.objects[-1]["spec"]["schedulerName"] == "default-scheduler"
    assert applied.results[0].sentence == "add Pod default/web"
    assert "schedulerName default-scheduler" in applied.results[0].changes


def test_an_added_deployment_becomes_its_pods() -> None:
    applied = apply([node("one")], add(workload("Deployment", "cart", replicas=8)))
    assert applied.results[0].sentence == "add Deployment shop/cart: 8 pods"
    pods = [found for found in applied.objects if found["kind"] == "Pod"]
    owners = Owners(applied.objects)
    assert [owners.workload(made) for made in pods] == ["Deployment/shop/cart"] * 8
    assert len({made["metadata"]["uid"] for made in pods}) == 8


def test_replicas_override_those_of_the_manifest() -> None:
    applied = apply([], add(workload("Deployment", "cart", replicas=8), replicas=2))
    assert len(names(applied)) == 2
    assert find(applied, "Deployment", "cart")["spec"]["replicas"] == 2


def test_replicas_of_a_bare_pod_are_numbered_copies() -> None:
    applied = apply([pod("w-2")], add(manifest("w"), replicas=3))
    assert names(applied) == ["w-2", "w-1", "w-3", "w-4"]


def test_an_added_daemon_set_has_a_pod_on_each_node_that_lets_it() -> None:
    nodes = [node("one"), node("two", taints=[{"key": "gpu", "effect": "NoSchedule"}]), node("three")]
    applied = apply(nodes, add(workload("DaemonSet", "proxy")))
    assert names(applied) == ["proxy-one", "proxy-three"]


def test_an_added_node_gets_its_daemon_pods() -> None:
    daemon_set = with_identity(workload("DaemonSet", "proxy"))
    applied = apply([daemon_set], add(node("new")))
    assert names(applied) == ["proxy-new"]
    assert "DaemonSet shop/proxy makes a pod for new" in applied.results[0].changes


def test_an_added_stateful_set_has_claims_of_the_default_class() -> None:
    default = {"storageclass.kubernetes.io/is-default-class": "true"}
    storage_class = cluster_object("StorageClass", "fast", version="storage.k8s.io/v1", provisioner="x")
    storage_class["metadata"]["annotations"] = default
    asks = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    templates = [{"metadata": {"name": "data"}, "spec": asks}]
    written = workload("StatefulSet", "db", replicas=2, spec={"volumeClaimTemplates": templates})
    applied = apply([storage_class], add(written))
    assert names(applied, "PersistentVolumeClaim") == ["data-db-0", "data-db-1"]
    assert find(applied, "PersistentVolumeClaim", "data-db-0")["spec"]["storageClassName"] == "fast"


def test_yaml_with_several_documents_adds_them_all_in_order() -> None:
    text = (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 9\n---\n"
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
        "spec: {priorityClassName: high, containers: [{name: c, image: c}]}\n"
    )
    applied = apply([], add(text))
    assert find(applied, "Pod", "a")["spec"]["priority"] == 9
    assert applied.results[0].sentence == "add PriorityClass high, Pod default/a"


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (6, "add Node n0, Node n1, Node n2, Node n3, Node n4, Node n5"),
        (1500, "add Node n0, Node n1, Node n2, Node n3, Node n4 and 1,495 more"),
    ],
)
def test_of_very_many_added_objects_only_the_first_are_named(number: int, sentence: str) -> None:
    items = [node(f"n{index}") for index in range(number)]
    applied = apply([], add({"apiVersion": "v1", "kind": "List", "items": items}))
    assert applied.results[0].sentence == sentence


def test_a_kind_of_another_project_is_added_as_what_it_is_and_said_not_to_be_read() -> None:
    job = cluster_object("Job", "train", version="batch.example.com/v1", spec={"tasks": []})
    disks = cluster_object("Node", "a", version="longhorn.io/v1beta2", spec={"disks": []})
    added = {"apiVersion": "v1", "kind": "List", "items": [job, disks, node("a")]}
    applied = apply([], add(added))
    assert [item["apiVersion"] for item in applied.objects] == [job["apiVersion"], disks["apiVersion"], "v1"]
    assert applied.results[0].sentence == "add Job.batch.example.com train, Node.longhorn.io a, Node a"
    assert applied.results[0].changes == [
        "no scheduler reads Job.batch.example.com train",
        "no scheduler reads Node.longhorn.io a",
    ]


TRAIN = [
    workload("Job", "train", uid="ours"),
    cluster_object("Job", "train", namespace="shop", version="batch.volcano.sh/v1alpha1"),
]


def test_an_edit_means_the_kind_that_is_read_unless_it_says_a_group() -> None:
    ours, theirs = TRAIN
    delete = {"op": "delete", "kind": "Job", "namespace": "shop", "name": "train"}
    assert apply(TRAIN, delete).objects == [theirs]
    volcano = {**delete, "kind": "Job.batch.volcano.sh"}
    applied = apply(TRAIN, volcano)
    assert applied.objects == [ours]
    assert applied.results[0].sentence == "delete Job.batch.volcano.sh shop/train"
    assert faults([theirs], delete)[0][2] == "there is no Job train in namespace shop"
    scaled = {**volcano, "op": "scale", "replicas": 2}
    assert faults(TRAIN, scaled)[0][1:] == (
        "kind",
        "must be one of Deployment, ReplicaSet, ReplicationController, StatefulSet, Job,"
        " not Job.batch.volcano.sh",
    )


def test_a_kind_that_several_groups_have_must_be_named_with_its_group() -> None:
    groups = [
        cluster_object("PodGroup", "train", namespace="ml", version=f"{group}/v1beta1")
        for group in ("scheduling.volcano.sh", "scheduling.x-k8s.io")
    ]
    delete = {"op": "delete", "kind": "PodGroup", "namespace": "ml", "name": "train"}
    assert apply(groups[:1], delete).objects == []
    assert faults(groups, delete)[0][1:] == (
        "kind",
        "PodGroup may be PodGroup.scheduling.volcano.sh or PodGroup.scheduling.x-k8s.io; write which",
    )
    assert apply(groups, {**delete, "kind": "PodGroup.scheduling.x-k8s.io"}).objects == groups[:1]


def test_a_job_of_another_group_keeps_its_pods_when_its_namesake_goes() -> None:
    ours, theirs = TRAIN
    mine, its = (pod(name, namespace="shop", owner=job) for name, job in (("a", ours), ("b", theirs)))
    delete = {"op": "delete", "kind": "Job", "namespace": "shop", "name": "train"}
    assert names(apply([ours, theirs, mine, its], delete)) == ["b"]


def test_pods_that_a_quota_refuses_are_said_not_hidden() -> None:
    quota = cluster_object("ResourceQuota", "q", namespace="shop", spec={"hard": {"pods": "3"}})
    applied = apply([quota], add(workload("Deployment", "cart", replicas=5)))
    assert len(names(applied)) == 3
    assert applied.results[0].sentence == "add Deployment shop/cart: 3 pods"
    assert applied.results[0].problems[0].startswith("2 of 5 pods not created: exceeded quota: q")


@pytest.mark.parametrize(
    ("edit", "field", "word"),
    [
        (add("a: ["), "manifest", "not readable"),
        (add(""), "manifest", "nothing in it"),
        (add({"kind": "List", "apiVersion": "v1", "items": []}), "manifest", "no objects"),
        (
            add(manifest("a", containers=[container(requests={"cpu": "x"})])),
            "manifest.spec.containers[0].resources.requests.cpu",
            "no quantity",
        ),
        (
            add(manifest("a", spec={"priorityClassName": "x"})),
            "manifest.spec.priorityClassName",
            "no PriorityClass",
        ),
        (
            add(workload("Deployment", "d", template={"priorityClassName": "x"})),
            "manifest.spec.template.spec.priorityClassName",
            "no PriorityClass",
        ),
        (
            add(workload("Deployment", "d", spec={"selector": {"matchLabels": {"app": "other"}}})),
            "manifest.spec.selector",
            "does not match",
        ),
        (add(workload("DaemonSet", "d"), replicas=2), "replicas", "one pod a node"),
        (add(node("two"), replicas=2), "replicas", "pods and workloads"),
        (add(manifest("a"), replicas=-1), "replicas", "between"),
        (add(3), "manifest", "must be"),
    ],
)
def test_a_faulty_addition_is_refused_by_field(edit: Object, field: str, word: str) -> None:
    ((place, found, message),) = faults([node("one")], edit)
    assert (place, found) == ("edits[0]", field)
    assert word in message


def test_more_pods_than_the_limit_are_refused() -> None:
    ((_, field, message),) = faults(
        [], add(workload("Deployment", "d", replicas=5)), limits=Limits(nodes=1, pods=4)
    )
    assert field == "manifest.spec.replicas"
    assert "limit of 4" in message


# -- add what is there


def test_what_is_there_as_the_manifest_says_is_left_as_it_is() -> None:
    one = node("one")
    objects = [one, cluster_object("Namespace", "shop")]
    applied = apply(objects, add({"kind": "List", "items": [*objects, node("two")]}))
    assert applied.objects == [*objects, find(applied, "Node", "two")]
    assert applied.results[0].sentence == "add Node two; leave Node one, Namespace shop as it is"


def test_a_manifest_that_is_added_twice_changes_nothing_the_second_time() -> None:
    written = workload("Deployment", "cart", replicas=3)
    once = apply([node("one")], add(written))
    twice = apply([node("one")], add(written), add(written))
    assert twice.objects == once.objects
    assert twice.results[1].sentence == "leave Deployment shop/cart as it is"


def test_other_ways_to_write_an_amount_change_nothing() -> None:
    present = apply([], add(manifest("a", containers=[container(requests={"cpu": "1", "memory": "1Gi"})])))
    again = manifest("a", containers=[container(requests={"cpu": "1000m", "memory": "1024Mi"})])
    again["metadata"]["creationTimestamp"] = None
    again["status"] = {}
    assert apply(present.objects, add(again)).objects == present.objects


def test_a_changed_manifest_is_applied_and_what_it_does_not_name_stays() -> None:
    objects = apply([node("one")], add(workload("Deployment", "cart", replicas=3))).objects
    find(apply(objects), "Deployment", "cart")["metadata"]["labels"] = {"team": "a"}
    wanted = workload("Deployment", "cart", replicas=5)
    applied = apply(objects, add(wanted))
    assert applied.results[0].sentence == "apply Deployment shop/cart"
    assert len(names(applied)) == 5
    changed = find(applied, "Deployment", "cart")
    assert (changed["spec"]["replicas"], changed["metadata"]["labels"]) == (5, {"team": "a"})
    assert changed["metadata"]["uid"] == find(apply(objects), "Deployment", "cart")["metadata"]["uid"]
    fewer = apply(objects, add(workload("Deployment", "cart"), replicas=1))
    assert len(names(fewer)) == 1


def test_containers_are_applied_by_name_and_other_lists_are_replaced() -> None:
    taints = [{"key": "a", "effect": "NoSchedule"}, {"key": "b", "effect": "NoSchedule"}]
    side = {"name": "side", "image": "proxy"}
    present = [
        node("one", taints=taints),
        with_identity(manifest("a", containers=[{**container(requests={"cpu": "1"}), "name": "c"}, side])),
    ]
    wanted = manifest("a", containers=[{"name": "c", "image": "x", "resources": {"requests": {"cpu": "2"}}}])
    applied = apply(present, add({"kind": "List", "items": [wanted, node("one", taints=taints[1:])]}))
    first, second = find(applied, "Pod", "a")["spec"]["containers"]
    assert (first["resources"]["requests"]["cpu"], second) == ("2", side)
    assert find(applied, "Node", "one")["spec"]["taints"] == taints[1:]
    assert applied.results[0].sentence == "apply Pod default/a, Node one"


def test_an_apply_that_an_api_server_refuses_is_refused_by_field() -> None:
    written = workload("Job", "load", replicas=1)
    other = workload("Job", "load", replicas=1, template={"priority": 7})
    ((place, field, message),) = faults([], add(written), add(other))
    assert (place, field) == ("edits[1]", "manifest.spec.template")
    assert "cannot be changed" in message
    faulty = node("one")
    faulty["status"] = {"allocatable": {"cpu": "lots"}}
    assert faults([node("one")], add(faulty))[0][1] == "manifest.status.allocatable.cpu"


def test_nothing_new_is_made_in_a_namespace_that_is_being_deleted() -> None:
    leaving = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    leaving["status"] = {"phase": "Terminating"}
    for made in (workload("Deployment", "cart", replicas=1), {**manifest("a"), "metadata": NAMED}):
        assert faults([node("one"), leaving], add(made)) == [
            (
                "edits[0]",
                "manifest.metadata.namespace",
                "shop is being deleted: nothing new can be made in it",
            )
        ]
        assert apply([node("one"), leaving | {"status": {"phase": "Active"}}], add(made)).results


@pytest.mark.parametrize(
    ("kind", "spec", "field"),
    [
        ("Deployment", {"selector": {"matchLabels": {"app": "other"}}}, "selector"),
        ("DaemonSet", {"selector": {"matchLabels": {"app": "other"}}}, "selector"),
        ("ReplicaSet", {"selector": {"matchLabels": {"app": "other"}}}, "selector"),
        ("StatefulSet", {"selector": {"matchLabels": {"app": "other"}}}, "selector"),
    ],
)
def test_what_a_workload_keeps_as_it_was_made_cannot_be_applied(kind: str, spec: Object, field: str) -> None:
    present = apply([node("one")], add(workload(kind, "cart", replicas=1))).objects
    wanted = workload(kind, "cart", replicas=1)
    assert apply(present, add(wanted)).results
    labels = {"metadata": {"labels": {"app": "other"}}} if field == "selector" else {}
    wanted["spec"] = {**wanted["spec"], **spec, "template": {**wanted["spec"]["template"], **labels}}
    assert faults(present, add(wanted)) == [
        ("edits[0]", f"manifest.spec.{field}", f"of a {kind} cannot be changed")
    ]


def test_claims_of_a_stateful_set_may_be_given_again_and_not_be_changed() -> None:
    def stateful(storage: str, **more: Any) -> Object:
        claim = {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"]}}
        claim["spec"] |= {"resources": {"requests": {"storage": storage}}}
        made = workload("StatefulSet", "cart", replicas=1)
        made["spec"] = {**made["spec"], "volumeClaimTemplates": [claim], **more}
        return made

    present = apply([node("one")], add(stateful("1Gi"))).objects
    assert len(names(apply(present, add(stateful("1024Mi", replicas=2, minReadySeconds=5))))) == 2
    unknown = stateful("1Gi", podManagementPolicy="Parallel")
    assert apply(present, add(unknown)).results, "what an import has not may have been left out of it"
    ((_, field, _),) = faults(present, add(stateful("2Gi")))
    assert field == "manifest.spec.volumeClaimTemplates"


def test_an_apply_may_happen_at_an_instant() -> None:
    present = apply([node("one")], add(workload("Deployment", "cart", replicas=1))).objects
    later = add(workload("Deployment", "cart", replicas=3), at=5.0)
    applied = apply(present, later, driver="timed")
    assert applied.results[0].sentence == "apply Deployment shop/cart"
    assert [(entry.verb, str(entry.kind)) for entry in applied.timeline].count(("put", "Pod")) == 2


# -- names that are left to the API server


def test_generated_names_are_the_first_free_numbers() -> None:
    written = manifest("x")
    written["metadata"] = {"generateName": "load-"}
    applied = apply([pod("load-2")], add({"kind": "List", "items": [written, written]}), add(written))
    assert names(applied) == ["load-2", "load-1", "load-3", "load-4"]
    assert names(apply([pod("load-2")], add(written, replicas=2))) == ["load-2", "load-1", "load-3"]
    job = workload("Job", "x", replicas=1)
    job["metadata"] = {"generateName": "train-", "namespace": "shop"}
    assert apply([], add(job)).results[0].sentence == "add Job shop/train-1: 1 pod"


def test_a_manifest_in_a_known_foreign_form_is_refused_by_its_name() -> None:
    table = {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "rows": []}
    assert "a Table" in faults([], add(table))[0][2]
    assert "Helm template" in faults([], add("kind: Pod\nmetadata: {name: {{ .Values.name }}}\n"))[0][2]
    rows = '{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}\n' * 2
    assert apply([], add(rows)).results[0].sentence == "add Namespace a; leave Namespace a as it is"


# -- delete


def test_a_deleted_deployment_takes_its_pods_with_it() -> None:
    applied = apply(
        [pod("other", namespace="shop")],
        add(workload("Deployment", "cart", replicas=3)),
        {"op": "delete", "kind": "Deployment", "namespace": "shop", "name": "cart"},
    )
    assert [found["metadata"]["name"] for found in applied.objects] == ["other"]
    assert applied.results[1].sentence == "delete Deployment shop/cart and its 3 pods"


def test_pods_of_a_deployment_whose_replica_set_was_not_imported_are_found() -> None:
    deployment = with_identity(workload("Deployment", "cart"))
    unknown = with_identity(workload("ReplicaSet", "cart-5f6d"))
    lone = owned(unknown, pod("cart-5f6d-x", namespace="shop", labels={"app": "cart"}))
    applied = apply(
        [deployment, lone], {"op": "delete", "kind": "Deployment", "namespace": "shop", "name": "cart"}
    )
    assert applied.objects == []


def test_a_deleted_pod_of_a_controller_is_made_anew() -> None:
    edit = {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "a"}
    assert names(apply(web(running("a")), edit)) == ["a-r1"]
    assert names(apply(web(running("a")), edit, controllers="none")) == []
    assert names(apply([running("a")], edit)) == []


def test_pods_of_a_deleted_node_stay_bound_and_the_edit_says_so() -> None:
    applied = apply([node("one"), pod("a", on="one")], {"op": "delete", "kind": "Node", "name": "one"})
    assert names(applied) == ["a"]
    assert "1 pod on it stays bound" in applied.results[0].changes[0]


def test_a_deleted_namespace_takes_all_in_it() -> None:
    objects = [cluster_object("Namespace", "shop"), *web(running("a")), pod("b")]
    applied = apply(objects, {"op": "delete", "kind": "Namespace", "name": "shop"})
    assert names(applied) == ["b"]
    assert applied.results[0].sentence == "delete Namespace shop with 2 objects"


def test_what_is_not_there_cannot_be_deleted() -> None:
    ((_, field, message),) = faults([], {"op": "delete", "kind": "Pod", "namespace": "a", "name": "b"})
    assert (field, message) == ("name", "there is no Pod b in namespace a")


# -- scale


def test_scaling_up_adds_pods_and_scaling_down_deletes_the_right_ones() -> None:
    pending = pod("c", namespace="shop", labels={"app": "web"})
    objects = [node("one"), *web(running("a"), running("b"), pending)]
    down = apply(objects, scale("ReplicaSet", "web", 2))
    assert names(down) == ["a", "b"]
    assert "deletes Pod shop/c (pending)" in down.results[0].changes
    up = apply(objects, scale("ReplicaSet", "web", 5))
    assert names(up) == ["a", "b", "c", "web-1", "web-2"]
    assert find(up, "ReplicaSet", "web")["spec"]["replicas"] == 5
    assert up.results[0].sentence == "scale ReplicaSet shop/web from 3 to 5 pods"


def test_a_scaled_deployment_scales_its_newest_replica_set() -> None:
    applied = apply(
        [],
        add(workload("Deployment", "cart", replicas=2)),
        scale("Deployment", "cart", 4),
        scale("Deployment", "cart", 1),
    )
    (replica_set,) = [found for found in applied.objects if found["kind"] == "ReplicaSet"]
    assert replica_set["spec"]["replicas"] == 1
    assert len(names(applied)) == 1


@pytest.mark.parametrize(
    ("replicas", "said"),
    [(2, ["keeps at least 3"]), (3, []), (6, ["lets it have at most 5"]), (0, [])],
)
def test_an_autoscaler_that_would_scale_back_is_told(replicas: int, said: list[str]) -> None:
    deployment = workload("Deployment", "cart", replicas=4)
    autoscaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "cart", "namespace": deployment["metadata"]["namespace"]},
        "spec": {
            "minReplicas": 3,
            "maxReplicas": 5,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "cart"},
        },
    }
    applied = apply([], add(deployment), add(autoscaler), scale("Deployment", "cart", replicas))
    [result] = applied.results[2:]
    assert [one for one in result.changes if "Autoscaler" in one] == [
        f"HorizontalPodAutoscaler cart {one} replicas: it would set them again, which is not played"
        for one in said
    ]


def test_a_stateful_set_loses_its_highest_ordinal_and_a_job_its_parallel_pods() -> None:
    stateful = apply([], add(workload("StatefulSet", "db", replicas=12)), scale("StatefulSet", "db", 10))
    assert names(stateful)[-1] == "db-9"
    job = apply([], add(workload("Job", "sum", spec={"parallelism": 3})), scale("Job", "sum", 1))
    assert len(names(job)) == 1


def test_what_another_controller_decides_is_not_scaled() -> None:
    applied = apply([], add(workload("Deployment", "cart")))
    (replica_set,) = names(applied, "ReplicaSet")
    ((_, field, message),) = faults(applied.objects, scale("ReplicaSet", replica_set, 3))
    assert field == "name"
    assert "scale that" in message


@pytest.mark.parametrize("kind", ["DaemonSet", "CronJob", "Pod", "Node"])
def test_some_kinds_cannot_be_scaled(kind: str) -> None:
    ((_, field, _),) = faults([], scale(kind, "x", 1))
    assert field == "kind"


def ranked(*pods: Object) -> list[str]:
    return [item["metadata"]["name"] for item in first_to_go(workload("ReplicaSet", "web"), list(pods))]


def test_unassigned_then_pending_then_unready_pods_go_first() -> None:
    unassigned = pod("unassigned", namespace="shop")
    starting = pod("starting", on="one", status={"phase": "Pending"})
    unready = running("unready", ready={"status": "False"})
    assert ranked(running("ready", "two"), unready, starting, unassigned) == [
        "unassigned", "starting", "unready", "ready",
    ]  # fmt: skip


def test_cheaper_then_crowded_then_younger_then_restarted_pods_go_first() -> None:
    cost = "controller.kubernetes.io/pod-deletion-cost"
    assert ranked(running("dear", "a", annotations={cost: "5"}), running("cheap", "b"))[0] == "cheap"
    assert ranked(running("alone", "a"), running("x", "b"), running("y", "b"))[-1] == "alone"
    old = {"lastTransitionTime": "2026-01-01T00:00:00Z"}
    young = {"lastTransitionTime": "2026-05-31T00:00:00Z"}
    assert ranked(running("old", "a", ready=old), running("young", "b", ready=young))[0] == "young"
    restarted = running("restarted", "a")
    restarted["status"]["containerStatuses"] = [{"name": "app", "restartCount": 3}]
    assert ranked(running("steady", "b"), restarted)[0] == "restarted"


# -- cordon, uncordon, drain, evict


def test_a_cordoned_node_is_unschedulable_and_tainted_until_uncordoned() -> None:
    tainted = node("one", taints=[{"key": "gpu", "effect": "NoSchedule"}])
    cordoned = apply([tainted], {"op": "cordon", "node": "one"})
    assert find(cordoned, "Node", "one")["spec"]["unschedulable"] is True
    assert {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"} in find(
        cordoned, "Node", "one"
    )["spec"]["taints"]
    free = apply(cordoned.objects, {"op": "uncordon", "node": "one"})
    assert find(free, "Node", "one")["spec"] == tainted["spec"]


def test_a_drain_cordons_and_asks_for_evictions_in_name_order() -> None:
    daemon = owned(with_identity(workload("DaemonSet", "proxy")), pod("a-daemon", on="one"))
    mirror = pod("b-mirror", on="one", annotations={"kubernetes.io/config.mirror": "1"})
    done = pod("c-done", on="one", status={"phase": "Succeeded"})
    objects = [
        node("one"),
        pod("z", on="one"),
        *web(running("a")),
        mirror,
        daemon,
        done,
        pod("elsewhere", on="two"),
    ]
    applied = apply(objects, {"op": "drain", "node": "one"})
    assert find(applied, "Node", "one")["spec"]["unschedulable"] is True
    assert [(request.uid, bool(request.skipped)) for request in applied.evictions] == [
        ("uid-default-a-daemon", True),
        ("uid-default-b-mirror", True),
        ("uid-default-z", False),
        ("uid-shop-a", False),
    ]
    assert applied.results[0].sentence == "drain one: asks for 2 evictions"
    assert any("--force" in change for change in applied.results[0].changes)
    assert [request.edit for request in applied.evictions] == [0, 0, 0, 0]


def test_an_eviction_names_its_pod_by_name_or_uid() -> None:
    objects = [pod("a", on="one")]
    by_name = apply(objects, {"op": "evict", "pod": "default/a"}).evictions
    assert by_name == apply(objects, {"op": "evict", "pod": "uid-default-a"}).evictions
    assert by_name[0].uid == "uid-default-a"


def test_a_pod_is_asked_to_go_once_and_only_if_it_is_still_there() -> None:
    objects = [node("one"), pod("a", on="one"), pod("b", on="one")]
    evict = {"op": "evict", "pod": "default/a"}
    assert len(apply(objects, evict, evict, {"op": "drain", "node": "one"}).evictions) == 2
    gone = {"op": "delete", "kind": "Pod", "name": "a"}
    assert apply(objects, evict, gone).evictions == []


def test_a_pending_pod_cannot_be_evicted() -> None:
    ((_, field, message),) = faults([pod("a")], {"op": "evict", "pod": "default/a"})
    assert field == "pod"
    assert "on no node" in message


# -- clone-node


def test_cloned_nodes_are_like_new_ones_of_the_same_make() -> None:
    original = node("one", labels={"pool": "gpu"}, taints=[{"key": "gpu", "effect": "NoSchedule"}])
    original["spec"]["unschedulable"] = True
    original["status"]["images"] = [{"names": ["x"], "sizeBytes": 1}]
    objects = [original, pod("a", on="one"), node("one-2")]
    applied = apply(objects, {"op": "clone-node", "node": "one", "count": 2})
    assert names(applied, "Node") == ["one", "one-2", "one-1", "one-3"]
    clone = find(applied, "Node", "one-1")
    assert clone["metadata"]["labels"] == {"kubernetes.io/hostname": "one-1", "pool": "gpu"}
    assert clone["spec"] == {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}
    assert clone["status"]["allocatable"] == original["status"]["allocatable"]
    assert "images" not in clone["status"]
    assert names(applied) == ["a"]


def test_cloned_nodes_take_the_prefix_and_must_be_legal_names() -> None:
    edit = {"op": "clone-node", "node": "one", "count": 1, "namePrefix": "gpu"}
    assert names(apply([node("one")], edit), "Node") == ["one", "gpu1"]
    ((_, field, _),) = faults([node("one")], {**edit, "namePrefix": "GPU_"})
    assert field.startswith("namePrefix")


# -- patch


@pytest.mark.parametrize(
    ("target", "change", "merged"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "foo"}, None, None),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patches_as_the_standard_has_them(target: Any, change: Any, merged: Any) -> None:
    assert merge_patch(target, change) == merged


def test_a_patched_node_has_other_labels_and_size() -> None:
    change = {"metadata": {"labels": {"disk": "ssd"}}, "status": {"allocatable": {"cpu": "64"}}}
    patched = find(apply([node("one")], patch("Node", "one", change)), "Node", "one")
    assert patched["metadata"]["labels"]["disk"] == "ssd"
    assert patched["status"]["allocatable"] == {"cpu": "64", "memory": "8Gi", "pods": "110"}


def test_a_patch_says_what_it_changes() -> None:
    change = {
        "metadata": {"labels": {"pool": "b", "gone": None}},
        "spec": {"taints": [], "unschedulable": True},
    }
    applied = apply([node("one", labels={"pool": "a"})], patch("Node", "one", change))
    said = "patch Node one: metadata.labels.pool a → b, spec.taints, spec.unschedulable none → true"
    assert applied.results[0].sentence == said


def test_a_label_that_lets_a_daemon_set_in_gives_the_node_its_pod() -> None:
    daemon_set = with_identity(workload("DaemonSet", "gpu", template={"nodeSelector": {"gpu": "yes"}}))
    change = {"metadata": {"labels": {"gpu": "yes"}}}
    assert names(apply([node("one"), daemon_set], patch("Node", "one", change))) == ["gpu-one"]


def test_patched_replicas_are_met_and_a_patched_template_replaces_the_pods() -> None:
    add_cart = add(workload("Deployment", "cart", replicas=2))
    more = patch("Deployment", "cart", {"spec": {"replicas": 3}}, namespace="shop")
    assert len(names(apply([], add_cart, more))) == 3
    other = patch(
        "Deployment", "cart", {"spec": {"template": {"spec": {"schedulerName": "mine"}}}}, namespace="shop"
    )
    applied = apply([], add_cart, other)
    assert [found["spec"]["schedulerName"] for found in applied.objects if found["kind"] == "Pod"] == [
        "mine"
    ] * 2
    assert "2 pods replaced" in applied.results[1].changes[-1]
    assert len(names(applied, "ReplicaSet")) == 1


def test_a_patched_quota_counts_anew() -> None:
    quota = cluster_object(
        "ResourceQuota",
        "q",
        namespace="default",
        spec={"hard": {"pods": "1"}},
        status={"used": {"pods": "1"}},
    )
    change = patch("ResourceQuota", "q", {"spec": {"hard": {"pods": "2"}}})
    assert len(names(apply([quota, pod("a")], change, add(manifest("b"))))) == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"metadata": {"name": "two"}}, "patch.metadata.name"),
        ({"metadata": None}, "patch.metadata.name"),
        ({"kind": "Pod"}, "patch.kind"),
        ({"spec": {"taints": [{"key": "a", "effect": "b"}]}}, "patch.spec.taints[0].effect"),
        ({"status": {"allocatable": {"cpu": "-1"}}}, "patch.status.allocatable.cpu"),
    ],
)
def test_a_patch_that_makes_no_sense_is_refused_by_field(change: Object, field: str) -> None:
    assert faults([node("one")], patch("Node", "one", change))[0][1] == field


# -- budgets


def budget(**spec: Any) -> Object:
    spec = {"selector": {"matchLabels": {"app": "web"}}, **spec}
    return cluster_object("PodDisruptionBudget", "web", version="policy/v1", namespace="shop", spec=spec)


@pytest.mark.parametrize(
    ("spec", "allowed"),
    [
        ({"minAvailable": 1}, 2),
        ({"minAvailable": "50%"}, 1),
        ({"maxUnavailable": 1}, 1),
        ({"maxUnavailable": "34%"}, 2),
        ({"minAvailable": 5}, 0),
    ],
)
def test_an_added_budget_knows_what_it_allows(spec: Object, allowed: int) -> None:
    applied = apply(web(running("a"), running("b"), running("c")), add(budget(**spec)))
    status = find(applied, "PodDisruptionBudget", "web")["status"]
    assert status["disruptionsAllowed"] == allowed
    assert status["currentHealthy"] == 3


def test_a_budget_whose_pods_go_allows_less_and_the_edit_says_so() -> None:
    guarded = {**budget(minAvailable=1), "status": {"disruptionsAllowed": 2}}
    applied = apply([*web(running("a"), running("b"), running("c")), guarded], scale("ReplicaSet", "web", 2))
    assert find(applied, "PodDisruptionBudget", "web")["status"]["disruptionsAllowed"] == 1
    assert "PodDisruptionBudget shop/web now allows 1 disruptions" in applied.results[-1].changes


def test_a_budget_that_no_edit_touches_keeps_what_its_controller_said() -> None:
    guarded = {**budget(minAvailable=1), "status": {"disruptionsAllowed": 7}}
    applied = apply([node("one"), *web(running("a")), guarded], {"op": "cordon", "node": "one"})
    assert find(applied, "PodDisruptionBudget", "web") == guarded


# -- shapes


@pytest.mark.parametrize(
    ("edit", "field", "word"),
    [
        (3, "", "object"),
        ({}, "op", "one of"),
        ({"op": "explode"}, "op", "one of"),
        ({"op": "cordon"}, "node", "required"),
        ({"op": "cordon", "node": 3}, "node", "text"),
        ({"op": "cordon", "node": "nope"}, "node", "no Node"),
        ({"op": "cordon", "node": "one", "speed": 1}, "speed", "no field"),
        ({"op": "cordon", "node": "one", "at": 5}, "at", "driver timed"),
        (add(manifest("a"), duration=5), "duration", "driver timed"),
        ({"op": "scale", "kind": "Deployment", "name": "a", "replicas": "2"}, "replicas", "whole number"),
        ({"op": "clone-node", "node": "one", "count": 0}, "count", "between"),
        ({"op": "evict", "pod": "a/b"}, "pod", "no pod"),
        ({"op": "label", "node": "one", "labels": {"my team": "x"}}, "labels", "'my team' is no key"),
        ({"op": "label", "node": "one", "labels": {"team": "x y"}}, "labels", "'x y' is no value"),
        ({"op": "taint", "node": "one", "taints": ["a/b/c=x:NoSchedule"]}, "taints", "'a/b/c' is no key"),
    ],
)
def test_an_edit_of_the_wrong_shape_is_refused_by_field(edit: Any, field: str, word: str) -> None:
    ((place, found, message),) = faults([node("one")], edit)
    assert (place, found) == ("edits[0]", field)
    assert word in message


def nested(depth: int) -> Any:
    return {"a": nested(depth - 1)} if depth else 1


@pytest.mark.parametrize("strange", [nested(200), "\ud800"])
def test_what_no_object_has_is_refused_before_anything_goes_through_it(strange: Any) -> None:
    written = manifest("a")
    written["metadata"]["annotations"] = {"strange": strange}
    ((place, field, _),) = faults([], add(written))
    assert (place, field) == ("edits[0]", "")


def test_a_null_time_is_no_time() -> None:
    assert apply([node("one")], {"op": "cordon", "node": "one", "at": None}).results


def test_every_faulty_edit_is_named_by_its_number() -> None:
    found = faults(
        [node("one")], {"op": "cordon", "node": "x"}, {"op": "cordon", "node": "one"}, {"op": "uncordon"}
    )
    assert [place for place, _, _ in found] == ["edits[0]", "edits[2]"]


def test_very_many_changes_are_counted_not_listed() -> None:
    applied = apply([], add(workload("Deployment", "d", replicas=300)), scale("Deployment", "d", 0))
    assert len(applied.results[1].changes) == 100
    assert applied.results[1].more == 200


def test_the_same_edits_always_give_the_same_objects() -> None:
    edits = [add(workload("Deployment", "cart", replicas=3)), {"op": "clone-node", "node": "one", "count": 2}]
    assert apply([node("one")], *edits) == apply([node("one")], *edits)


def test_a_kubelet_stops_and_starts_only_with_a_clock_and_says_what_follows():
    stop, start = {"op": "stop-kubelet", "node": "n"}, {"op": "start-kubelet", "node": "n"}
    objects = [node("n", spec={"taints": [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]})]
    applied = apply(objects, stop, start, driver="timed")
    assert [result.sentence for result in applied.results] == [
        "stop the kubelet of n",
        "start the kubelet of n",
    ]
    assert "after 50 s without a word the node is unreachable" in applied.results[0].changes[0]
    assert [(entry.verb, entry.at, entry.until) for entry in applied.timeline] == [
        ("stop", 0, 50 * 10**9),
        ("start", 0, -1),
    ]
    assert applied.objects[0]["spec"]["taints"] == []
    assert applied.results[1].changes == []
    healthy = [node("n"), node("m")]
    assert apply(healthy, stop, start, driver="timed").results[1].changes == [], "it was stopped just before"
    again = apply(healthy, {"op": "start-kubelet", "nodes": ["n", "m"]}, driver="timed").results[0]
    assert again.changes[0] == "2 nodes were not lost, and do not change: n, m"
    why = "needs the driver timed: no clock moves with the driver instant"
    assert faults(objects, stop, start) == [("edits[0]", "op", why), ("edits[1]", "op", why)]
    assert faults(objects, stop | {"node": "m"}, driver="timed") == [
        ("edits[0]", "node", "there is no Node m")
    ]
    assert faults(objects, stop | {"gracePeriod": 0}, driver="timed")[0][1] == "gracePeriod"
