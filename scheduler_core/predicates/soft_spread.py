"""What ScheduleAnyway constraints of a pod's topology spread say of every node.

Source: kubernetes v1.36 plugins/podtopologyspread common.go, scoring.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.go.arithmetic import go_log
from scheduler_core.objects.selectors import Selector
from scheduler_core.predicates.topology_counts import sum_by_domain
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray, Topology

HOSTNAME = "kubernetes.io/hostname"


class Constraint(NamedTuple):
    """One constraint with its selector compiled (None: matches nobody)."""

    max_skew: int
    topology_key: str
    selector: Selector | None
    min_domains: int
    honor_affinity: bool
    honor_taints: bool


@dataclass
class SoftSpread:
    """The ScheduleAnyway constraints: what they count of each node, and what comes of it for those that fit.

    `labelled` are the nodes with all keys, `members` those that take part in each constraint, shape (nodes,);
    `by_node` is how many pods each node has that a selector counts. `ignored` are those of the feasible nodes
    without a key, `ignores` whether there are any; `total` is the raw score of every node.
    """

    constraints: list[Constraint]
    labelled: BoolArray
    members: list[BoolArray]
    by_node: dict[Selector | None, IntArray]
    ignored: BoolArray = field(init=False)
    ignores: bool = field(init=False)
    total: IntArray = field(init=False)
    _feasible: IntArray | None = field(init=False, default=None)
    _parts: list[_Part] = field(init=False)

    def score(self, state: ClusterState, nodes: IntArray, *, emptied: bool) -> None:
        """Score where `nodes` are the feasible ones; `emptied`: as nodes that have no pods, see Cycle."""
        if nodes is not self._feasible:
            self._feasible, self.ignored = nodes, ~self.labelled[nodes]
            self.ignores = bool(self.ignored.any())
            scored = nodes[~self.ignored]
            self._parts = [
                self._part(state, place, scored, emptied) for place in range(len(self.constraints))
            ]
        total: Any = np.zeros(len(state.nodes))
        for constraint, part in zip(self.constraints, self._parts, strict=True):
            total = total + part.score(self.by_node[constraint.selector])
        self.total = np.floor(total + 0.5).astype(np.int64)

    def _part(self, state: ClusterState, place: int, scored: IntArray, emptied: bool) -> _Part:
        constraint = self.constraints[place]
        topology = state.nodes.topology(constraint.topology_key)
        if constraint.topology_key == HOSTNAME:
            size, taking_part = len(scored), np.zeros_like(topology.present) if emptied else None
        else:
            # A missing label, which is domain -1, is a domain of its own among the scored nodes.
            found = np.bincount(topology.domain[scored] + 1, minlength=len(topology.values) + 1) > 0
            size = int(np.count_nonzero(found))
            taking_part = self.members[place] & found[topology.domain + 1]
        return _Part(topology, taking_part, go_log(float(size + 2)), float(constraint.max_skew - 1))


class _Part(NamedTuple):
    """What one constraint adds to a node's score as long as the same nodes are feasible.

    Pods count by domain if the node is among `taking_part`; None: each node counts its own.
    """

    topology: Topology
    taking_part: BoolArray | None
    weight: float
    least: float

    def score(self, by_node: IntArray) -> Any:
        """Return count * ln(domains + 2) + maxSkew - 1 for each node, 0 where it lacks the label."""
        topology = self.topology
        if not topology.values:
            return 0.0
        if self.taking_part is None:
            score = by_node * self.weight + self.least
        else:
            sums = sum_by_domain(topology, np.where(self.taking_part, by_node, 0))
            score = (sums * self.weight + self.least).take(topology.domain, mode="wrap")
        return score if topology.is_everywhere else np.where(topology.present, score, 0.0)
