"""The page of a node whose cards schedulers share: HAMi's count beside Volcano's."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db
BY_VOLCANO = "volcano.sh/node-vgpu-register"
BY_HAMI = "hami.io/node-nvidia-register"


def shared(**annotations: str) -> dict[str, Any]:
    made = node("n1")
    made["metadata"]["annotations"] = annotations
    vgpus = {"number": "20", "memory": "80000", "cores": "200"}
    made["status"]["allocatable"] |= {f"volcano.sh/vgpu-{name}": amount for name, amount in vgpus.items()}
    return made


def holder(name: str, held: str, **metadata: Any) -> dict[str, Any]:
    made = pod(name, node="n1")
    made["metadata"] |= {"annotations": {"volcano.sh/vgpu-ids-new": held}, **metadata}
    return made


def imported(alice: Any) -> Snapshot:
    """Two cards that Volcano divides, the first of which HAMi shares too; of its pods one is going."""
    divided = "GPU-a,10,40000,NVIDIA-A100,true,hami-core:GPU-b,10,40000,NVIDIA-A100,true,hami-core:"
    card = {
        "id": "GPU-a",
        "count": 8,
        "devmem": 40000,
        "devcore": 100,
        "type": "NVIDIA-A100",
        "health": True,
        "mode": "hami-core",
    }
    at_node = shared(**{BY_VOLCANO: divided, BY_HAMI: json.dumps([card])})
    gone = {"deletionTimestamp": "2026-03-01T00:00:00Z", "deletionGracePeriodSeconds": 30}
    pods = [holder("one", "GPU-a,NVIDIA,8000,25:;"), holder("going", "GPU-b,NVIDIA,8000,25:;", **gone)]
    return import_snapshot(alice, "prod", [("cluster.json", listing(at_node, *pods))])


def test_the_node_shows_both_counts(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get(f"/snapshots/{imported(alice).pk}/nodes/n1/").content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Cards that Volcano divides 2" in words
    assert "GPU-a NVIDIA-A100 40,000 8,000 25 of 100 % 1 of 10 shop/one" in words
    assert "GPU-b NVIDIA-A100 40,000 0 0 of 100 % 0 of 10 –" in words
    assert "Cards that HAMi shares 1" in words
    assert "GPU-a NVIDIA-A100 40,000 8 healthy –" in words


def test_instances_in_use_stand_beside_the_slots(client: Client, alice: Any) -> None:
    client.force_login(alice)
    at_node = shared(**{BY_VOLCANO: "GPU-a,10,40000,NVIDIA-A100,true,mig:"})
    geometry = {"group": "group1", "geometries": [{"name": "1g.5gb", "memory": 5120, "count": 7}]}
    known = [{"models": ["A100"], "allowedGeometries": [geometry]}]
    names = {"resourceCountName": "volcano.sh/vgpu-number"}
    settings = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "volcano-vgpu-device-config", "namespace": "kube-system"},
        "data": {"device-config.yaml": json.dumps({"nvidia": {**names, "knownMigGeometries": known}})},
    }
    content = listing(at_node, holder("one", "GPU-a[group1-3],NVIDIA,4000,25:;"), settings)
    snapshot = import_snapshot(alice, "prod", [("cluster.json", content)])
    page = client.get(f"/snapshots/{snapshot.pk}/nodes/n1/").content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "GPU-a NVIDIA-A100 40,000 5,120 25 of 100 % 1 of 10: 1g.5gb shop/one" in words
    [card] = client.get(f"/api/v1/snapshots/{snapshot.pk}/nodes/n1/vgpus/").json()["results"]
    assert (card["used_memory"], card["instances"]) == (5120, ["1g.5gb"])


def test_rest_has_what_volcano_counts(client: Client, alice: Any) -> None:
    client.force_login(alice)
    address = f"/api/v1/snapshots/{imported(alice).pk}/nodes"
    first, second = client.get(f"{address}/n1/vgpus/").json()["results"]
    assert (first["used_memory"], first["used_slots"], first["pods"]) == (8000, 1, ["shop/one"])
    assert second["pods"] == []
    assert client.get(f"{address}/other/vgpus/").status_code == 404


def test_a_node_without_cards_has_no_table_of_them(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = import_snapshot(alice, "prod", [("cluster.json", listing(node("n1")))])
    assert "Cards that" not in client.get(f"/snapshots/{snapshot.pk}/nodes/n1/").content.decode()
