"""InterPodAffinityPriority: the preferred terms of all pods, and required affinity that points back.

Source: kubernetes v1.8 to v1.13 algorithm/priorities/interpod_affinity.go.
"""

from typing import Any

import numpy as np

from scheduler_core.kube.framework import Cycle, ScorePlugin
from scheduler_core.kube.releases.priorities.resource_priorities import MAX_PRIORITY
from scheduler_core.predicates.affinity_preferences import preference_sums
from scheduler_core.state.nodes import IntArray

_WEIGHT_OF_REQUIRED = 1


class InterPodAffinityPriority(ScorePlugin):
    """The sums lie between their lowest and highest, 0 included, and are stretched to 0..10."""

    name = "InterPodAffinityPriority"

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        sums = preference_sums(cycle.state, cycle.pod, required_weight=_WEIGHT_OF_REQUIRED)
        return np.zeros(len(cycle.state.nodes), dtype=np.int64) if sums is None else sums

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        by_node: IntArray = prepared
        return by_node[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        lowest, highest = min(0, int(scores.min())), max(0, int(scores.max()))
        if highest == lowest:
            return np.zeros_like(scores)
        share = (scores - lowest).astype(np.float64) / float(highest - lowest)
        return (float(MAX_PRIORITY) * share).astype(np.int64)
