"""binpack: prefers nodes that are fuller.

Source: volcano v1.16 pkg/scheduler/plugins/binpack/binpack.go.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scheduler_core.predicates.resources import FEW
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import Task

_MAX_NODE_SCORE = 100


class Binpack(Plugin):
    """`weights` by resource; with the weight 0 the plugin scores nothing."""

    name = "binpack"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        arguments = option.arguments
        self.weight = arguments.integer("binpack.weight", 1)
        self.weights: dict[str, int] = {}
        for name in map(str.strip, arguments.text("binpack.resources").split(",")):
            if name:
                self.weights[name] = self._weight(f"binpack.resources.{name}")
        self.weights["cpu"] = self._weight("binpack.cpu")
        self.weights["memory"] = self._weight("binpack.memory")
        if self.weight == 0:
            self.switched_off = frozenset({"node_order"})

    def _weight(self, key: str) -> int:
        weight = self.arguments.integer(key, 1)
        return 1 if weight < 0 else weight

    def by_node(self, task: Task) -> bool:
        return True

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return how full each node would be, weighted; 0 where something would not fit."""
        if len(rows) <= FEW:
            score_of = self.node_order_of(task)
            return np.array([score_of(row) for row in rows.tolist()])
        nodes = self.session.nodes
        score, weights = np.zeros(len(rows)), 0
        fits = np.ones(len(rows), dtype=np.bool_)
        for name in task.request.names():
            if name not in self.weights:
                continue
            weight, asked = self.weights[name], task.request.get(name)
            weights += weight
            column = nodes.column_of(name)
            assert column is not None
            capacity = nodes.allocatable[rows, column]
            finally_used = asked + nodes.used[rows, column]
            counted = (capacity != 0) & (weight != 0)
            fits &= ~(counted & (finally_used > capacity))
            score = score + np.where(
                counted, finally_used * float(weight) / np.where(capacity == 0, 1, capacity), 0.0
            )
        if weights > 0:
            score = score / float(weights)
        score = score * float(_MAX_NODE_SCORE * self.weight)
        return np.where(fits, score, 0.0)

    def node_order_of(self, task: Task) -> Callable[[int], float]:
        nodes = self.session.nodes
        size_of, used_of = nodes.allocatable.item, nodes.used.item
        names = [name for name in task.request.names() if name in self.weights]
        columns = map(nodes.column_of, names)
        asked = [
            (column, task.request.get(name), float(self.weights[name]))
            for name, column in zip(names, columns, strict=True)
            if column is not None and self.weights[name]
        ]
        weights = float(sum(self.weights[name] for name in names))
        whole = float(_MAX_NODE_SCORE * self.weight)

        def score_of(node: int) -> float:
            score = 0.0
            for column, amount, weight in asked:
                capacity = size_of(node, column)
                if capacity == 0:
                    continue
                finally_used = amount + used_of(node, column)
                if finally_used > capacity:
                    return 0.0
                score += finally_used * weight / capacity
            if weights > 0:
                score /= weights
            return score * whole

        return score_of
