"""The page of a snapshot's claims and of what drivers offer."""

import json
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import import_snapshot
from samples.devices.sample import devices_files
from tests.builders import node
from tests.dashboard.rows import listing

pytestmark = pytest.mark.django_db


def page(client: Client, snapshot: Snapshot, query: str = "") -> str:
    answer = client.get(f"/snapshots/{snapshot.pk}/devices/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def held(files: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The sample, whose shared claim has a device for notebook-0."""
    result = {"request": "card", "driver": "gpu.nvidia.com", "pool": "gpu-b", "device": "gpu-0"}
    status = {
        "allocation": {"devices": {"results": [result]}},
        "reservedFor": [{"resource": "pods", "name": "notebook-0", "uid": "pod-notebook-0"}],
    }
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "held", "namespace": "default", "uid": "held"},
        "spec": {
            "devices": {"requests": [{"name": "card", "exactly": {"deviceClassName": "gpu.nvidia.com"}}]}
        },
        "status": status,
    }
    return [*files, ("held.json", json.dumps(claim).encode())]


def test_devices_are_counted_by_node_and_claims_say_who_has_them(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = import_snapshot(alice, "devices", held(devices_files()))
    text = page(client, snapshot)
    assert "16 devices in slices, of which claims hold 1." in text
    assert "10 of them share counters: not all of these can be held at once." in text
    assert "2 claims, of which 1 without devices so far." in text
    assert "gpu.nvidia.com/gpu-b/gpu-0" in text
    assert "default/notebook-0" in text
    tab = f'href="/snapshots/{snapshot.pk}/devices/"'
    assert client.get(f"/snapshots/{snapshot.pk}/").content.decode().count(tab) == 1
    rows = json.loads(page(client, snapshot, "?format=json"))
    assert [row["claim"] for row in rows] == ["default/held", "default/shared"]


def test_a_snapshot_without_any_has_no_such_page(client: Client, alice: Any) -> None:
    client.force_login(alice)
    plain = import_snapshot(alice, "plain", [("cluster.json", listing(node("a")))])
    assert client.get(f"/snapshots/{plain.pk}/devices/").status_code == 404
