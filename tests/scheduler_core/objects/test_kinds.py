"""Kinds are an API group and a name: no two kinds of a cluster are confused because they share a name."""

import pytest

from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.identity import Owners, with_identity
from scheduler_core.objects.kinds import DAEMON_SET, DEPLOYMENT, JOB, NODE, Kind, kind_named, kind_of
from scheduler_core.state.build import build_state
from scheduler_core.world import RunInput, Simulation
from tests.builders import cluster_object, node, pod, workload

FOREIGN = [
    cluster_object("Node", "a", version="longhorn.io/v1beta2", spec=5),
    cluster_object("Pod", "p", version="foo.io/v1", spec=[]),
    cluster_object("Service", "s", version="serving.knative.dev/v1", spec=7),
    cluster_object("PodDisruptionBudget", "b", version="foo/v1", spec="x"),
    cluster_object("StatefulSet", "w", version="apps.kruise.io/v1beta1", spec="x"),
    cluster_object("DeviceClass", "d", version="foo.io/v1", spec="x"),
    cluster_object("CSINode", "a", version="foo.io/v1", spec="x"),
    cluster_object("Job", "train", version="batch.volcano.sh/v1alpha1", spec="x"),
]
VERSIONS = ("batch/v1", "batch.volcano.sh/v1alpha1")


@pytest.mark.parametrize(
    ("name", "version", "kind", "text"),
    [
        ("Node", "v1", NODE, "Node"),
        ("Node", "longhorn.io/v1beta2", Kind("longhorn.io", "Node"), "Node.longhorn.io"),
        ("Deployment", "extensions/v1beta1", DEPLOYMENT, "Deployment"),
        ("Job", "batch/v1", JOB, "Job"),
        ("Job", "extensions/v1beta1", JOB, "Job"),
        ("Job", "batch.volcano.sh/v1alpha1", Kind("batch.volcano.sh", "Job"), "Job.batch.volcano.sh"),
        ("DaemonSet", None, DAEMON_SET, "DaemonSet"),
        ("ConfigMap", "v1", Kind("", "ConfigMap"), "ConfigMap"),
        (["Node"], "v1", Kind("", ""), ""),
    ],
)
def test_a_kind_is_a_group_and_a_name(name: object, version: object, kind: Kind, text: str) -> None:
    assert kind_of({"kind": name, "apiVersion": version}) == kind
    assert str(kind) == text
    assert kind_named(text) == kind


def test_objects_of_several_groups_may_share_name_and_namespace() -> None:
    queues = [
        {"apiVersion": f"{group}/v1", "kind": "PodGroup", "metadata": {"name": "train", "namespace": "ml"}}
        for group in ("scheduling.volcano.sh", "scheduling.x-k8s.io")
    ]
    assert check_objects([*queues, *FOREIGN, node("a"), pod("p")]) == []
    [problem] = check_objects([queues[0], queues[0]])
    assert problem.object == "PodGroup.scheduling.volcano.sh ml/train"


def test_objects_that_never_had_a_uid_get_another_one_for_each_kind() -> None:
    same = [{"apiVersion": version, "kind": "Job", "metadata": {"name": "train"}} for version in VERSIONS]
    assert len({with_identity(job)["metadata"]["uid"] for job in same}) == 2


@pytest.mark.parametrize("version", VERSIONS)
def test_an_owner_is_looked_up_in_its_group(version: str) -> None:
    cron_job = workload("CronJob", "nightly")
    theirs = workload("Job", "train", owner=cron_job)
    volcano = cluster_object("Job", "train", namespace="shop", version=VERSIONS[1])
    owner = {"apiVersion": version, "kind": "Job", "metadata": {"name": "train"}}
    made = pod("train-0", namespace="shop", owner=owner)
    found = Owners([cron_job, theirs, volcano]).workload(made)
    assert found == ("CronJob/shop/nightly" if version == "batch/v1" else "Job.batch.volcano.sh/shop/train")


def test_the_engine_takes_none_for_its_own() -> None:
    built = build_state([*FOREIGN, node("a"), pod("p")])
    assert built.state.nodes.names == ["a"]
    assert len(built.pending) == 1
    simulation = Simulation(RunInput(objects=[*FOREIGN, node("a"), pod("p")]))
    assert [decision.pod.name for decision in simulation] == ["p"]
