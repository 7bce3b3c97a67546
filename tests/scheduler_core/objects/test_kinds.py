"""Kinds of other projects that share a name with Kubernetes' own are never taken for these."""

import pytest

from scheduler_core.objects.kinds import is_foreign, leave_out_foreign
from scheduler_core.state.build import build_state
from scheduler_core.world import RunInput, Simulation
from tests.builders import Object, cluster_object, node, pod

FOREIGN = [
    cluster_object("Node", "a", version="longhorn.io/v1beta2", spec=5),
    cluster_object("Pod", "p", version="foo.io/v1", spec=[]),
    cluster_object("Service", "s", version="serving.knative.dev/v1", spec=7),
    cluster_object("PodDisruptionBudget", "b", version="foo/v1", spec="x"),
    cluster_object("StatefulSet", "w", version="apps.kruise.io/v1beta1", spec="x"),
    cluster_object("DeviceClass", "d", version="foo.io/v1", spec="x"),
    cluster_object("CSINode", "a", version="foo.io/v1", spec="x"),
]


@pytest.mark.parametrize("document", FOREIGN, ids=lambda document: document["kind"])
def test_a_kind_of_another_group_is_foreign(document: Object) -> None:
    assert is_foreign(document)


@pytest.mark.parametrize(
    ("kind", "version"),
    [
        ("Node", "v1"),
        ("Deployment", "extensions/v1beta1"),
        ("StatefulSet", "apps/v1beta2"),
        ("PodDisruptionBudget", "policy/v1beta1"),
        ("CronJob", "batch/v2alpha1"),
        ("DeviceClass", "resource.k8s.io/v1beta1"),
        ("Strange", "example.org/v1"),
        ("Node", None),
        (["Node"], "v1"),
    ],
)
def test_kubernetes_groups_unknown_kinds_and_no_group_are_not_foreign(kind: object, version: object) -> None:
    assert not is_foreign({"kind": kind, "apiVersion": version})


def test_what_is_left_out_is_counted_by_kind() -> None:
    kept, phrases = leave_out_foreign([FOREIGN[0], node("a"), FOREIGN[1], {**FOREIGN[0]}])
    assert kept == [node("a")]
    assert phrases == ["2 Node of other API groups", "1 Pod of other API groups"]


def test_the_engine_does_not_see_them() -> None:
    built = build_state([*FOREIGN, node("a"), pod("p")])
    assert built.state.nodes.names == ["a"]
    assert len(built.pending) == 1
    simulation = Simulation(RunInput(objects=[*FOREIGN, node("a"), pod("p")]))
    assert [decision.pod.name for decision in simulation] == ["p"]
