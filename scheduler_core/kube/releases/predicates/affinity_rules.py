"""How a release reads the required terms of the incoming pod: three strategies.

All of them see the pods that are bound, never those that are only nominated: a nomination keeps room, it is
no neighbour.

Source: kubernetes algorithm/predicates satisfiesPodsAffinityAntiAffinity: v1.8 and v1.9
anyPodMatchesPodAffinityTerm; v1.11 metadata.go getPodsMatchingAffinity, anyPodsMatchingTopologyTerms; v1.13
metadata.go getTPMapMatchingIncomingAffinityAntiAffinity, AddPod, nodeMatchesAllTopologyTerms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from scheduler_core.kube.framework import Cycle
from scheduler_core.predicates.affinity_terms import AffinityTerm, terms_of
from scheduler_core.predicates.affinity_weights import affinity_weights, matched, term_weights
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.topology_counts import TopologyCounts
from scheduler_core.state.nodes import BoolArray, IntArray

_JOINT = "all topology keys together"


class OwnTerms(FilterState):
    """The incoming pod's required terms against the bound pods."""

    def __init__(self, cycle: Cycle) -> None:
        own = terms_of(cycle.pod.pod, cycle.pod.namespace)
        self.required, self.anti = own.required, own.required_anti
        self.self_matches = [
            term.matches(cycle.pod.namespace, cycle.pod.labels, {}) for term in self.required
        ]
        self.bound = (cycle.state.pod_node >= 0).astype(np.int64)
        self.counts: list[TopologyCounts] = []

    def copy(self) -> OwnTerms:
        twin: OwnTerms = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.counts = [counts.copy() for counts in self.counts]
        return twin

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for counts in self.counts:
            counts.update(nodes, pods, sign)

    def breaks_affinity(self, nodes: IntArray) -> BoolArray:
        """Return on which of `nodes` the pod would lack the company that it requires."""
        raise NotImplementedError

    def breaks_anti_affinity(self, nodes: IntArray) -> BoolArray:
        """Return on which of `nodes` the pod would meet somebody it must not."""
        raise NotImplementedError

    def _counts(self, cycle: Cycle, weights: dict[str, IntArray]) -> TopologyCounts:
        counts = TopologyCounts(cycle.state, {key: own * self.bound for key, own in weights.items()})
        self.counts.append(counts)
        return counts


class EachTermAlone(OwnTerms):
    """1.8 and 1.9: different pods may satisfy different terms.

    A term that nobody matches anywhere is disregarded if the pod matches it itself.
    """

    def __init__(self, cycle: Cycle) -> None:
        super().__init__(cycle)
        pods = cycle.state.pods
        for term in self.required:
            self._counts(cycle, {term.topology_key: matched(pods, term).astype(np.int64)})
        self._counts(cycle, term_weights(pods, self.anti))
        matching = [matched(pods, term) * self.bound for term in self.required]
        self._matching = np.array(matching, dtype=np.int64).reshape(len(matching), len(pods))
        totals = self._matching.sum(axis=1, keepdims=True)
        self._anywhere = np.repeat(totals, len(cycle.state.nodes), axis=1)

    def copy(self) -> EachTermAlone:
        twin = super().copy()
        assert isinstance(twin, EachTermAlone)
        twin._anywhere = self._anywhere.copy()
        return twin

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        super().update(nodes, pods, sign)
        for anywhere, matching in zip(self._anywhere, self._matching, strict=True):
            np.add.at(anywhere, nodes, sign * matching[pods])

    def breaks_affinity(self, nodes: IntArray) -> BoolArray:
        broken = np.zeros(len(nodes), dtype=np.bool_)
        for place, term in enumerate(self.required):
            alone = self.counts[place].at(term.topology_key, nodes) == 0
            if self.self_matches[place]:
                alone &= self._anywhere[place][nodes] > 0
            broken |= alone
        return broken

    def breaks_anti_affinity(self, nodes: IntArray) -> BoolArray:
        return meets_any(self.counts[-1], nodes)


class AllTermsOnOneNode(OwnTerms):
    """1.11: one existing pod must match all terms, and share all their topologies; so for anti-affinity.

    Who matches its own terms may be the first of its kind, unless the attempt began with any other: pods
    taken away in a dry run leave their mark.
    """

    def __init__(self, cycle: Cycle) -> None:
        super().__init__(cycle)
        self._first = all(self.self_matches)
        for terms in (self.required, self.anti):
            together = _together(cycle, terms) * self.bound
            topologies = {_JOINT: cycle.state.nodes.joint_topology([term.topology_key for term in terms])}
            self.counts.append(TopologyCounts(cycle.state, {_JOINT: together}, topologies))
            if terms is self.required:
                self._first &= not together.any()

    def breaks_affinity(self, nodes: IntArray) -> BoolArray:
        if not self.required or self._first:
            return np.zeros(len(nodes), dtype=np.bool_)
        alone: BoolArray = self.counts[0].at(_JOINT, nodes) == 0
        return alone

    def breaks_anti_affinity(self, nodes: IntArray) -> BoolArray:
        if not self.anti:
            return np.zeros(len(nodes), dtype=np.bool_)
        met: BoolArray = self.counts[1].at(_JOINT, nodes) > 0
        return met


class AllTermsByDomain(OwnTerms):
    """1.13: whoever matches all terms counts in the domain of each; any anti-affinity term is enough.

    Who matches its own terms may be the first of its kind. A pod that a dry run has put back counts under the
    topology keys of all anti-affinity terms as soon as it matches one of them.
    """

    def __init__(self, cycle: Cycle) -> None:
        super().__init__(cycle)
        self._counts(cycle, affinity_weights(cycle.state.pods, self.required))
        by_term = self._counts(cycle, term_weights(cycle.state.pods, self.anti)).weights
        of_any = np.any(list(by_term.values()), axis=0).astype(np.int64)
        self._put_back_weights = dict.fromkeys(by_term, of_any)
        self._put_back = np.zeros(len(cycle.state.pods), dtype=np.bool_)

    def copy(self) -> AllTermsByDomain:
        twin = super().copy()
        assert isinstance(twin, AllTermsByDomain)
        twin._put_back = self._put_back.copy()
        return twin

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        affinity, anti_affinity = self.counts
        affinity.update(nodes, pods, sign)
        again = np.ones(len(pods), dtype=np.bool_) if sign > 0 else self._put_back[pods]
        anti_affinity.shift(nodes[again], pods[again], sign, self._put_back_weights)
        anti_affinity.update(nodes[~again], pods[~again], sign)
        self._put_back[pods] = sign > 0

    def breaks_affinity(self, nodes: IntArray) -> BoolArray:
        company = np.ones(len(nodes), dtype=np.bool_)
        counts = self.counts[0]
        for key in counts.topologies:
            company &= counts.at(key, nodes) > 0
        if all(self.self_matches):
            company |= counts.nonzero_domains(nodes) == 0
        return ~company

    def breaks_anti_affinity(self, nodes: IntArray) -> BoolArray:
        return meets_any(self.counts[1], nodes)


def meets_any(counts: TopologyCounts, nodes: IntArray) -> BoolArray:
    """Return which of `nodes` have a count above 0 under any key."""
    met = np.zeros(len(nodes), dtype=np.bool_)
    for key in counts.topologies:
        met |= counts.at(key, nodes) > 0
    return met


def _together(cycle: Cycle, terms: Sequence[AffinityTerm]) -> IntArray:
    """Return which pods match all terms, 1 or 0; nobody if there are none."""
    pods = cycle.state.pods
    if not terms:
        return np.zeros(len(pods), dtype=np.int64)
    every = reduce(np.logical_and, [matched(pods, term) for term in terms])
    return every.astype(np.int64)
