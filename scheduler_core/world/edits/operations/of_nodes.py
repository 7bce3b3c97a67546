"""Edits of nodes: one, several by name, those with certain labels, or a group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from scheduler_core.objects.identity import name_of
from scheduler_core.objects.kinds import NODE
from scheduler_core.objects.node_groups import in_group, parse_group
from scheduler_core.objects.selector_text import parse_selector
from scheduler_core.objects.selectors import Selector, matches
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.changes import change
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Edit, Field, listed, said
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
T = TypeVar("T")

NODES = Field("nodes", "Nodes", "nodes")
SelectorText = Annotated[
    str | None, said("A label selector as kubectl takes it: `pool=general,zone in (a,b),!spot`.")
]


class NodesEdit(Edit, kw_only=True, frozen=True):
    """Base of edits of nodes. Which ones is worked out where the edit is applied."""

    ways = ("node", "nodes", "selector", "group")

    node: Annotated[str | None, said("The node's name.")] = None
    nodes: Annotated[
        list[str] | None, said("The names of several nodes, in the order in which it is done.")
    ] = None
    selector: SelectorText = None
    group: Annotated[
        str | None,
        said("`pool=…` or `zone=…` as the nodes' labels say, or `name=…`: what their names begin with."),
    ] = None

    def check(self) -> None:
        super().check()
        if self.selector is not None:
            read_selector(self.selector)
        if self.group is not None:
            _read("group", parse_group, self.group)

    def named_nodes(self) -> list[str]:
        return [self.node] if self.node is not None else list(self.nodes or ())

    @property
    def target(self) -> str:
        """Which nodes are meant, in words, as far as the edit alone says; it may not say it yet."""
        names = self.named_nodes()
        if len(names) == 1:
            return names[0] or "a node"
        if names:
            return f"{len(names):,} nodes"
        labels = self.selector or self.group
        return f"nodes with {labels}" if labels else "nodes"

    @property
    def is_one(self) -> bool:
        """Whether a single node is named."""
        return self.node is not None

    def find(self, cluster: EditedCluster, result: EditResult) -> list[Object]:
        """Return the nodes: named ones in their order, others by name, as kubectl does. Raises Refused."""
        found = [cluster.node(self.node)] if self.node is not None else self._find_several(cluster)
        result.nodes = [name_of(node) for node in found]
        return found

    def _find_several(self, cluster: EditedCluster) -> list[Object]:
        if self.nodes is not None:
            names = list(dict.fromkeys(self.nodes))
            missing = [name for name in names if not cluster.find(NODE, None, name)]
            if missing:
                raise Refused("nodes", f"there is no Node {listed(missing)}")
            return [cluster.node(name) for name in names]
        if self.selector is not None:
            selector = read_selector(self.selector)
            found = [node for node in cluster.of_kind(NODE) if matches(selector, labels_of(node))]
            if not found:
                raise Refused("selector", f"no node has the labels {self.selector}")
        else:
            by, value = _read("group", parse_group, str(self.group))
            found = [
                node for node in cluster.of_kind(NODE) if in_group(name_of(node), labels_of(node), by, value)
            ]
            if not found:
                raise Refused("group", f"no node is of the group {self.group}")
        return sorted(found, key=name_of)

    def subject(self, result: EditResult) -> str:
        """Return whom it is done to: the name of one node, or how many there are and which."""
        names = result.nodes
        return names[0] if self.is_one else f"{len(names):,} node{'' if len(names) == 1 else 's'}"

    def list_nodes(self, result: EditResult) -> None:
        """Say which nodes they are, where the sentence has only their number."""
        if not self.is_one:
            result.note(f"nodes: {listed(result.nodes)}")


def read_selector(text: str) -> Selector:
    """Return the compiled selector of the field `selector`. Raises Refused."""
    return _read("selector", parse_selector, text)


def _read(field: str, read: Callable[[str], T], text: str) -> T:
    try:
        return read(text)
    except ValueError as error:
        raise Refused(field, str(error)) from None


def labels_of(document: Object) -> dict[str, str]:
    """Return an object's labels."""
    labels = (document.get("metadata") or {}).get("labels")
    return labels if isinstance(labels, dict) else {}


def note_of(result: EditResult, names: list[str], one: str, several: str) -> None:
    """Note what is so of nodes: of a single one by name, of several by their number and first names."""
    if len(names) == 1:
        result.note(f"{names[0]} {one}")
    elif names:
        result.note(f"{len(names):,} nodes {several}: {listed(names)}")


def put_changed(cluster: EditedCluster, node: Object, parts: Object, result: EditResult, place: str) -> None:
    """Put other parts into a node; one that has them already is not altered. `place` is the edit's field."""
    changed = {**node, **parts}
    if changed != node:
        result.altered.append(name_of(node))
        change(cluster, node, changed, result, place)
