"""Nodes that edits add like others register cards of their own, so that pods that share cards go there."""

import json

import yaml

from samples.hami.sample import hami_files
from scheduler_core.schedulers.registry import registration
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.volcano.gangs import priority_classes, queue
from tests.scheduler_core.volcano.test_kept_from_session_to_session import (
    REGISTER,
    VGPU,
    node_of_cards,
    slice_of,
)

CLONES = [{"op": "clone-node", "node": "a100-1", "count": 2}]


def hami_objects():
    documents = (one for _, data in hami_files() for one in yaml.safe_load_all(data) if one)
    return [item for one in documents for item in (one["items"] if one["kind"].endswith("List") else [one])]


def placed_on(objects, prefix, **more):
    simulation = Simulation(RunInput(objects=objects, **more))
    for _ in simulation:
        pass
    return {one.name: one.node for one in simulation.state().pods() if one.node.startswith(prefix)}


def test_a_copy_of_a_node_of_hamis_gets_pods_on_cards_with_ids_of_its_own():
    objects = hami_objects()
    assert placed_on(objects, "a100-1-", edits=CLONES, profile="hami-2.10")
    [node] = [one for one in objects if one["kind"] == "Node" and one["metadata"]["name"] == "a100-1"]
    before, after = (
        {card["id"] for card in json.loads(annotations["hami.io/node-nvidia-register"])}
        for annotations in (node["metadata"]["annotations"], registration(node, "a100-1-1"))
    )
    assert len(before) == len(after) == 4
    assert not before & after
    assert not after & {
        card["id"] for card in json.loads(registration(node, "a100-1-2")["hami.io/node-nvidia-register"])
    }


def test_a_card_that_is_sick_is_healthy_in_the_copy():
    [node] = [one for one in hami_objects() if one["kind"] == "Node" and one["metadata"]["name"] == "a100-1"]
    annotations = node["metadata"]["annotations"]
    sick = annotations["hami.io/node-nvidia-register"].replace('"health": true', '"health": false', 1)
    annotations["hami.io/node-nvidia-register"] = sick
    cards = json.loads(registration(node, "new")["hami.io/node-nvidia-register"])
    assert all(card["health"] for card in cards)


def test_a_copy_of_a_node_of_volcanos_gets_pods_on_cards_with_ids_of_its_own():
    full = node_of_cards(0, [8000])
    objects = [
        queue("research", 1),
        *priority_classes(),
        full,
        *slice_of("a", 7000, 0),
        *slice_of("b", 7000, 0),
    ]
    config = {"profile": "volcano-1.16", "config": VGPU, "controllers": "none"}
    edits = [{"op": "clone-node", "node": "node-0", "count": 1}]
    assert set(placed_on(objects, "node-0", **config)) == {"a-worker-0"}
    assert placed_on(objects, "node-0", edits=edits, **config) == {
        "a-worker-0": "node-0",
        "b-worker-0": "node-0-1",
    }
    assert registration(full, "x")[REGISTER] != full["metadata"]["annotations"][REGISTER]


def test_a_node_without_cards_registers_none():
    assert registration({"metadata": {"name": "n"}}, "m") == {}
