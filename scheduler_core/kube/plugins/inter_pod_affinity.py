"""InterPodAffinity: near or away from pods with certain labels, in both directions.

Source: kubernetes v1.36 plugins/interpodaffinity filtering.go, scoring.go.

Hints do not look up the labels of namespaces: a term's namespace selector sees a namespace without labels.

Hints: plugins/interpodaffinity plugin.go isSchedulableAfter..., filtering.go
podMatchesAllAffinityTerms.
"""

from collections.abc import Callable, Sequence
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
    PreFilterAnswer,
    Reads,
    ScorePlugin,
    View,
)
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import namespace_of, takes_room, uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.affinity_preferences import preference_sums, preferred_pods
from scheduler_core.predicates.affinity_terms import (
    AffinityTerm,
    PodTerms,
    terms_of,
    with_namespaces_resolved,
)
from scheduler_core.predicates.affinity_weights import affinity_weights, term_weights
from scheduler_core.predicates.filter_state import FilterState, Touched
from scheduler_core.predicates.term_index import term_index
from scheduler_core.predicates.topology_counts import TopologyCounts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray

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

    def follow(self, touched: Touched) -> list[IntArray] | None:
        was_first = self._is_first()
        every = (self.affinity, self.anti_affinity, self.existing)
        turned = [nodes for counts in every for nodes in counts.settle(touched)]
        # With the first of a group, or the last, all nodes are others to those who want to be near it.
        return turned if was_first == self._is_first() else None

    @property
    def is_idle(self) -> bool:
        if self.required or self.anti_affinity.weights:
            return False
        return not any(counts.any() for counts in self.existing.domains.values())

    def _is_first(self) -> bool:
        """Return whether nobody is there yet whom the pod wants to be near."""
        return bool(self.required) and not any(counts.any() for counts in self.affinity.domains.values())


class InterPodAffinity(FilterPlugin, ScorePlugin):
    """Filter: own affinity, own anti-affinity, then the existing pods'. Score: all preferred terms."""

    name = "InterPodAffinity"
    reads = Reads.PODS
    unprepared = 'error reading "PreFilterInterPodAffinity" from cycleState: not found'
    unscored = 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return interests_of(after_pod_change)

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
        for place, terms in index.concerning(incoming.namespace, incoming.labels):
            for term in terms.required_anti:
                if term.matches(incoming.namespace, incoming.labels, of_namespace):
                    column = weights.setdefault(term.topology_key, np.zeros(len(index.distinct), np.int64))
                    column[place] += 1
        heard = self.heard(cycle.state, required_anti=True) if weights else None
        if heard is not None:
            return {key: column[index.of_pod] * heard for key, column in weights.items()}
        return {key: column[index.of_pod] for key, column in weights.items()}

    def woken_by(self, cycle: Cycle) -> BoolArray | None:
        weights = self._existing_anti_affinity(cycle)
        return np.any([weight != 0 for weight in weights.values()], axis=0) if weights else None

    def heard(self, state: ClusterState, *, required_anti: bool) -> BoolArray | None:
        """Return the existing pods whose own terms count, shape (pods,); None: all.

        `required_anti`: those with required anti-affinity, in Filter; else those with any, in Score.
        """
        unheard = state.unheard[0 if required_anti else 1]
        if not unheard:
            return None
        heard = np.ones(len(state.pods), dtype=np.bool_)
        heard[list(unheard)] = False
        return heard

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

    def status(self, state: FilterState | None, code: int) -> Status:
        return _STATUSES[code]

    # -- score ---------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        has_preferences = _has_preferences(cycle)
        if not self._listens(has_preferences):
            return SKIP
        sums = preference_sums(
            cycle.state,
            cycle.pod,
            required_weight=self._required_weight,
            heard=None if has_preferences else self.heard(cycle.state, required_anti=False),
        )
        return SKIP if sums is None else sums

    def concerned_by(self, cycle: Cycle) -> BoolArray | None:
        if not self._listens(_has_preferences(cycle)):
            return None
        return preferred_pods(cycle.state, cycle.pod, required_weight=self._required_weight)

    def _listens(self, has_preferences: bool) -> bool:
        return has_preferences or not self.args.get("ignorePreferredTermsOfExistingPods")

    @property
    def _required_weight(self) -> int:
        """What an existing pod's required affinity counts."""
        hard = self.args.get("hardPodAffinityWeight")
        return 1 if hard is None else int(hard)

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


def _has_preferences(cycle: Cycle) -> bool:
    own = terms_of(cycle.pod.pod, cycle.pod.namespace)
    return bool(own.preferred or own.preferred_anti)


# -- queueing hints ------------------------------------------------------------------------------------


Forbids = Callable[[Sequence[AffinityTerm], Pod], bool]
"""Whether terms of anti-affinity forbid a pod."""


def _all_match(terms: Sequence[AffinityTerm], pod: Pod) -> bool:
    """Return whether there are terms and the pod matches all of them."""
    labels = pod.metadata.labels or {}
    return bool(terms) and all(term.matches(namespace_of(pod), labels, {}) for term in terms)


def any_matches(terms: Sequence[AffinityTerm], pod: Pod) -> bool:
    """Return whether the pod matches one of the terms."""
    labels = pod.metadata.labels or {}
    return any(term.matches(namespace_of(pod), labels, {}) for term in terms)


def interests_of(after_pod_change: Hint) -> list[Interest]:
    """Pods that come, go or are relabelled; nodes that come or are relabelled."""
    pods = ClusterEvent(POD, Action.ADD | Action.UPDATE_POD_LABEL | Action.DELETE)
    nodes = ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)
    return [
        Interest(
            pods,
            after_pod_change,
            yes="a pod is now where the affinity wants one, or no longer where the anti-affinity forbids it",
            no="it is no pod that the affinity wants or the anti-affinity forbids",
        ),
        Interest(
            nodes,
            after_node_change,
            yes="the node entered a domain of the affinity, or left one of the anti-affinity",
            no="the node entered no domain of the affinity, and left none of the anti-affinity",
        ),
    ]


def after_pod_change(
    pod: Pod, old: Pod | None, new: Pod | None, view: ClusterView, forbids: Forbids = _all_match
) -> bool:
    """Return whether a pod is now where affinity wants one, or no longer where anti-affinity forbids it."""
    if old is not None and new is not None and uid_of(new) == uid_of(pod):
        return True
    if any(other is not None and not takes_room(other) for other in (old, new)):
        return False
    if suits_own_terms(pod, old, new, forbids):
        return True
    return old is not None and new is None and forbids(_terms(old).required_anti, pod)


def suits_own_terms(pod: Pod, old: Pod | None, new: Pod | None, forbids: Forbids = _all_match) -> bool:
    """Return whether the change is one that the waiting pod's own terms call for.

    `forbids` says whether terms of anti-affinity forbid a pod.
    """
    terms = _terms(pod)
    if old is not None and new is not None:
        return (not _all_match(terms.required, old) and _all_match(terms.required, new)) or (
            forbids(terms.required_anti, old) and not forbids(terms.required_anti, new)
        )
    if new is not None:
        return _all_match(terms.required, new)
    assert old is not None
    return forbids(terms.required_anti, old)


def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    """Return whether the node entered or changed a domain of affinity, or left one of anti-affinity."""
    terms, labels = _terms(pod), new.metadata.labels or {}
    if old is None:
        return bool(terms.required_anti) or any(term.topology_key in labels for term in terms.required)
    before = old.metadata.labels or {}
    return any(
        term.topology_key in labels and before.get(term.topology_key) != labels[term.topology_key]
        for term in terms.required
    ) or any(
        term.topology_key in before and labels.get(term.topology_key) != before[term.topology_key]
        for term in terms.required_anti
    )


def _terms(pod: Pod) -> PodTerms:
    return terms_of(pod, namespace_of(pod))
