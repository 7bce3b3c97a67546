"""What hyper nodes have in all, what is idle and what is used in them, and how full they would be.

Source: volcano v1.16 pkg/scheduler/plugins/network-topology-aware/network_topology_aware.go
initHyperNodeResourceCache, getSubJobHyperNodeBinPackingScore.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.volcano.model.hyper_nodes import HyperNodes
from scheduler_core.volcano.model.nodes import Floats, Nodes
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import Task


class HyperNodeRoom:
    """Sums over the nodes of each hyper node. What is used moves; all else is of the session's opening."""

    def __init__(self, nodes: Nodes, tree: HyperNodes, weights: Mapping[str, int]) -> None:
        self._nodes = nodes
        self._weights = weights
        future = nodes.future_idle(nodes.all)
        self._whole: dict[str, Floats] = {}
        self._used: dict[str, Floats] = {}
        self._idle: dict[str, tuple[Floats, Floats]] = {}
        self._around: list[list[str]] = [[] for _ in range(len(nodes))]
        for name, one in tree.by_name.items():
            rows = one.rows
            self._whole[name] = nodes.allocatable[rows].sum(axis=0)
            self._used[name] = nodes.used[rows].sum(axis=0)
            self._idle[name] = nodes.idle[rows].sum(axis=0), future[rows].sum(axis=0)
            for row in rows.tolist():
                self._around[row].append(name)

    def count(self, task: Task, sign: int) -> None:
        """Count a task in the hyper nodes around its node, or (-1) no more."""
        row = self._nodes.row.get(task.node)
        if row is None:
            return
        asked = sign * self._nodes.vector(task.request)
        for name in self._around[row]:
            self._used[name] = self._used[name] + asked

    def may_hold(self, wanted: Resource, name: str, *, evicting: bool) -> bool:
        """Return whether a hyper node's idle room could hold something, now or soon; evicting: all room."""
        rooms = (self._whole[name],) if evicting else self._idle[name]
        return any(wanted.fits_in(self._nodes.as_resource(room)) for room in rooms)

    def packing(self, wanted: Mapping[str, float], name: str) -> float:
        """Return how full a hyper node would be, weighted by resource; 0 where something would not fit."""
        score, weights = 0.0, 0
        for resource, amount in wanted.items():
            column = self._nodes.column_of(resource)
            assert column is not None
            whole, used = self._whole[name].item(column), self._used[name].item(column)
            if used + amount > whole:
                return 0.0
            weight = self._weights[resource]
            score += weight * ((used + amount) / whole)
            weights += weight
        return score / weights if weights > 0 else 0.0
