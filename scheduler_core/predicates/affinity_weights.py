"""What each pod counts for under the affinity terms of an incoming pod.

Source: kubernetes v1.36 plugins/interpodaffinity filtering.go updateWithAffinityTerms,
updateWithAntiAffinityTerms.
"""

from collections.abc import Sequence

import numpy as np

from scheduler_core.predicates.affinity_terms import AffinityTerm
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodTable


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
