"""What is named and missing, told in one phrase a kind of reference, with all pods that name it."""

from typing import Any

import pytest

from scheduler_core.objects.references import gaps
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.trust import trust_of
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
    assert told(node("n"), *lost) == [(phrase, [f"default/p{number}" for number in range(5)], ("nodes",))]


def test_pods_of_controllers_that_are_missing() -> None:
    owned = [pod(name, owner=workload("ReplicaSet", "cart")) for name in "ab"]
    other = pod("c", owner={"apiVersion": "argoproj.io/v1", "kind": "Rollout", "metadata": {"name": "x"}})
    [(phrase, pods, kinds)] = told(*owned, other)
    assert phrase.startswith("2 pods of controllers that are not in the import (ReplicaSet default/cart): ")
    assert (pods, kinds) == (["default/a", "default/b"], ("replicasets",))


def test_classes_and_claims_are_missed_where_others_of_their_kind_are_there() -> None:
    named = [
        pod("a", spec={"priorityClassName": "high"}),
        with_claim("b", "gone"),
        with_claim("c", "gone", on="n"),
    ]
    assert told(*named) == []
    assert [(phrase.partition(" (")[0], pods) for phrase, pods, _ in told(CLASS, CLAIM, *named)] == [
        ("1 pod of PriorityClasses that are not in the import", ["default/a"]),
        ("1 pod with PersistentVolumeClaims that are not in the import", ["default/b"]),
    ]


def test_pods_that_are_there_twice() -> None:
    [(phrase, pods, _)] = told(pod("a", uid="1"), pod("a", uid="2"), pod("b"))
    assert phrase == "1 name of several pods at once (default/a), as in no cluster: each pod counts"
    assert pods == ["default/a"]


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
