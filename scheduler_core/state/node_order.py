"""The order in which the scheduler goes through the nodes: round the zones, one node of each in turn.

Zones stand in the order in which they came into being; a zone that loses its last node is forgotten. A node
that changes its zone comes last in the new one. So every node has a `Turn`.

Source: kubernetes v1.36 pkg/scheduler/backend/cache/node_tree.go; k8s.io/component-helpers v0.36
node/topology GetZoneKey.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.types import Node

# The deprecated labels come first: a node that carries both is counted by its old zone.
_ZONE_LABELS = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
_REGION_LABELS = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")


class Turn(NamedTuple):
    """When a node's zone came into being, and when the node came into it; both count nodes."""

    zone_since: int
    since: int


Zone = tuple[str, str]


def zone_of(node: Node) -> Zone:
    """Return the node's region and zone."""
    labels = node.metadata.labels or {}
    return _first(labels, _REGION_LABELS), _first(labels, _ZONE_LABELS)


def turns_of(nodes: Sequence[Node]) -> list[Turn]:
    """Return the turns of nodes that come one after another."""
    turns: list[Turn] = []
    zones: dict[Zone, int] = {}
    for number, node in enumerate(nodes):
        turns.append(Turn(zones.setdefault(zone_of(node), number), number))
    return turns


def turn_of_newcomer(node: Node, others: Iterable[tuple[Node, Turn]]) -> Turn:
    """Return the turn of a node that comes to the others."""
    zone, last, zone_since = zone_of(node), -1, None
    for other, turn in others:
        last = max(last, turn.since, turn.zone_since)
        if zone_of(other) == zone:
            zone_since = turn.zone_since
    return Turn(last + 1 if zone_since is None else zone_since, last + 1)


def round_the_zones(turns: Sequence[Turn]) -> NDArray[np.int64]:
    """Return the rows in the scheduler's own order: one node of each zone in turn."""
    zones: dict[int, list[int]] = {}
    for turn, row in sorted((turn, row) for row, turn in enumerate(turns)):
        zones.setdefault(turn.zone_since, []).append(row)
    order = [(place, zone, row) for zone, rows in enumerate(zones.values()) for place, row in enumerate(rows)]
    return np.array([row for _, _, row in sorted(order)], dtype=np.int64)


def _first(labels: dict[str, str], keys: Sequence[str]) -> str:
    return next((labels[key] for key in keys if key in labels), "")
