"""What is named and missing, told in one phrase a kind of reference, with all pods that name it."""

from typing import Any

import pytest

from scheduler_core.objects.imports.references import gaps
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.reporting.trust import trust_of
from tests.builders import Object, cluster_object, node, pod, workload

CLASS = cluster_object("PriorityClass", "low", version="scheduling.k8s.io/v1", value=1)
CLAIM = cluster_object("PersistentVolumeClaim", "here", namespace="default", spec={})


def with_claim(name: str, claim: str, **parts: Any) -> Object:
    return pod(
        name, spec={"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]}, **parts
    )


def told(*objects: Object) -> list[tuple[str, list[str], tuple[str, ...]]]:
    return [tuple(gap) for gap in gaps(objects)]


def test_a_whole_picture_has_no_gaps() -> None:
    owner = workload("ReplicaSet", "cart", namespace="default")
    sound = pod("a", on="n", owner=owner, spec={"priorityClassName": "low"})
    critical = pod("b", spec={"priorityClassName": "system-node-critical"})
    assert told(node("n"), owner, CLASS, CLAIM, sound, critical, with_claim("c", "here")) == []


def test_pods_on_nodes_that_are_missing() -> None:
    lost = [pod(f"p{number}", on=f"gone-{number}") for number in range(5)]
    phrase = "5 pods on nodes that are not in the import (gone-0, gone-1, gone-2, …): they take room nowhere"
    assert told(node("n"), *lost) == [(phrase, [f"Pod default/p{number}" for number in range(5)], ("nodes",))]


def test_pods_of_controllers_that_are_missing() -> None:
    owned = [pod(name, owner=workload("ReplicaSet", "cart")) for name in "ab"]
    other = pod("c", owner={"apiVersion": "argoproj.io/v1", "kind": "Rollout", "metadata": {"name": "x"}})
    [(phrase, pods, kinds)] = told(*owned, other)
    assert phrase.startswith("2 pods of controllers that are not in the import (ReplicaSet default/cart): ")
    assert (pods, kinds) == (["Pod default/a", "Pod default/b"], ("replicasets",))


def test_classes_and_claims_are_missed_where_others_of_their_kind_are_there() -> None:
    named = [
        pod("a", spec={"priorityClassName": "high"}),
        with_claim("b", "gone"),
        with_claim("c", "gone", on="n"),
    ]
    assert told(*named) == []
    assert [(phrase.partition(" (")[0], pods) for phrase, pods, _ in told(CLASS, CLAIM, *named)] == [
        ("1 pod of PriorityClasses that are not in the import", ["Pod default/a"]),
        ("1 pod with PersistentVolumeClaims that are not in the import", ["Pod default/b"]),
    ]


def test_claims_of_classes_and_volumes_that_are_missing() -> None:
    made = cluster_object("StorageClass", "made", version="storage.k8s.io/v1", provisioner="x")
    volume = cluster_object("PersistentVolume", "v", spec={})
    specs = [{"storageClassName": "made"}, {"storageClassName": "gone"}, {"storageClassName": ""}]
    specs += [{"volumeName": "v", "storageClassName": "gone"}, {"volumeName": "lost"}]
    claims = [
        cluster_object("PersistentVolumeClaim", f"c{number}", namespace="shop", spec=spec)
        for number, spec in enumerate(specs)
    ]
    assert told(made, volume, *claims) == [
        (
            "1 PersistentVolumeClaim of StorageClasses that are not in the import (gone): "
            "pods that use them stay pending",
            ["PersistentVolumeClaim shop/c1"],
            ("storageclasses",),
        ),
        (
            "1 PersistentVolumeClaim bound to PersistentVolumes that are not in the import (lost): "
            "pods that use them fit nowhere",
            ["PersistentVolumeClaim shop/c4"],
            ("persistentvolumes",),
        ),
    ]


def test_classes_that_pods_and_templates_name() -> None:
    high = cluster_object("PriorityClass", "high", version="scheduling.k8s.io/v1", value=1)
    fast = cluster_object("RuntimeClass", "fast", version="node.k8s.io/v1", handler="x")
    names = [
        {"priorityClassName": "hihg", "runtimeClassName": "fsat"},
        {"priorityClassName": "high", "runtimeClassName": "fast"},
    ]
    pods = [pod(f"p{number}", spec=spec) for number, spec in enumerate(names)]
    workloads = [workload("Deployment", f"d{number}", replicas=0) for number in range(2)]
    for one, spec in zip(workloads, names, strict=True):
        one["spec"]["template"]["spec"] = spec
    assert told(high, fast, *pods, *workloads) == [
        (
            "1 pod of PriorityClasses that are not in the import (hihg): "
            "pods that edits add cannot use these",
            ["Pod default/p0"],
            ("priorityclasses",),
        ),
        (
            "1 pod of RuntimeClasses that are not in the import (fsat): "
            "they are scheduled all the same, and pods that edits add cannot use these",
            ["Pod default/p0"],
            ("runtimeclasses",),
        ),
        (
            "1 workload of PriorityClasses that are not in the import (hihg): no pods can be made of them",
            ["Deployment shop/d0"],
            ("priorityclasses",),
        ),
        (
            "1 workload of RuntimeClasses that are not in the import (fsat): no pods can be made of them",
            ["Deployment shop/d0"],
            ("runtimeclasses",),
        ),
    ]


def test_namespaces_are_missed_where_others_are_there() -> None:
    objects = [pod("a", namespace="shop"), pod("b"), CLAIM]
    assert told(*objects) == []
    shop = cluster_object("Namespace", "shop")
    [(phrase, places, kinds)] = told(shop, *objects)
    assert phrase == (
        "2 objects in namespaces that are not in the import (default): no namespaceSelector finds them"
    )
    assert (places, kinds) == (["Pod default/b", "PersistentVolumeClaim default/here"], ("namespaces",))


def test_workloads_of_controllers_that_are_missing() -> None:
    deployment, cron = workload("Deployment", "web"), workload("CronJob", "nightly")
    owned = workload("ReplicaSet", "web-1", owner=deployment)
    rest = [pod("a", namespace="shop", owner=owned), workload("Job", "nightly-1", owner=cron, replicas=0)]
    rest.append(pod("b", namespace="shop", owner=rest[1], status={"phase": "Succeeded"}))
    assert told(deployment, owned, *rest) == []
    [(phrase, places, kinds)] = told(owned, *rest)
    assert phrase == (
        "1 workload of controllers that are not in the import (Deployment shop/web): edits cannot scale these"
    )
    assert (places, kinds) == (["ReplicaSet shop/web-1"], ("deployments",))


DAEMONS = workload("DaemonSet", "logs")
WANTING = [
    workload("Deployment", "web"),
    workload("StatefulSet", "db", replicas=None),
    workload("Job", "once"),
    {**DAEMONS, "status": {"desiredNumberScheduled": 2}},
]


@pytest.mark.parametrize("wanting", WANTING, ids=lambda wanting: wanting["kind"])
def test_workloads_without_pods(wanting: Object) -> None:
    name = f"{wanting['kind']} shop/{wanting['metadata']['name']}"
    [(phrase, places, _)] = told(wanting)
    assert phrase.startswith(f"1 workload without pods in the import ({name}): no run makes them")
    assert places == [name]
    assert told(wanting, pod("a", namespace="shop", owner=wanting)) == []
    alike = wanting["spec"]["template"]["metadata"]["labels"]
    assert told(wanting, pod("a", namespace="shop", labels=alike)) == []


@pytest.mark.parametrize(
    "idle",
    [
        workload("Deployment", "web", replicas=0),
        {**workload("Job", "done"), "status": {"succeeded": 1}},
        workload("CronJob", "nightly"),
        DAEMONS,
    ],
    ids=lambda idle: idle["kind"],
)
def test_workloads_that_want_no_pods(idle: Object) -> None:
    assert told(idle) == []


def test_pods_of_a_deployment_are_its_own_through_a_replica_set_also_a_missing_one() -> None:
    deployment = workload("Deployment", "web")
    owned = workload("ReplicaSet", "web-1", owner=deployment)
    of_web = pod("a", namespace="shop", owner=owned)
    assert told(deployment, owned, of_web) == []
    [(phrase, *_)] = told(deployment, of_web)
    assert phrase.startswith("1 pod of controllers")
    [(_, places, _)] = told(deployment, owned)
    assert places == ["Deployment shop/web"]


def test_pods_that_are_there_twice() -> None:
    [(phrase, pods, _)] = told(pod("a", uid="1"), pod("a", uid="2"), pod("b"))
    assert phrase == "1 name of several pods at once (default/a), as in no cluster: each pod counts"
    assert pods == ["Pod default/a"]


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_pods_that_have_ended_lack_nothing(phase: str) -> None:
    ended = pod("a", on="gone", owner=workload("Job", "gone"), status={"phase": phase})
    assert told(node("n"), ended, pod("a", uid="2", on="n")) == []


def test_gaps_stand_in_the_trust_of_a_run_with_the_line_that_fills_them() -> None:
    trust = trust_of([node("n"), pod("a", on="gone", namespace="kube-system")], [])
    assert "1 pod on nodes that are not in the import (gone): they take room nowhere" in trust.missing
    assert trust.remedies == ["kubectl get poddisruptionbudgets,services,nodes -A -o json"]


@pytest.mark.parametrize(
    ("pods", "missed"),
    [
        ([pod("a", on="n")], True),
        ([pod("a", on="n"), pod("dns", namespace="kube-system")], False),
        ([pod("a", on="n"), pod("dns", namespace="openshift-dns")], False),
        ([pod("a", uid="", on="n")], False),  # written by hand
    ],
)
def test_a_cluster_without_system_pods_was_asked_for_one_namespace(pods: list[Object], missed: bool) -> None:
    found = [phrase for phrase in trust_of([node("n"), *pods], []).missing if "kube-system" in phrase]
    phrase = "no pods of kube-system in the import (without -A?): the room that they take counts as free"
    assert found == ([phrase] if missed else [])


def test_a_run_tells_the_gaps_of_the_import_and_not_what_its_edits_take_away() -> None:
    cluster = [node("n"), node("m"), pod("a", on="n"), pod("b", on="gone")]
    simulation = Simulation(RunInput(objects=cluster, edits=[{"op": "delete", "kind": "Node", "name": "n"}]))
    [told] = [phrase for phrase in simulation.trust.missing if "on nodes" in phrase]
    assert told == "1 pod on nodes that are not in the import (gone): they take room nowhere"
