"""HyperNodes that Volcano's controller discovers from the labels of nodes."""

import json

import pytest
import yaml

from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.types import Node, convert
from scheduler_core.volcano.imports.references import missing_references
from scheduler_core.volcano.model.custom_resources import HyperNode
from scheduler_core.volcano.model.label_discovery import discovery_in
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node

FABRIC = ["example.com/spine", "example.com/rack", "kubernetes.io/hostname"]
"""The labels as a configuration lists them: the highest tier first, the node itself last."""


def config_map(types=None, *, enabled=True, **more):
    by_type = {"fabric": FABRIC} if types is None else types
    told = {name: [{"nodeLabel": label} for label in labels] for name, labels in by_type.items()}
    source = {"source": "label", "enabled": enabled, "config": {"networkTopologyTypes": told}} | more
    conf = {"networkTopologyDiscovery": [{"source": "ufm", "enabled": False}, source]}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "volcano-controller-configmap", "namespace": "volcano-system"},
        "data": {"volcano-controller.conf": yaml.safe_dump(conf)},
    }


def labelled(name, rack="", spine=""):
    labels = {"example.com/rack": rack, "example.com/spine": spine}
    return node(name, cpu="4", labels={key: value for key, value in labels.items() if value})


def made(objects, nodes, known=()):
    found = discovery_in(objects).hyper_nodes([convert(one, Node) for one in nodes], known)
    return {
        one.metadata.name: (one.spec.tier, [member.selector.exact_match.name for member in one.spec.members])
        for one in found
    }


NODES = [
    labelled("n1", "r1", "s1"),
    labelled("n2", "r1", "s1"),
    labelled("n3", "r2", "s1"),
    labelled("n4", "R 3"),
    labelled("n5", "", "s1"),
]


def test_nodes_of_a_label_are_a_hyper_node_and_these_are_members_of_the_next():
    assert made([config_map()], NODES) == {
        "hypernode-fabric-tier1-r-3": (1, ["n4"]),
        "hypernode-fabric-tier1-r1": (1, ["n1", "n2"]),
        "hypernode-fabric-tier1-r2": (1, ["n3"]),
        "hypernode-fabric-tier2-s1": (2, ["hypernode-fabric-tier1-r1", "hypernode-fabric-tier1-r2"]),
    }


def hyper_node(name, **labels):
    return convert({"metadata": {"name": name, "labels": labels}, "spec": {"tier": 1}}, HyperNode)


def test_one_that_was_made_of_the_label_keeps_its_name_and_those_of_gone_labels_go():
    ours = {"volcano.sh/network-topology-source": "label"}
    known = [
        hyper_node("hypernode-fabric-tier1-zzzzz", **ours, **{"example.com/rack": "r1"}),
        hyper_node("hypernode-fabric-tier1-abcde", **ours, **{"example.com/rack": "gone"}),
        hyper_node("by-hand", **{"example.com/rack": "r1"}),
    ]
    found = discovery_in([config_map()]).hyper_nodes([convert(NODES[0], Node)], known)
    names = [one.metadata.name for one in found]
    assert names == ["by-hand", "hypernode-fabric-tier1-zzzzz", "hypernode-fabric-tier2-s1"]


def test_types_that_the_controller_passes_over_make_none():
    twice = {"fabric": ["a", "a", "b"], "x" * 21: FABRIC}
    assert discovery_in([config_map(twice)]) is None
    assert discovery_in([config_map(enabled=False)]) is None
    assert (
        discovery_in([config_map() | {"metadata": {"name": "other", "namespace": "volcano-system"}}]) is None
    )


def test_an_import_keeps_the_labels_and_drops_the_rest():
    given = config_map(credentials={"secretRef": {"name": "s", "namespace": "n"}}, interval=600)
    kept, _ = withhold_private([given])
    entry = json.loads(kept[0]["data"]["volcano-controller.conf"])
    (_, source) = entry["networkTopologyDiscovery"]
    assert source.keys() == {"source", "enabled", "interval", "config"}
    assert discovery_in(kept) == discovery_in([given])


def test_an_import_without_the_hyper_nodes_says_that_a_run_makes_them():
    (phrase,) = [one for one in missing_references([config_map(), *NODES]) if "HyperNode" in one]
    assert phrase.startswith("4 HyperNodes (hypernode-fabric-tier1-r-3, hypernode-fabric-tier1-r1")
    assert "as ConfigMap volcano-system/volcano-controller-configmap says" in phrase


@pytest.mark.parametrize(("enabled", "told"), [(True, 1), (False, 0)])
def test_a_source_that_asks_a_server_outside_is_named(enabled, told):
    conf = {"networkTopologyDiscovery": [{"source": "ufm", "enabled": enabled}]}
    item = config_map() | {"data": {"volcano-controller.conf": yaml.safe_dump(conf)}}
    found = [one for one in missing_references([item, *NODES]) if one.startswith("source ufm of HyperNodes")]
    assert len(found) == told


def test_a_run_has_them_also_of_nodes_that_come_later():
    late = {"op": "add", "at": 5, "manifest": labelled("n9", "r9", "s1")}
    simulation = Simulation(
        RunInput(
            objects=[config_map(), *NODES], profile="volcano-1.16", driver="timed", edits=[late], until=20
        )
    )
    rows = simulation.state().tables["hyper_nodes"]
    assert rows["hypernode-fabric-tier2-s1"]["nodes"] == ["n1", "n2", "n3"]
    list(simulation)
    rows = simulation.state().tables["hyper_nodes"]
    assert rows["hypernode-fabric-tier2-s1"]["nodes"] == ["n1", "n2", "n3", "n9"]
    assert rows["hypernode-fabric-tier1-r9"]["parent"] == "hypernode-fabric-tier2-s1"
