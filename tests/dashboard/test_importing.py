"""What an import takes and what it refuses: rows are made of what was checked, and nothing else."""

from typing import Any

import pytest

from dashboard.models import Node, Pod, Snapshot, Workload
from dashboard.services.imports.uploaded_cluster import read_picture
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


def imported(*objects: dict[str, Any]) -> Snapshot:
    return import_snapshot(None, "x", [("", listing(*objects))])


def refused(*objects: dict[str, Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(BadInput) as error:
        imported(*objects)
    return [(problem.object, problem.field, problem.message) for problem in error.value.problems]


def test_kinds_of_other_projects_are_kept_apart_and_said_not_to_be_read() -> None:
    disks = {"apiVersion": "longhorn.io/v1beta2", "kind": "Node", "metadata": {"name": "node-1"}, "spec": 5}
    job = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "CronJob", "metadata": {"name": "train"}}
    snapshot = imported(node("node-1"), disks, pod("cart-1"), job)
    assert snapshot.counts == {"CronJob.batch.volcano.sh": 1, "Node": 1, "Node.longhorn.io": 1, "Pod": 1}
    assert snapshot.dropped == ["all but the metadata of 1 object: Node.longhorn.io (1)"]
    assert any("schedule is required, but got empty" in warning for warning in snapshot.warnings)
    assert "Only the metadata are kept of what is not understood: 1 Node.longhorn.io." in snapshot.warnings
    assert (Node.objects.count(), Pod.objects.count(), Workload.objects.count()) == (1, 1, 0)


def workload(kind: str, **fields: Any) -> dict[str, Any]:
    version = "batch/v1" if kind == "Job" else "apps/v1"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "x", "namespace": "shop"}, **fields}


@pytest.mark.parametrize("kind", ["ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"])
def test_a_status_that_is_no_object_is_refused(kind: str) -> None:
    assert refused(workload(kind, status="x")) == [
        (f"{kind} shop/x", "status", "must be an object, not text")
    ]


def test_an_amount_that_is_none_is_refused_wherever_it_stands() -> None:
    bound = pod("cart-1", node="node-1")
    bound["status"]["allocatedResources"] = {"cpu": "text"}
    [(name, field, _)] = refused(node("node-1"), bound)
    assert (name, field) == ("Pod shop/cart-1", "status.allocatedResources.cpu")


def test_amounts_beyond_64_bits_are_kept_as_the_scheduler_counts_them() -> None:
    imported(node("node-1"), pod("cart-2", overhead={"cpu": "9e15"}, cpu="9e15"))
    assert Pod.objects.count() == 1


def test_a_problem_has_no_character_that_a_database_cannot_hold() -> None:
    [(name, field, _)] = refused({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a\0b"}})
    assert (name, field) == ("ConfigMap a\N{REPLACEMENT CHARACTER}b", "metadata.name")


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("", b"a: [1", "the body"),
        ("", b'{"kind": ', "the body"),
        ("", b"# nothing\n", "the body"),
        ("", b"[]", "the body"),
        ("", b"kind: Pod\n---\n7\n", "document 2"),
        ("pods.yaml", b"a: [1", "pods.yaml"),
        ("pods.json", b"[]", "pods.json"),
    ],
)
def test_what_cannot_be_read_is_named_even_if_it_has_no_name(name: str, content: bytes, place: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_picture([(name, content)])
    assert [problem.object for problem in refused.value.problems] == [place]


def test_files_without_any_object_are_meant_together() -> None:
    with pytest.raises(BadInput) as refused:
        read_picture([("a.json", b"[]"), ("b.json", b"[]")])
    assert str(refused.value) == "the files: there are no Kubernetes objects in them"


def test_objects_that_volcanos_webhooks_would_refuse_are_warned_about() -> None:
    def scheduled(kind: str, name: str, **parts: Any) -> dict[str, Any]:
        metadata = {"name": name} | ({"namespace": "ml"} if kind == "PodGroup" else {})
        return {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": kind, "metadata": metadata, **parts}

    snapshot = imported(
        node("node-1"),
        scheduled("Queue", "q", status={"state": "Closing"}),
        scheduled("PodGroup", "good", spec={"queue": "q"}),
        scheduled("PodGroup", "lost", spec={"queue": "nowhere"}),
    )
    told = [warning for warning in snapshot.warnings if "admission webhook" in warning]
    assert told == [
        "Volcano's admission webhook would refuse this now: PodGroup.scheduling.volcano.sh ml/lost"
        ' spec.queue: unable to find queue: queue.scheduling.volcano.sh "nowhere" not found'
    ]


def test_a_field_of_volcanos_objects_that_cannot_be_read_is_refused() -> None:
    def scheduled(kind: str, **spec: Any) -> dict[str, Any]:
        version = "scheduling.volcano.sh/v1beta1"
        return {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": spec}

    found = refused(
        node("node-1"), scheduled("Queue", capability={"cpu": "much"}), scheduled("PodGroup", minMember="two")
    )
    assert [(name, field) for name, field, _ in found] == [
        ("Queue.scheduling.volcano.sh x", "spec.capability.cpu"),
        ("PodGroup.scheduling.volcano.sh x", "spec.minMember"),
    ]
