"""What an import takes and what it refuses: rows are made of what was checked, and nothing else."""

from typing import Any

import pytest

from dashboard.models import Node, Pod, Snapshot, Workload
from dashboard.services.snapshots import import_snapshot
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


def imported(*objects: dict[str, Any]) -> Snapshot:
    return import_snapshot(None, "x", [("", listing(*objects))])


def refused(*objects: dict[str, Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(BadInput) as error:
        imported(*objects)
    return [(problem.object, problem.field, problem.message) for problem in error.value.problems]


def test_kinds_of_other_projects_are_left_out_and_counted() -> None:
    disks = {"apiVersion": "longhorn.io/v1beta2", "kind": "Node", "metadata": {"name": "node-1"}, "spec": 5}
    job = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train"}}
    snapshot = imported(node("node-1"), disks, pod("cart-1"), job)
    assert snapshot.counts == {"Node": 1, "Pod": 1}
    assert snapshot.dropped == ["1 Job of other API groups", "1 Node of other API groups"]
    assert (Node.objects.count(), Pod.objects.count(), Workload.objects.count()) == (1, 1, 0)
