"""Whose affinity terms are heard of while members of a group are put onto nodes to try others.

The scheduler lists the nodes that have pods with affinity to pods, be it without terms, when it takes its
picture of the cluster. A member that is tried on a node adds none to these lists: elsewhere its own terms
count for nobody.

Source: kubernetes v1.36 pkg/scheduler/backend/cache/snapshot.go AssumePod, HavePodsWithAffinityList,
HavePodsWithRequiredAntiAffinityList.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scheduler_core.predicates.affinity_terms import PodTerms
from scheduler_core.predicates.term_index import term_index
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray


class ListedNodes:
    """The lists as a cycle begins: by row, nodes with required anti-affinity, and with any terms."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._anti = self._with(lambda terms: bool(terms.required_anti))
        self._any = self._with(lambda terms: terms.is_given)

    def note(self, pod: int, node: int) -> None:
        """Note that a member is tried on a node, both by row."""
        for listed, unheard in zip((self._anti, self._any), self._state.unheard, strict=True):
            if not listed[node]:
                unheard.add(pod)

    def forget(self) -> None:
        """Note that nobody is tried any more."""
        for unheard in self._state.unheard:
            unheard.clear()

    def _with(self, has: Callable[[PodTerms], bool]) -> BoolArray:
        state, listed = self._state, np.zeros(len(self._state.nodes), dtype=np.bool_)
        index = term_index(state.pods)
        if not len(index.distinct):
            return listed
        mask = np.array([has(terms) for terms in index.distinct], dtype=np.bool_)[index.of_pod]
        placed = state.pod_node[: len(mask)]
        listed[placed[mask & (placed >= 0)]] = True
        return listed
