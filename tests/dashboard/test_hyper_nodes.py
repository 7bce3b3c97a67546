"""The page of a snapshot's hyper nodes, and nodes as a map by them."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


def hyper_node(name: str, tier: int, kind: str, *members: str) -> dict[str, Any]:
    return {
        "apiVersion": "topology.volcano.sh/v1alpha1",
        "kind": "HyperNode",
        "metadata": {"name": name},
        "spec": {
            "tier": tier,
            "members": [{"type": kind, "selector": {"exactMatch": {"name": one}}} for one in members],
        },
    }


def gpus(name: str, **spec: Any) -> dict[str, Any]:
    made = node(name)
    made["status"]["allocatable"] |= {"cpu": "4", "nvidia.com/gpu": "8"}
    made["spec"] = spec
    return made


def imported(alice: Any, *more: dict[str, Any]) -> Snapshot:
    """Two racks below a spine: a cordoned node, a pod with two GPUs, and a node that isn't there."""
    held = pod("held", node="a-1")
    held["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "1"}, "limits": {"nvidia.com/gpu": "2"}}
    racks = [
        hyper_node("rack-a", 1, "Node", "a-1", "a-2", "gone"),
        hyper_node("rack-b", 1, "Node", "b-1"),
        hyper_node("spine", 2, "HyperNode", "rack-a", "rack-b"),
    ]
    nodes = [gpus("a-1"), gpus("a-2", unschedulable=True), gpus("b-1"), gpus("apart")]
    return import_snapshot(alice, "prod", [("cluster.json", listing(*nodes, held, *racks, *more))])


def test_each_hyper_node_says_what_is_free_in_it(client: Client, alice: Any) -> None:
    client.force_login(alice)
    address = f"/snapshots/{imported(alice).pk}/volcano/hypernodes/"
    page = " ".join(re.sub(r"<[^>]+>", " ", client.get(address).content.decode()).split())
    assert "3 hyper nodes in 2 tiers. Of tier 1, rack-b has most free: 8 of 8 nvidia.com/gpu." in page
    assert "rack-a 1 spine nodes 2 + 1 missing" in page
    found = {
        (one["hyper_node"], one["resource"]): (one["free"], one["of"])
        for one in json.loads(client.get(f"{address}?format=json").content)
    }
    assert found["rack-a", "nvidia.com/gpu"] == (6, 16)
    assert found["rack-a", "cpu"] == (3000, 8000)
    assert found["spine", "nvidia.com/gpu"] == (14, 24)


def test_the_map_can_group_nodes_by_tier(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get(f"/snapshots/{imported(alice).pk}/nodes/?view=map").content.decode()
    found = re.search(r'id="nodes-of-map" type="application/json">(.*?)</script>', page)
    assert found is not None
    told = json.loads(found[1])
    tiers = {one["name"]: told["alike"][one["alike"]]["labels"] for one in told["nodes"]}
    assert tiers["a-2"]["hyper node of tier 1"] == "rack-a"
    assert tiers["b-1"]["hyper node of tier 2"] == "spine"
    assert "hyper node of tier 1" not in tiers["apart"]


def test_contradicting_hyper_nodes_are_told(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = imported(alice, hyper_node("other", 2, "HyperNode", "rack-a"))
    page = client.get(f"/snapshots/{snapshot.pk}/volcano/hypernodes/").content.decode()
    assert "Their members contradict each other" in page


def test_without_hyper_nodes_there_is_no_page(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = import_snapshot(alice, "prod", [("cluster.json", listing(node("n")))])
    assert client.get(f"/snapshots/{snapshot.pk}/volcano/hypernodes/").status_code == 404
    assert "Hyper nodes" not in client.get(f"/snapshots/{snapshot.pk}/nodes/").content.decode()


def test_rest_has_the_list_the_tree_and_the_sentence(client: Client, alice: Any) -> None:
    client.force_login(alice)
    address = f"/api/v1/snapshots/{imported(alice).pk}/hyper-nodes/"
    found = client.get(address).json()
    leaves = [{"name": name, "tier": 1, "below": []} for name in ("rack-a", "rack-b")]
    assert found["tree"] == [{"name": "spine", "tier": 2, "below": leaves}]
    rack = found["hyper_nodes"][0]
    assert (rack["name"], rack["missing"], rack["room"]["nvidia.com/gpu"]) == (
        "rack-a",
        1,
        {"free": 6, "of": 16},
    )
    printed = client.get(address, headers={"accept": "text/plain"}).content.decode()
    assert "Of tier 1, rack-b has most free: 8 of 8 nvidia.com/gpu." in printed
