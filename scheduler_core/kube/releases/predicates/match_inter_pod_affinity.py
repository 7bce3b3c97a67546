"""MatchInterPodAffinity: near or away from pods with certain labels, in both directions.

Asked first are the anti-affinity terms of the pods that are there, nominated pods included, then the
incoming pod's affinity, then its anti-affinity.

Source: kubernetes v1.8 to v1.13 algorithm/predicates InterPodAffinityMatches, metadata.go.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scheduler_core.kube.framework import SKIP, Cycle, PreFilterAnswer, Reads, View
from scheduler_core.kube.releases.predicates.affinity_rules import OwnTerms, meets_any
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import (
    AFFINITY_RULES,
    ANTI_AFFINITY_RULES,
    EXISTING_ANTI_AFFINITY_RULES,
    Wording,
)
from scheduler_core.predicates.affinity_terms import PodTerms
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.term_index import term_index
from scheduler_core.predicates.topology_counts import TopologyCounts
from scheduler_core.state.nodes import IntArray

_DETAILS = {1: EXISTING_ANTI_AFFINITY_RULES, 2: AFFINITY_RULES, 3: ANTI_AFFINITY_RULES}
_EXISTING, _AFFINITY, _ANTI_AFFINITY = _DETAILS


@dataclass(frozen=True)
class AffinityRules:
    """What differs between releases.

    own: how the pod's own terms are read. detailed: a second reason says which rule failed.
    key_of_last_term: of an existing pod's anti-affinity terms that match, each counts by the topology key of
    that pod's last term (the original kept the address of its loop variable).
    """

    own: type[OwnTerms]
    detailed: bool
    key_of_last_term: bool


@dataclass
class _Neighbours(FilterState):
    existing: TopologyCounts
    own: OwnTerms

    def copy(self) -> _Neighbours:
        return _Neighbours(self.existing.copy(), self.own.copy())

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        self.existing.update(nodes, pods, sign)
        self.own.update(nodes, pods, sign)


class MatchInterPodAffinity(Predicate):
    """Skipped where neither the pod nor anybody else has a term that could matter."""

    name = "MatchInterPodAffinity"
    reads = Reads.PODS

    def __init__(self, wording: Wording, rules: AffinityRules) -> None:
        super().__init__(wording)
        self._rules = rules

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        existing = TopologyCounts(cycle.state, self._existing(cycle))
        own = self._rules.own(cycle)
        if not own.required and not own.anti and not existing.weights:
            return SKIP
        return _Neighbours(existing, own)

    def _existing(self, cycle: Cycle) -> dict[str, IntArray]:
        """Return for each topology key how many anti-affinity terms of each pod match the incoming one."""
        index = term_index(cycle.state.pods)
        weights: dict[str, IntArray] = {}
        for place, terms in index.concerning(cycle.pod.namespace, cycle.pod.labels):
            for key in self._keys(terms, cycle):
                weights.setdefault(key, np.zeros(len(index.distinct), dtype=np.int64))[place] += 1
        return {key: column[index.of_pod] for key, column in weights.items()}

    def _keys(self, terms: PodTerms, cycle: Cycle) -> list[str]:
        matching = [
            term for term in terms.required_anti if term.matches(cycle.pod.namespace, cycle.pod.labels, {})
        ]
        if self._rules.key_of_last_term:
            return [terms.required_anti[-1].topology_key for _ in matching]
        return [term.topology_key for term in matching]

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Neighbours)
        codes = np.where(state.own.breaks_anti_affinity(nodes), _ANTI_AFFINITY, 0)
        codes = np.where(state.own.breaks_affinity(nodes), _AFFINITY, codes)
        return np.where(meets_any(state.existing, nodes), _EXISTING, codes).astype(np.int64)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        return [self.name, _DETAILS[code]] if self._rules.detailed else [self.name]
