"""Which domains are too full for one more pod: the constraints of DoNotSchedule, counted.

Source: kubernetes v1.36 plugins/podtopologyspread filtering.go.
"""

from dataclasses import dataclass, replace

import numpy as np

from scheduler_core.predicates.filter_state import FilterState, Touched
from scheduler_core.predicates.soft_spread import Constraint
from scheduler_core.predicates.topology_counts import TopologyCounts
from scheduler_core.state.nodes import BoolArray, IntArray, Topology
from scheduler_core.state.pods import PodTable

_NO_MINIMUM = np.iinfo(np.int32).max


@dataclass
class HardSpread(FilterState):
    """For each constraint the counts, the nodes and domains that take part, and whether the pod matches.

    `pods` are those of the cluster.
    """

    pods: PodTable
    constraints: list[Constraint]
    counts: list[TopologyCounts]
    members: list[BoolArray]
    eligible: list[BoolArray]
    itself: list[bool]

    def copy(self) -> "HardSpread":
        return replace(self, counts=[counts.copy() for counts in self.counts])

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for counts, members in zip(self.counts, self.members, strict=True):
            taking_part = members[nodes]
            counts.update(nodes[taking_part], pods[taking_part], sign)

    def follow(self, touched: Touched) -> list[IntArray] | None:
        if any(sign == 0 for _, _, sign in touched):
            # Whether a pod that terminates was counted is not known here.
            return None
        return [nodes for place in range(len(self.counts)) for nodes in self._settle(place, touched)]

    def _settle(self, place: int, touched: Touched) -> list[IntArray]:
        """Count for one constraint, and return the nodes of the domains that are too full now, or no more.

        As in PreFilter an empty selector, though it matches everybody, counts nobody who is there.
        """
        if not self.constraints[place].selector:
            return []
        members, counts, terminating = self.members[place], self.counts[place], self.pods.terminating
        taking_part = [one for one in touched if members[one[0]] and not terminating[one[1]]]
        if not taking_part:
            return []
        before = self.skewed_domains(place)
        counts.settle(taking_part)
        turned = np.flatnonzero(before != self.skewed_domains(place)).tolist()
        return [self.topology(place).members[domain] for domain in turned]

    def topology(self, place: int) -> Topology:
        """Return the domains that a constraint is about."""
        return self.counts[place].topologies[self.constraints[place].topology_key]

    def skewed_domains(self, place: int) -> BoolArray:
        """Return which domains are too full for one more pod where nothing is tried, shape (domains,)."""
        constraint = self.constraints[place]
        values = self.counts[place].domains[constraint.topology_key]
        eligible = values[self.eligible[place]]
        if len(eligible) < constraint.min_domains:
            least = 0
        else:
            least = int(eligible.min()) if len(eligible) else _NO_MINIMUM
        return values + int(self.itself[place]) - least > constraint.max_skew

    def skewed(self, place: int, nodes: IntArray) -> BoolArray:
        """Return which of `nodes`, all of which have the label, are in a domain too full as they see it."""
        constraint, counts = self.constraints[place], self.counts[place]
        if not counts.deltas:
            domains = self.skewed_domains(place)
            return (
                domains[self.topology(place).domain[nodes]]
                if len(domains)
                else np.zeros(len(nodes), np.bool_)
            )
        seen = counts.at(constraint.topology_key, nodes)
        return seen + int(self.itself[place]) - _minimum(self, place, nodes) > constraint.max_skew


def _minimum(state: HardSpread, place: int, nodes: IntArray) -> IntArray:
    """Return the global minimum as each of `nodes` sees it.

    Only the node's own domain can differ from the real counts, so the minimum is that of its own count
    and of the least of all other domains.
    """
    constraint, counts = state.constraints[place], state.counts[place]
    topology = counts.topologies[constraint.topology_key]
    eligible = np.flatnonzero(state.eligible[place])
    if len(eligible) < constraint.min_domains:
        return np.zeros(len(nodes), dtype=np.int64)
    if len(eligible) == 0:
        return np.full(len(nodes), _NO_MINIMUM, dtype=np.int64)
    values = counts.domains[constraint.topology_key][eligible]
    order = np.argsort(values, kind="stable")
    smallest = int(eligible[order[0]])
    second = int(values[order[1]]) if len(order) > 1 else _NO_MINIMUM
    others = np.where(topology.domain[nodes] == smallest, second, int(values[order[0]]))
    takes_part = topology.present[nodes] & state.eligible[place][topology.domain[nodes]]
    own = np.where(takes_part, counts.at(constraint.topology_key, nodes), _NO_MINIMUM)
    return np.minimum(others, own)
