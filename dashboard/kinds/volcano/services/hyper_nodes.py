"""The hyper nodes of a snapshot: the tree that Volcano would build of them, and what is free in each.

Free is what nodes have and no pod on them asks for. Nodes that are cordoned or not ready count for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from django.db.models import QuerySet

from dashboard.models import Node, Snapshot, VolcanoObject
from dashboard.queries.node_map import MapNode, map_nodes
from scheduler_core.objects import types
from scheduler_core.volcano.api_kinds import VOLCANO_HYPER_NODE
from scheduler_core.volcano.model.custom_resources import HyperNode
from scheduler_core.volcano.model.hyper_nodes import Fabric

_NOT_DEVICES = frozenset({"cpu", "memory", "ephemeral-storage", "pods"})


class Line(NamedTuple):
    """A hyper node. `parents` are those above, the next first; `nodes` counts those of all below it.

    `missing` members are no nodes of the snapshot. Amounts are in the log's units, `free` of `whole`.
    """

    name: str
    tier: int
    tier_name: str
    parents: list[str]
    below: list[str]
    nodes: int
    missing: int
    free: Mapping[str, int]
    whole: Mapping[str, int]


class HyperNodes(NamedTuple):
    """All of a snapshot, by tier from below and name; `ready` is False where members contradict each other.

    devices: what is counted beside cpu and memory, the most plentiful first.
    """

    lines: list[Line]
    devices: list[str]
    ready: bool

    def tree(self) -> list[Branch]:
        """Return the hyper nodes that stand below no other, each with those below it."""
        by_name = {line.name: line for line in self.lines}
        tops = [line for line in self.lines if not any(parent in by_name for parent in line.parents)]
        return [_branch(line, by_name, frozenset()) for line in sorted(tops, key=lambda line: line.name)]


class Branch(msgspec.Struct, frozen=True):
    """A hyper node of a tree, with those below it by name."""

    name: str
    tier: int
    below: list[Branch]


def _branch(line: Line, by_name: Mapping[str, Line], above: frozenset[str]) -> Branch:
    """Return a hyper node with those below it; one that stands above itself ends there."""
    seen = above | {line.name}
    below = [
        _branch(by_name[name], by_name, seen) for name in line.below if name in by_name and name not in seen
    ]
    return Branch(line.name, line.tier, below)


def hyper_nodes_of(snapshot: Snapshot, nodes: QuerySet[Node]) -> HyperNodes:
    """Return the hyper nodes of a snapshot with what is free in each.

    nodes: those of the snapshot, with what their pods request of cpu and memory.
    """
    fabric = _fabric(snapshot)
    free, whole = _room(map_nodes(snapshot, nodes))
    lines = [_line(fabric, name, free, whole) for name in fabric.taken]
    devices = Counter[str]()
    for amounts in whole.values():
        devices.update({name: amount for name, amount in amounts.items() if name not in _NOT_DEVICES})
    named = [name for name, amount in sorted(devices.items(), key=lambda one: (-one[1], one[0])) if amount]
    return HyperNodes(sorted(lines, key=lambda line: (line.tier, line.name)), named, fabric.ready)


def groups_by_tier(snapshot: Snapshot) -> dict[str, dict[str, str]]:
    """Return the hyper node of each node, the first by name, tier by tier; empty where there are none."""
    fabric = _fabric(snapshot)
    found: dict[str, dict[str, str]] = {}
    for name in sorted(fabric.taken, key=lambda name: (fabric.by_name[name].tier, name)):
        of_tier = found.setdefault(f"hyper node of tier {fabric.by_name[name].tier}", {})
        for node in fabric.nodes.get(name, ()):
            of_tier.setdefault(node, name)
    return found


def _fabric(snapshot: Snapshot) -> Fabric:
    rows = VolcanoObject.objects.filter(snapshot=snapshot, kind=str(VOLCANO_HYPER_NODE)).order_by("position")
    documents = [row.object for row in rows]
    if not documents:
        return Fabric([], [])
    nodes = Node.objects.filter(snapshot=snapshot).order_by("position")
    sources = [types.convert(document, types.Node) for document in nodes.values_list("object", flat=True)]
    return Fabric([types.convert(document, HyperNode) for document in documents], sources)


def _room(nodes: Sequence[MapNode]) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """Return what is free of each node and what each has, by resource; none is free where no pod may come."""
    free: dict[str, dict[str, int]] = {}
    whole: dict[str, dict[str, int]] = {}
    for node in nodes:
        whole[node["name"]] = node["allocatable"]
        is_open = node["ready"] and not node["unschedulable"]
        free[node["name"]] = {
            name: max(amount - node["requested"].get(name, 0), 0) if is_open else 0
            for name, amount in node["allocatable"].items()
        }
    return free, whole


def _line(
    fabric: Fabric, name: str, free: Mapping[str, Mapping[str, int]], whole: Mapping[str, Mapping[str, int]]
) -> Line:
    one, members = fabric.by_name[name], fabric.nodes.get(name, set())
    return Line(
        name,
        one.tier,
        one.tier_name,
        _above(fabric, name),
        sorted(one.children),
        len(members & whole.keys()),
        len(members - whole.keys()),
        _sum(free, members),
        _sum(whole, members),
    )


def _above(fabric: Fabric, name: str) -> list[str]:
    """Return the hyper nodes above one, as often as the tree goes up without coming back."""
    above: list[str] = []
    parent = fabric.by_name[name].parent
    while parent and parent != name and parent not in above:
        above.append(parent)
        parent = fabric.by_name[parent].parent if parent in fabric.by_name else ""
    return above


def _sum(amounts: Mapping[str, Mapping[str, int]], members: Sequence[str] | set[str]) -> dict[str, int]:
    total = Counter[str]()
    for member in members:
        total.update(amounts.get(member, {}))
    return dict(total)
