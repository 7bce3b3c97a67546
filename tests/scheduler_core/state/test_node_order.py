"""The order in which the scheduler goes through the nodes."""

import msgspec

from scheduler_core.objects.types import Node
from scheduler_core.state.node_order import round_the_zones, turns_of, zone_of

ZONE, BETA_ZONE = "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"
REGION, BETA_REGION = "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"


def node(name: str, labels: dict[str, str]) -> Node:
    return msgspec.convert({"metadata": {"name": name, "labels": labels}}, Node)


def test_of_a_node_with_both_labels_the_deprecated_one_counts() -> None:
    both = node("a", labels={ZONE: "new", BETA_ZONE: "old", REGION: "r", BETA_REGION: "former"})
    assert zone_of(both) == ("former", "old")
    assert zone_of(node("b", labels={ZONE: "new", REGION: "r"})) == ("r", "new")


def test_an_empty_deprecated_label_counts_too() -> None:
    assert zone_of(node("a", labels={ZONE: "new", BETA_ZONE: ""})) == ("", "")


def test_one_node_of_each_zone_in_turn() -> None:
    zones = [{ZONE: "x"}, {ZONE: "x"}, {ZONE: "y"}, {ZONE: "x", BETA_ZONE: "y"}, {}]
    nodes = [node(f"n{number}", labels=labels) for number, labels in enumerate(zones)]
    assert round_the_zones(turns_of(nodes)).tolist() == [0, 2, 4, 1, 3]
