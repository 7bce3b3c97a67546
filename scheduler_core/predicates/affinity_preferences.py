"""How much the pods that are there speak for each node: preferred affinity in both directions.

Source: kubernetes v1.36 plugins/interpodaffinity scoring.go PreScore, processExistingPod.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from scheduler_core.predicates.affinity_terms import (
    AffinityTerm,
    PodTerms,
    terms_of,
    with_namespaces_resolved,
)
from scheduler_core.predicates.affinity_weights import matched
from scheduler_core.predicates.term_index import term_index
from scheduler_core.predicates.topology_counts import sum_by_domain, sum_by_node
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo

_Contribution = tuple[str, BoolArray, IntArray]
"""A topology key, which pods a term matches, and what each counts for."""


def preference_sums(
    state: ClusterState, pod: PodInfo, *, required_weight: int, heard: BoolArray | None = None
) -> IntArray | None:
    """Return the sum of the weights for each node, shape (nodes,); None if no term has to do with the pod.

    An existing pod's required affinity that the incoming one matches counts `required_weight`. `heard`,
    shape (pods,), are the existing pods whose terms count; None: all.
    """
    own = terms_of(pod.pod, pod.namespace)
    touched, by_node = False, np.zeros(len(state.nodes), dtype=np.int64)
    for key, matching, weights in (*_own(state, own), *_existing(state, pod, required_weight, heard)):
        topology = state.nodes.topology(key)
        bound = state.pod_node[(state.pod_node >= 0) & matching]
        if topology.present[bound].any():
            touched = True
            domains = sum_by_domain(topology, sum_by_node(state, weights))
            by_node += np.where(topology.present, domains[topology.domain], 0)
    return by_node if touched else None


def preferred_pods(state: ClusterState, pod: PodInfo, *, required_weight: int) -> BoolArray | None:
    """Return which pods count in these sums once they are on a node, shape (pods,); None: nobody."""
    own = terms_of(pod.pod, pod.namespace)
    matching = [pods for _, pods, _ in (*_own(state, own), *_existing(state, pod, required_weight, None))]
    return np.any(matching, axis=0) if matching else None


def _own(state: ClusterState, own: PodTerms) -> Iterator[_Contribution]:
    for terms, sign in ((own.preferred, 1), (own.preferred_anti, -1)):
        for term in with_namespaces_resolved(terms, state.namespaces):
            matching = matched(state.pods, term)
            yield term.topology_key, matching, sign * term.weight * matching.astype(np.int64)


def _existing(
    state: ClusterState, incoming: PodInfo, required_weight: int, heard: BoolArray | None
) -> Iterator[_Contribution]:
    index = term_index(state.pods)
    of_namespace = state.namespaces.get(incoming.namespace, {})
    weights: dict[str, IntArray] = {}
    matching: dict[str, BoolArray] = {}
    for place, terms in index.concerning(incoming.namespace, incoming.labels):
        for term, weight in _scored_terms(terms, required_weight):
            if term.matches(incoming.namespace, incoming.labels, of_namespace):
                key = term.topology_key
                weights.setdefault(key, np.zeros(len(index.distinct), np.int64))[place] += weight
                matching.setdefault(key, np.zeros(len(index.distinct), np.bool_))[place] = True
    for key, column in weights.items():
        matches, counted = matching[key][index.of_pod], column[index.of_pod]
        yield (key, matches, counted) if heard is None else (key, matches & heard, counted * heard)


def _scored_terms(terms: PodTerms, required_weight: int) -> Iterable[tuple[AffinityTerm, int]]:
    if required_weight > 0:
        yield from ((term, required_weight) for term in terms.required)
    yield from ((term, term.weight) for term in terms.preferred)
    yield from ((term, -term.weight) for term in terms.preferred_anti)
