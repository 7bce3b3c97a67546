"""InterPodAffinity: near or away from pods with certain labels, in both directions.

Source: kubernetes v1.36 plugins/interpodaffinity filtering.go, scoring.go.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    MAX_NODE_SCORE,
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    FilterState,
    PreFilterAnswer,
    ScorePlugin,
    View,
)
from scheduler_core.predicates.affinity_terms import (
    AffinityTerm,
    PodTerms,
    terms_of,
    with_namespaces_resolved,
)
from scheduler_core.predicates.topology_counts import TopologyCounts, sum_by_domain, sum_by_node
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo, PodTable

_AFFINITY, _ANTI_AFFINITY, _EXISTING = 1, 2, 3
_STATUSES = {
    _AFFINITY: Status("InterPodAffinity", UNRESOLVABLE, ["node(s) didn't match pod affinity rules"]),
    _ANTI_AFFINITY: Status(
        "InterPodAffinity", UNSCHEDULABLE, ["node(s) didn't match pod anti-affinity rules"]
    ),
    _EXISTING: Status(
        "InterPodAffinity", UNSCHEDULABLE, ["node(s) didn't satisfy existing pods anti-affinity rules"]
    ),
}


_Contribution = tuple[str, BoolArray, IntArray]
"""A topology key, which pods a term matches, and what each counts for."""


@dataclass
class _Counts(FilterState):
    """The three counts that Filter asks: own affinity, own anti-affinity, existing pods' anti-affinity."""

    affinity: TopologyCounts
    anti_affinity: TopologyCounts
    existing: TopologyCounts
    required: Sequence[AffinityTerm]
    matches_itself: bool

    def copy(self) -> "_Counts":
        return _Counts(
            self.affinity.copy(),
            self.anti_affinity.copy(),
            self.existing.copy(),
            self.required,
            self.matches_itself,
        )

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for counts in (self.affinity, self.anti_affinity, self.existing):
            counts.update(nodes, pods, sign)


class InterPodAffinity(FilterPlugin, ScorePlugin):
    """Filter: own affinity, own anti-affinity, then the existing pods'. Score: all preferred terms."""

    name = "InterPodAffinity"
    reads_pods = True

    # -- filter --------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        own = terms_of(cycle.pod.pod, cycle.pod.namespace)
        required = with_namespaces_resolved(own.required, cycle.state.namespaces)
        anti = with_namespaces_resolved(own.required_anti, cycle.state.namespaces)
        existing = TopologyCounts(cycle.state, self._existing_anti_affinity(cycle))
        if not required and not anti and not any(counts.any() for counts in existing.domains.values()):
            return SKIP
        matches_itself = bool(required) and all(
            term.matches(cycle.pod.namespace, cycle.pod.labels, {}) for term in required
        )
        return _Counts(
            TopologyCounts(cycle.state, affinity_weights(cycle.state.pods, required)),
            TopologyCounts(cycle.state, term_weights(cycle.state.pods, anti)),
            existing,
            required,
            matches_itself,
        )

    def _existing_anti_affinity(self, cycle: Cycle) -> dict[str, IntArray]:
        """Return for each topology key how many required anti-affinity terms of each pod match."""
        incoming = cycle.pod
        of_namespace = cycle.state.namespaces.get(incoming.namespace, {})
        index = term_index(cycle.state.pods)
        weights: dict[str, IntArray] = {}
        for place, terms in enumerate(index.distinct):
            for term in terms.required_anti:
                if term.matches(incoming.namespace, incoming.labels, of_namespace):
                    column = weights.setdefault(term.topology_key, np.zeros(len(index.distinct), np.int64))
                    column[place] += 1
        return {key: column[index.of_pod] for key, column in weights.items()}

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Counts)
        codes = np.zeros(len(nodes), dtype=np.int64)
        codes[self._blocked(state.existing, nodes)] = _EXISTING
        codes[self._blocked(state.anti_affinity, nodes)] = _ANTI_AFFINITY
        if state.required:
            codes[~self._has_affinity(state, nodes)] = _AFFINITY
        return codes

    def _blocked(self, counts: TopologyCounts, nodes: IntArray) -> BoolArray:
        blocked = np.zeros(len(nodes), dtype=np.bool_)
        for key in counts.topologies:
            blocked |= counts.at(key, nodes) > 0
        return blocked

    def _has_affinity(self, state: _Counts, nodes: IntArray) -> BoolArray:
        labelled = np.ones(len(nodes), dtype=np.bool_)
        exist = np.ones(len(nodes), dtype=np.bool_)
        for key, topology in state.affinity.topologies.items():
            labelled &= topology.present[nodes]
            exist &= state.affinity.at(key, nodes) > 0
        if state.matches_itself:
            # The first of a group that wants to be together has nobody to be near.
            exist |= state.affinity.nonzero_domains(nodes) == 0
        return labelled & exist

    def status(self, cycle: Cycle, code: int) -> Status:
        return _STATUSES[code]

    # -- score ---------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        own = terms_of(cycle.pod.pod, cycle.pod.namespace)
        has_preferences = bool(own.preferred or own.preferred_anti)
        if self.args.get("ignorePreferredTermsOfExistingPods") and not has_preferences:
            return SKIP
        contributions = [*self._own_preferences(cycle, own), *self._existing_preferences(cycle)]
        touched, by_node = False, np.zeros(len(cycle.state.nodes), dtype=np.int64)
        for key, matching, weights in contributions:
            topology = cycle.state.nodes.topology(key)
            bound = cycle.state.pod_node[(cycle.state.pod_node >= 0) & matching]
            if topology.present[bound].any():
                touched = True
                domains = sum_by_domain(topology, sum_by_node(cycle.state, weights))
                by_node += np.where(topology.present, domains[topology.domain], 0)
        return by_node if touched else SKIP

    def _own_preferences(self, cycle: Cycle, own: PodTerms) -> Iterator[_Contribution]:
        for terms, sign in ((own.preferred, 1), (own.preferred_anti, -1)):
            for term in with_namespaces_resolved(terms, cycle.state.namespaces):
                matching = matched(cycle.state.pods, term)
                yield term.topology_key, matching, sign * term.weight * matching.astype(np.int64)

    def _existing_preferences(self, cycle: Cycle) -> Iterator[_Contribution]:
        hard = self.args.get("hardPodAffinityWeight")
        hard = 1 if hard is None else int(hard)
        incoming, index = cycle.pod, term_index(cycle.state.pods)
        of_namespace = cycle.state.namespaces.get(incoming.namespace, {})
        weights: dict[str, IntArray] = {}
        matching: dict[str, BoolArray] = {}
        for place, terms in enumerate(index.distinct):
            for term, weight in _scored_terms(terms, hard):
                if term.matches(incoming.namespace, incoming.labels, of_namespace):
                    key = term.topology_key
                    weights.setdefault(key, np.zeros(len(index.distinct), np.int64))[place] += weight
                    matching.setdefault(key, np.zeros(len(index.distinct), np.bool_))[place] = True
        for key, column in weights.items():
            yield key, matching[key][index.of_pod], column[index.of_pod]

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        by_node: IntArray = prepared
        return by_node[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        lowest, highest = scores.min(), scores.max()
        if highest == lowest:
            return np.zeros_like(scores)
        share = (scores - lowest).astype(np.float64) / float(highest - lowest)
        normalized: IntArray = (float(MAX_NODE_SCORE) * share).astype(np.int64)
        return normalized


def _scored_terms(terms: PodTerms, hard: int) -> Iterable[tuple[AffinityTerm, int]]:
    if hard > 0:
        yield from ((term, hard) for term in terms.required)
    yield from ((term, term.weight) for term in terms.preferred)
    yield from ((term, -term.weight) for term in terms.preferred_anti)


def matched(pods: PodTable, term: AffinityTerm) -> BoolArray:
    """Return which pods an incoming pod's resolved term matches."""
    condition = term._replace(topology_key="", weight=0)
    return pods.matching(condition, lambda namespace, labels: term.matches(namespace, labels, {}))


def affinity_weights(pods: PodTable, terms: Sequence[AffinityTerm]) -> dict[str, IntArray]:
    """Return for each topology key what each pod counts for required affinity.

    A pod counts for required affinity only if it matches all terms together."""
    together = np.ones(len(pods), dtype=np.bool_)
    for term in terms:
        together &= matched(pods, term)
    keys = [term.topology_key for term in terms]
    return {key: keys.count(key) * together.astype(np.int64) for key in keys}


def term_weights(pods: PodTable, terms: Sequence[AffinityTerm]) -> dict[str, IntArray]:
    """Return for each topology key how many of the terms match each pod."""
    weights: dict[str, IntArray] = {}
    for term in terms:
        column = weights.setdefault(term.topology_key, np.zeros(len(pods), dtype=np.int64))
        column += matched(pods, term)
    return weights


class _TermIndex:
    """The distinct affinities among all pods; index 0 is having none."""

    def __init__(self) -> None:
        self._ids: dict[PodTerms, int] = {}
        self._of_pod: list[int] = []
        self.distinct: list[PodTerms] = []
        self._intern(PodTerms((), (), (), ()))

    def extend(self, infos: Sequence[PodInfo]) -> None:
        """Take in the pods that came since; forget those that were taken back."""
        del self._of_pod[len(infos) :]
        for info in infos[len(self._of_pod) :]:
            self._of_pod.append(
                self._intern(terms_of(info.pod, info.namespace)) if info.pod.spec.affinity else 0
            )

    def _intern(self, terms: PodTerms) -> int:
        if terms not in self._ids:
            self._ids[terms] = len(self.distinct)
            self.distinct.append(terms)
        return self._ids[terms]

    @property
    def of_pod(self) -> IntArray:
        """Each pod's index into `distinct`."""
        return np.array(self._of_pod, dtype=np.int64)


def term_index(pods: PodTable) -> _TermIndex:
    """Return the distinct affinities of all pods."""
    index = pods.companion(_TermIndex)
    index.extend(pods.infos)
    return index
