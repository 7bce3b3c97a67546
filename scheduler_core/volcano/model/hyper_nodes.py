"""The tree of hyper nodes: which nodes are near each other in the network, tier above tier.

Source: volcano v1.16 pkg/scheduler/api/hyper_node_info.go, pkg/util/hypernode/member_selector.go,
framework/session.go addClusterTopHyperNode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from scheduler_core.go.regexp import BadPattern, Pattern
from scheduler_core.objects.selectors import from_label_selector, matches
from scheduler_core.objects.types import Node
from scheduler_core.volcano.model.custom_resources import HyperNode as HyperNodeObject
from scheduler_core.volcano.model.custom_resources import Member
from scheduler_core.volcano.model.nodes import Nodes, Rows

TOP = "<cluster-top-hypernode>"
"""Stands above all others and holds every node."""


@dataclass(eq=False)
class HyperNode:
    """A hyper node. `rows` are its nodes' and those of all below it, shape (its nodes,)."""

    name: str
    tier: int = 0
    tier_name: str = ""
    members: Sequence[Member] = ()
    parent: str = ""
    children: set[str] = field(default_factory=set)
    rows: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def holds(self, row: int) -> bool:
        """Return whether a node is in it."""
        place = int(np.searchsorted(self.rows, row))
        return place < len(self.rows) and self.rows.item(place) == row

    def count(self, rows: Rows) -> int:
        """Return how many of these nodes are in it, each as often as it is named."""
        places = np.searchsorted(self.rows, rows)
        inside = places < len(self.rows)
        return int(np.count_nonzero(self.rows[places[inside]] == rows[inside]))

    def nests(self, name: str) -> bool:
        """Return whether a hyper node is one of its members."""
        return any(_below(member) == name for member in self.members)


class HyperNodes:
    """The tree of a session. `ready` is False where some members contradict each other.

    `lowest` has the hyper node of the lowest tier that a node is in (empty: none), by the node's row.
    """

    def __init__(self, built: Fabric, nodes: Nodes) -> None:
        self._nodes = nodes
        self.ready = built.ready
        self.by_name = built.by_name
        for name, members in built.nodes.items():
            rows = sorted(nodes.row[node] for node in members if node in nodes.row)
            self.by_name[name].rows = np.array(rows, dtype=np.int64)
        self.tier_names = {one.tier_name: one.tier for one in self._in_order() if one.tier_name}
        self.by_tier: dict[int, list[str]] = {}
        for name in sorted(built.taken):
            self.by_tier.setdefault(self.by_name[name].tier, []).append(name)
        self.top = self._add_top()
        self.by_tier[self.top.tier] = [TOP]
        self.tiers = sorted(self.by_tier)
        self.lowest = [""] * len(nodes)
        for name in reversed(self.by_tier[self.tiers[0]]):
            for row in self.by_name[name].rows.tolist():
                self.lowest[row] = name

    def _in_order(self) -> Iterator[HyperNode]:
        return (self.by_name[name] for name in sorted(self.by_name))

    def _add_top(self) -> HyperNode:
        top = HyperNode(TOP, max([0, *self.by_tier]) + 1, rows=self._nodes.all)
        for one in self._in_order():
            if not one.parent:
                one.parent = TOP
                top.children.add(one.name)
        self.by_name[TOP] = top
        return top

    def ancestors(self, name: str) -> list[str]:
        """Return a hyper node and those above it, from below."""
        return _ancestors(self.by_name, name)

    def common(self, one: str, other: str) -> str:
        """Return the lowest hyper node above both, or the one where the other is empty; else empty."""
        if not one or not other:
            return one or other
        above = set(self.ancestors(one))
        return next((name for name in self.ancestors(other) if name in above), "")

    def around(self, rows: Iterable[int]) -> str:
        """Return the hyper node of the lowest tier that holds all of these nodes, the first by name."""
        wanted = np.unique(np.fromiter(rows, dtype=np.int64))
        if not len(wanted):
            return ""
        holding = (one for one in self._in_order() if np.isin(wanted, one.rows).all())
        return min(holding, key=lambda one: one.tier, default=self.top).name


class Fabric:
    """The tree as the scheduler's cache builds it, one hyper node after the other, as they come.

    `nodes` are the names of each one's nodes, whether they are there or not; `taken` are the hyper nodes that
    are there, and not only members of others.
    """

    def __init__(self, objects: Iterable[HyperNodeObject], sources: Sequence[Node]) -> None:
        self._sources = sources
        self.by_name: dict[str, HyperNode] = {}
        self.nodes: dict[str, set[str]] = {}
        self.taken: set[str] = set()
        self.ready = True
        for one in objects:
            self._take(one)

    def _take(self, source: HyperNodeObject) -> None:
        """Take a hyper node in; what is above it is built again."""
        name, spec = source.metadata.name, source.spec
        self.taken.add(name)
        was_named = name in self.by_name
        one = self.by_name.setdefault(name, HyperNode(name))
        one.tier, one.tier_name, one.members = spec.tier, spec.tier_name, spec.members or ()
        if was_named and not one.members:
            return
        above = _ancestors(self.by_name, name)
        for ancestor in above:
            self.nodes.pop(ancestor, None)
            if ancestor in self.by_name:
                self.by_name[ancestor].parent = ""
                self.by_name[ancestor].children.clear()
        done: set[str] = set()
        self.ready = all(self._build(ancestor, done, [], above) for ancestor in above)

    def _build(self, name: str, done: set[str], path: list[str], above: Sequence[str]) -> bool:
        """Find a hyper node's nodes; False where it would be above itself, or below two others."""
        if name in path:
            return False
        if name in done or name not in above or name not in self.by_name:
            return True
        for member in self.by_name[name].members:
            if member.type == "Node":
                self.nodes.setdefault(name, set()).update(_chosen(member, self._sources))
            elif child := _below(member):
                if not self._nest(name, child) or not self._build(child, done, [*path, name], above):
                    return False
                self.nodes.setdefault(name, set()).update(self.nodes.get(child, ()))
        done.add(name)
        return True

    def _nest(self, parent: str, name: str) -> bool:
        """Put a hyper node below another; one that isn't there yet has its place already."""
        child = self.by_name.setdefault(name, HyperNode(name))
        if child.parent not in ("", parent):
            return False
        child.parent = parent
        self.by_name[parent].children.add(name)
        return True


def _below(member: Member) -> str:
    """Return the hyper node that a member is; empty for nodes."""
    exact = member.selector.exact_match
    return exact.name if member.type == "HyperNode" and exact is not None else ""


def _chosen(member: Member, sources: Sequence[Node]) -> set[str]:
    """Return the nodes that a member chooses. What can't be read chooses none."""
    selector, chosen = member.selector, set[str]()
    if selector.exact_match is not None:
        if not selector.exact_match.name:
            return chosen
        chosen.add(selector.exact_match.name)
    if selector.regex_match is not None:
        try:
            pattern = Pattern(selector.regex_match.pattern)
        except BadPattern:
            return set()
        chosen.update(node.metadata.name for node in sources if pattern.is_in(node.metadata.name))
    if selector.label_match is not None:
        labels = selector.label_match
        if not labels.match_labels and not labels.match_expressions:
            return chosen
        read = from_label_selector(labels)
        chosen.update(node.metadata.name for node in sources if matches(read, node.metadata.labels or {}))
    return chosen


def _ancestors(by_name: dict[str, HyperNode], name: str) -> list[str]:
    """Return a hyper node and those above it. Where none is known that has adopted it, its members tell."""
    ancestors = [name]
    while True:
        known = by_name.get(ancestors[-1])
        parent = known.parent if known is not None else ""
        if not parent:
            tier = known.tier if known is not None else -1
            higher = (by_name[one] for one in sorted(by_name) if by_name[one].tier > tier)
            parent = next((one.name for one in higher if one.nests(ancestors[-1])), "")
        if not parent or parent in ancestors:
            return ancestors
        ancestors.append(parent)
