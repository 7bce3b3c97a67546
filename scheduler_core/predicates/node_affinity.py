"""Which nodes a pod's node selector and node affinity ask for, and which they prefer.

Source: k8s.io/component-helpers v0.36 corev1/nodeaffinity.
"""

from collections.abc import Iterable

import numpy as np

from scheduler_core.objects import selectors, types
from scheduler_core.state.nodes import BoolArray, IntArray, NodeTable

_NO_AFFINITY = types.NodeAffinity()


def node_affinity_of(pod: types.Pod) -> types.NodeAffinity:
    """Return the pod's node affinity, an empty one if it has none."""
    return (pod.spec.affinity and pod.spec.affinity.node_affinity) or _NO_AFFINITY


def required_node_affinity(pod: types.Pod, nodes: NodeTable) -> BoolArray:
    """Return which nodes satisfy the pod's nodeSelector and required node affinity, shape (nodes,)."""
    mask = nodes.selected(selectors.from_labels(pod.spec.node_selector))
    required = node_affinity_of(pod).required
    if required is None:
        return mask
    return mask & nodes.any_term_selected(selectors.from_node_terms(required.node_selector_terms))


def lacking_labels(pod: types.Pod, nodes: NodeTable, rows: IntArray) -> list[str]:
    """Return the first entry of the pod's nodeSelector that each of these nodes lacks, as disk=ssd."""
    asked = sorted((pod.spec.node_selector or {}).items())
    found = []
    for row in rows.tolist():
        labels = nodes.objects[row].metadata.labels or {}
        lacking = next((pair for pair in asked if labels.get(pair[0]) != pair[1]), None)
        if lacking is not None:
            found.append("=".join(lacking))
    return found


def preference_weights(preferred: Iterable[types.PreferredSchedulingTerm], nodes: NodeTable) -> IntArray:
    """Return the sum of the weights of the terms that each node satisfies, shape (nodes,)."""
    total = np.zeros(len(nodes), dtype=np.int64)
    for entry in preferred:
        term = selectors.from_node_term(entry.preference)
        if term is not None and entry.weight != 0:
            total += entry.weight * nodes.term_selected(term)
    return total
