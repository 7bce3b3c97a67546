"""What of HAMi survives an import, and what a snapshot's nodes say of their cards."""

import json
from typing import Any

import pytest

from dashboard.models import Node
from scheduler_core.hami.imports.card_faults import card_faults
from scheduler_core.hami.imports.registered_cards import registered_cards, unreadable_registrations
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.hami import cards

ON_A_NODE = {
    "hami.io/node-handshake": "Requesting_2026-06-01 00:00:00",
    "hami.io/node-nvidia-register": json.dumps(cards.json_cards(2, "gpu", "NVIDIA A100")),
    "hami.io/node-register-Ascend910B3": json.dumps(cards.json_cards(2, "npu", "Ascend910B3")),
    "hami.io/node-dcu-register": "dcu-0,10,10000,100,DCU-Z100,0,true,0,hami-core:",
    "hami.io/mutex.lock": "2026-06-01T00:00:00Z,default,p",
    "hami.io/device-cordon": "gpu-0",
    "cambricon.com/dsmlu.lock": "2026-06-01T00:00:00Z",
    "metax-tech.com/node-gpu-devices": "[]",
    "metax-tech.com/gpu.topology.losses": '{"1": 0}',
    "enflame.com/gcu-drs-capacity": '{"devices": []}',
}
ON_A_POD = {
    "hami.io/vgpu-node": "a",
    "hami.io/vgpu-time": "1780272000",
    "hami.io/vgpu-devices-allocated": "gpu-0,NVIDIA,4000,20:;",
    "hami.io/vgpu-mig-allocations": '[{"containerIndex": 0, "profile": "1g.5gb"}]',
    "hami.io/bind-phase": "success",
    "hami.io/bind-time": "1780272000",
    "hami.io/node-scheduler-policy": "spread",
    "hami.io/gpu-scheduler-policy": "binpack",
    "hami.io/device-scoring-weights": "slot=1,core=1,memory=1",
    "nvidia.com/use-gputype": "A100",
    "nvidia.com/nouse-gpuuuid": "gpu-1",
    "nvidia.com/vgpu-mode": "hami-core",
    "nvidia.com/numa-bind": "true",
    "huawei.com/vnpu-mode": "hami-core",
    "hygon.com/use-gpuuuid": "dcu-0",
    "metax-tech.com/sgpu-qos-policy": "fixed-share",
    "amd.com/use-gpu-uuid": "amd-0",
}
PRIVATE = {"kubectl.kubernetes.io/last-applied-configuration": "{}", "vault.hashicorp.com/secret": "token"}


@pytest.mark.parametrize(
    ("item", "annotations"),
    [(cards.node("a"), ON_A_NODE), (cards.pod("p", {"nvidia.com/gpu": 1}), ON_A_POD)],
)
def test_what_hami_writes_and_reads_survives_and_secrets_do_not(
    item: dict[str, Any], annotations: dict[str, str]
) -> None:
    item = {"apiVersion": "v1", **item}
    item["metadata"] = {**item["metadata"], "annotations": annotations | PRIVATE}
    [kept], _ = withhold_private([item])
    assert kept["metadata"]["annotations"] == annotations


@pytest.mark.parametrize(
    ("node", "count"),
    [
        (cards.node(), 0),
        (cards.nvidia(count=3), 3),
        (cards.ascend(count=2), 2),
        (cards.metax_gpu(count=4), 4),
        (cards.node(capacity={"metax-tech.com/gpu": 10**9}), 0),
        (cards.node(capacity={"cambricon.com/mlu.smlu.vcore": 10**9}), 0),
        (cards.node(capacity={"aws.amazon.com/neuron": 1, "aws.amazon.com/neuroncore": 10**9}), 1),
        (cards.node(annotations={"hami.io/node-nvidia-register": "[{]"}), 0),
    ],
)
def test_a_node_registers_so_many_cards(node: dict[str, Any], count: int) -> None:
    assert registered_cards(node) == count


@pytest.mark.parametrize("text", ['[{"id": "gpu-0", "devmem": "40960"}]', "{"])
def test_cards_that_cannot_be_read_are_told_at_import_and_in_a_run(as_alice: Any, text: str) -> None:
    register = {"hami.io/node-nvidia-register": text}
    items = [cards.nvidia("a"), cards.node("b", annotations=register)]
    items = [{"apiVersion": "v1", **node} for node in items]
    body = {"apiVersion": "v1", "kind": "List", "items": items}
    told = "Node b: annotation hami.io/node-nvidia-register cannot be read: its cards are unknown"
    warnings = as_alice.post("/api/v1/snapshots/", body, format="json").json()["warnings"]
    assert f"{told}." in warnings
    assert told in Simulation(RunInput(objects=items, profile="hami-2.10")).trust.missing
    assert told not in Simulation(RunInput(objects=items)).trust.missing


def test_of_many_nodes_whose_cards_cannot_be_read_the_first_are_named() -> None:
    nodes = [cards.node(name, annotations={"hami.io/node-dcu-register": "?"}) for name in "abcd"]
    nodes += [cards.node("m", annotations={"metax-tech.com/node-gpu-devices": text}) for text in ("[]", "{")]
    assert unreadable_registrations([*nodes, cards.nvidia("e"), cards.node("f")]) == [
        "annotation hami.io/node-dcu-register of 4 Nodes (a, b, c, …) cannot be read:"
        " their cards are unknown",
        "Node m: annotation metax-tech.com/node-gpu-devices cannot be read: its cards are unknown",
    ]


def test_names_of_cards_that_nobody_knows_are_told_at_import_and_in_a_run(as_alice: Any) -> None:
    other = cards.node("b", {"hami.io/node-nvidai-register": "[]"}, capacity={"nvidia.com/mig-1g.5gb": 1})
    pods = [
        cards.pod("p", {"nvidia.com/gpu": 1, "nvidia.com/gpumemory": 1000}),
        cards.pod("q", {"nvidia.com/mig-1g.5gb": 1, "example.com/card": 1}),
        cards.pod("r", {"nvidia.com/gpu": 1}, {"hami.io/vgpu-devices-allocated": "gpu-0,NVIDIA,x;"}),
    ]
    items = [{"apiVersion": "v1", **item} for item in (cards.nvidia("a"), other, *pods)]
    told = [
        "annotation hami.io/node-nvidai-register of 1 Node (b) is of no vendor that HAMi's chart sets up"
        " (did you mean hami.io/node-nvidia-register?): only settings of your own would read it",
        "1 pod (default/p) asks for nvidia.com/gpumemory, which no node has and HAMi's chart doesn't set up"
        " (did you mean nvidia.com/gpumem?)",
        "annotation hami.io/vgpu-devices-allocated of 1 pod (default/r) cannot be read: the cards in it count"
        " as free",
    ]
    body = {"apiVersion": "v1", "kind": "List", "items": items}
    warnings = as_alice.post("/api/v1/snapshots/", body, format="json").json()["warnings"]
    assert [warning for warning in warnings if "hami.io" in warning or "HAMi" in warning] == [
        f"{phrase[0].upper()}{phrase[1:]}." for phrase in told
    ]
    assert Simulation(RunInput(objects=items, profile="hami-2.10")).trust.missing[:3] == told
    assert card_faults([cards.node("c")], pods) == []


@pytest.mark.parametrize(
    ("limits", "amounts"),
    [
        ({"nvidia.com/gpu": 1, "nvidia.com/gpumem": "16Gi"}, "nvidia.com/gpu 1, nvidia.com/gpumem 16Gi"),
        ({"hygon.com/dcunum": 1, "hygon.com/dcumem": "8Gi"}, "hygon.com/dcumem 8Gi, hygon.com/dcunum 1"),
    ],
)
def test_amounts_that_hami_reads_as_no_request_at_all_are_told(limits: dict[str, Any], amounts: str) -> None:
    """HAMi lets such a pod go to any node, without a card: nvidia/device.go GenerateResourceRequests."""
    node = {"apiVersion": "v1", **cards.nvidia("a")}
    asks = [
        cards.pod("p", limits),
        cards.pod("q", {"nvidia.com/gpu": 1, "nvidia.com/gpumem": "16k"}),
        cards.pod("r", {"nvidia.com/gpu": 0, "nvidia.com/gpumem": "16Gi"}),
    ]
    pods = [{"apiVersion": "v1", **pod} for pod in asks]
    told = (
        f"1 pod (default/p) asks for {amounts}, which HAMi does not read as a request for cards: it gives it "
        "none, and refuses no node"
    )
    assert card_faults([node], pods) == [told]
    assert Simulation(RunInput(objects=[node, *pods], profile="hami-2.10")).trust.missing[0] == told


def test_a_snapshot_says_how_many_cards_its_nodes_register(as_alice: Any) -> None:
    nodes = cards.nvidia("a", 3), cards.ascend("b", count=2), cards.node("c")
    items = [{"apiVersion": "v1", **node} for node in nodes]
    body = {"apiVersion": "v1", "kind": "List", "items": items}
    imported = as_alice.post("/api/v1/snapshots/", body, format="json")
    assert imported.status_code == 201, imported.content
    url = f"/api/v1/snapshots/{imported.json()['id']}/nodes/"
    rows = as_alice.get(url, {"ordering": "-cards"}).json()["results"]
    assert [(row["name"], row["cards"]) for row in rows] == [("a", 3), ("b", 2), ("c", 0)]
    assert set(Node.objects.values_list("name", "cards")) == {("a", 3), ("b", 2), ("c", 0)}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("hami.io/node-register-MR-V100", "hami.io/node-MR-V100-register"),
        ("hami.io/node-Ascend910B3-register", "hami.io/node-register-Ascend910B3"),
        ("hami.io/node-nvida-register", "hami.io/node-nvidia-register"),
    ],
)
def test_the_annotation_that_a_misspelt_registration_means_is_found_by_its_vendor(
    written: str, meant: str
) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "annotations": {written: "[]"}}}
    [phrase] = card_faults([node], [])
    assert f"(did you mean {meant}?)" in phrase


def test_the_cards_of_a_node_are_told_with_the_pods_that_hold_them(as_alice: Any) -> None:
    registered = {"hami.io/node-nvidia-register": ON_A_NODE["hami.io/node-nvidia-register"]}
    node = {"apiVersion": "v1", **cards.node("a.example", registered)}
    holder = {"apiVersion": "v1", **cards.pod("p", {"nvidia.com/gpu": 1}, ON_A_POD, nodeName="a.example")}
    body = {"apiVersion": "v1", "kind": "List", "items": [node, holder]}
    snapshot = as_alice.post("/api/v1/snapshots/", body, format="json").json()["id"]
    answer = as_alice.get(f"/api/v1/snapshots/{snapshot}/nodes/a.example/cards/")
    first, second = answer.json()["results"]
    assert first == {
        "vendor": "NVIDIA", "id": "gpu-0", "index": 0, "model": "NVIDIA A100", "memory": 10_000, "cores": 100,
        "slots": 10, "healthy": True, "pods": ["default/p"],
    }  # fmt: skip
    assert (second["id"], second["pods"]) == ("gpu-1", [])
    assert as_alice.get(f"/api/v1/snapshots/{snapshot}/nodes/b/cards/").status_code == 404
