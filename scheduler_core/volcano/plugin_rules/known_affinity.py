"""Inter-pod affinity as a session sees it: which nodes have pods with affinity is noted when it opens.

A pod that gets a node during the session speaks for and against others only on a node that had such pods
before; only for a pod with preferences of its own all pods are heard.

Source: volcano v1.16 pkg/scheduler/plugins/util/k8s/snapshot.go NewSnapshot; kubernetes v1.36
plugins/interpodaffinity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.kube.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.predicates.term_index import term_index
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray
from scheduler_core.state.pods import PodInfo


class KnownAffinity(InterPodAffinity):
    """`InterPodAffinity` of a session that opens now."""

    def __init__(self, state: ClusterState, args: dict[str, Any] | None = None) -> None:
        super().__init__(args)
        self._pods = state.pods
        index = term_index(state.pods)
        self._any = _nodes_with(state, np.array([place > 0 for place in range(len(index.distinct))]))
        self._anti = _nodes_with(state, np.array([bool(terms.required_anti) for terms in index.distinct]))

    def is_silent_for(self, pod: PodInfo) -> bool:
        """Return whether the pod has no terms, and none of others is ever heard in this session."""
        return not self._any.any() and not term_index(self._pods).of_pod[pod.row]

    def heard(self, state: ClusterState, *, required_anti: bool) -> BoolArray:
        known = self._anti if required_anti else self._any
        # The last entry answers for pods without a node.
        heard: BoolArray = np.append(known, False)[state.pod_node]
        return heard


def _nodes_with(state: ClusterState, affinities: BoolArray) -> BoolArray:
    """Return which nodes have a pod with one of the distinct affinities, shape (nodes,)."""
    pods = affinities[term_index(state.pods).of_pod] & (state.pod_node >= 0)
    having = np.zeros(len(state.nodes), dtype=np.bool_)
    having[state.pod_node[pods]] = True
    return having
