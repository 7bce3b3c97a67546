"""Waiting pods by workload: what each asks for, devices too, and which resources that are at all."""

from typing import Any

import pytest
from django.test import Client

from dashboard.queries import pending_groups as module
from dashboard.queries.pending_groups import pending_groups, resources_asked
from dashboard.services.workspace.snapshots import import_snapshot
from tests.builders import container, node, pod
from tests.dashboard.rows import listing

pytestmark = pytest.mark.django_db
GPU = "nvidia.com/gpu"


def snapshot_of(user: Any, *pods: Any) -> Any:
    return import_snapshot(user, "waits", [("cluster.json", listing(node("n"), *pods))])


def asking(name: str, **requests: str) -> Any:
    """A pod that waits; it asks for devices by their limit alone."""
    gpus = {GPU: requests.pop("gpu")} if "gpu" in requests else {}
    return pod(name, containers=[container(requests=requests, limits=gpus)])


def test_pods_that_ask_for_other_devices_are_other_groups(alice: Any) -> None:
    snapshot = snapshot_of(
        alice, asking("a", cpu="1"), asking("b", cpu="1", gpu="2"), asking("c", cpu="1", gpu="2")
    )
    groups, number = pending_groups(snapshot, 10)
    assert number == 2
    assert [(one.first, one.pods, one.asks) for one in groups] == [
        ("b", 2, {"cpu": 1000, GPU: 2}), ("a", 1, {"cpu": 1000}),
    ]  # fmt: skip
    assert resources_asked(groups) == ["cpu", GPU]


def test_of_very_many_pods_only_the_columns_are_read(alice: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "MOST_READ", 1)
    snapshot = snapshot_of(alice, asking("a", cpu="1"), asking("b", cpu="1", gpu="2"))
    [group], number = pending_groups(snapshot, 10)
    assert (number, group.pods, group.asks) == (1, 2, {"cpu": 1000, "memory": 0})


def test_the_summary_has_a_column_for_each_resource_that_any_pod_asks_for(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = snapshot_of(alice, asking("a", memory="1Gi"), asking("b", gpu="2"))
    page = client.get(f"/snapshots/{snapshot.pk}/summary/").text
    assert f">{GPU} each</th>" in page
    assert ">memory each</th>" in page
    assert ">cpu each</th>" not in page
