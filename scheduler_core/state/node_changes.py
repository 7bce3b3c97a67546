"""Nodes come, change and go: what the journal's verbs mean for the columns."""

from __future__ import annotations

import operator
from typing import Any

import msgspec

from scheduler_core.events.state import NODES, NodeRow, Taint
from scheduler_core.objects.types import Node, convert
from scheduler_core.state.journal import Table
from scheduler_core.state.node_order import Turn
from scheduler_core.state.node_pods import NodePods
from scheduler_core.state.nodes import NodeTable, is_ready


class NodeChanges(Table):
    """The table of nodes, by name. A node's content is its row, its object and its turn."""

    name = NODES
    told = True

    def __init__(self, nodes: NodeTable, placement: NodePods) -> None:
        self._nodes = nodes
        self._placement = placement
        self._imported = list(nodes.objects)
        self._turns = list(nodes.turns)

    def write(self, key: Any, field: str, value: Any) -> None:
        if field == "all":
            before = self._nodes.names
            self._nodes.fill(*value)
            self._placement.nodes_replaced(before)
            return
        assert field == "version"
        self._nodes.replace(self._nodes.index[key], *value)

    def insert(self, key: Any, content: Any) -> None:
        row, node, turn = content
        self._nodes.insert(row, node, turn)
        self._placement.node_came(key, row)

    def remove(self, key: Any, content: Any) -> None:
        row = content[0]
        self._nodes.remove(row)
        self._placement.node_went(key, row)

    # -- the log -------------------------------------------------------------------------------------

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = self._row_of(old[0]), self._row_of(new[0])
        changed = [name for name in after if before[name] != after[name]]
        return {name: before[name] for name in changed}, {name: after[name] for name in changed}

    def row(self, key: Any) -> dict[str, Any]:
        return self._row_of(self._nodes.objects[self._nodes.index[key]])

    def _row_of(self, node: Node) -> dict[str, Any]:
        amounts = self._nodes.amounts_of(node)
        known = self._nodes.resources.names
        row = NodeRow(
            name=node.metadata.name,
            labels=dict(node.metadata.labels or {}),
            allocatable={name: amounts[name] for name in known if amounts.get(name)},
            pod_limit=amounts.get("pods", 0),
            unschedulable=bool(node.spec.unschedulable),
            taints=[Taint(taint.key, taint.value or "", taint.effect) for taint in node.spec.taints or ()],
            ready=is_ready(node),
        )
        builtins: dict[str, Any] = msgspec.to_builtins(row)
        return builtins

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> list[Any] | None:
        """Return all nodes in their order, None if they are those of the start."""
        if self._are_imported():
            return None
        pairs = zip(self._nodes.objects, self._nodes.turns, strict=True)
        return [[msgspec.to_builtins(node), list(turn)] for node, turn in pairs]

    def load(self, data: list[Any] | None) -> None:
        """Restore what `dump` returned; the placement is to be loaded after it."""
        if data is None:
            # All that is kept about nodes stays good where they are those of the start.
            if not self._are_imported() or self._nodes.turns != self._turns:
                self._nodes.fill(self._imported, self._turns)
        else:
            self._nodes.fill([convert(node, Node) for node, _ in data], [Turn(*turn) for _, turn in data])

    def _are_imported(self) -> bool:
        objects, imported = self._nodes.objects, self._imported
        return len(objects) == len(imported) and all(map(operator.is_, objects, imported))
