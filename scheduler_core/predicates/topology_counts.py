"""Counts of pods by topology domain, and how trial changes on single nodes move them.

A trial changes the pods of each node independently: the count that node n sees of its own domain is the
real one plus what was added to or removed from n itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scheduler_core.predicates.filter_state import FilterState, Touched
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray, Topology


def sum_by_node(state: ClusterState, weights: IntArray) -> IntArray:
    """Return the sum of the weights (one a pod) of the pods on each node, shape (nodes,)."""
    counted = (state.pod_node >= 0) & (weights != 0)
    sums = np.zeros(len(state.nodes), dtype=np.int64)
    np.add.at(sums, state.pod_node[counted], weights[counted])
    return sums


def sum_by_domain(topology: Topology, by_node: IntArray) -> IntArray:
    """Return the sums over the nodes of each domain, shape (domains,)."""
    sums = np.zeros(len(topology.values), dtype=np.int64)
    if topology.is_everywhere:
        np.add.at(sums, topology.domain, by_node)
    else:
        np.add.at(sums, topology.domain[topology.present], by_node[topology.present])
    return sums


def domains_of(topology: Topology, nodes: BoolArray) -> BoolArray:
    """Return which domains have one of the nodes, all of which have the label; shape (domains,)."""
    return np.bincount(topology.domain[nodes], minlength=len(topology.values)) > 0


class TopologyCounts(FilterState):
    """For each topology key, the summed weights of the pods in each domain.

    `weights[key]` has one entry a pod, bound or not: what it counts for where it is. `topologies` says what
    a key means; by default it is a label's.
    """

    def __init__(
        self,
        state: ClusterState,
        weights: Mapping[str, IntArray],
        topologies: Mapping[str, Topology] | None = None,
    ) -> None:
        self.topologies = topologies or {key: state.nodes.topology(key) for key in weights}
        self.weights = weights
        self.domains = {
            key: sum_by_domain(self.topologies[key], sum_by_node(state, weight))
            for key, weight in weights.items()
        }
        self.deltas: dict[str, IntArray] = {}

    def copy(self) -> TopologyCounts:
        twin = object.__new__(TopologyCounts)
        twin.topologies, twin.weights, twin.domains = self.topologies, self.weights, self.domains
        twin.deltas = {key: delta.copy() for key, delta in self.deltas.items()}
        return twin

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        self.shift(nodes, pods, sign, self.weights)

    def shift(self, nodes: IntArray, pods: IntArray, sign: int, weights: Mapping[str, IntArray]) -> None:
        """Update by weights other than the pods' own, under the same keys."""
        for key, weight in weights.items():
            changes = sign * weight[pods]
            if changes.any():
                number = len(self.topologies[key].domain)
                delta = self.deltas.setdefault(key, np.zeros(number, dtype=np.int64))
                np.add.at(delta, nodes, changes)

    def settle(self, touched: Touched) -> list[IntArray]:
        """Count pods that came to nodes for good, or left them.

        Returns the nodes of each domain that has somebody now and had nobody before, or the other way round.
        """
        turned: list[IntArray] = []
        for key, weight in self.weights.items():
            topology, counts = self.topologies[key], self.domains[key]
            before: dict[int, int] = {}
            for node, pod, sign in touched:
                change, domain = sign * weight.item(pod), topology.domain.item(node)
                if change and domain >= 0:
                    count = counts.item(domain)
                    before.setdefault(domain, count)
                    counts[domain] = count + change
            turned += (topology.members[one] for one in before if (before[one] > 0) != (counts[one] > 0))
        return turned

    def at(self, key: str, nodes: IntArray) -> IntArray:
        """Return the count that each of `nodes` sees of its domain; 0 where it lacks the label."""
        topology = self.topologies[key]
        if not topology.values:
            return np.zeros(len(nodes), dtype=np.int64)
        counts = np.where(topology.present[nodes], self.domains[key][topology.domain[nodes]], 0)
        if key in self.deltas:
            counts = counts + np.where(topology.present[nodes], self.deltas[key][nodes], 0)
        return counts

    def nonzero_domains(self, nodes: IntArray) -> IntArray:
        """Return how many domains, over all keys, have a count other than 0 as each of `nodes` sees it."""
        total = sum(int(np.count_nonzero(counts)) for counts in self.domains.values())
        result = np.full(len(nodes), total, dtype=np.int64)
        for key in self.deltas:
            topology = self.topologies[key]
            if topology.values:
                present = topology.present[nodes]
                before = present & (self.domains[key][topology.domain[nodes]] != 0)
                result += (self.at(key, nodes) != 0).astype(np.int64) - before.astype(np.int64)
        return result
