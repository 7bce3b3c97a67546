"""Whether a node is one that a waiting pod's node selector and required affinity take, as the queue asks.

Source: k8s.io/component-helpers v0.36 corev1/nodeaffinity RequiredNodeAffinity, LazyErrorNodeSelector.Match.
"""

from scheduler_core.kube.queueing.hint import HintFailed
from scheduler_core.objects import selectors
from scheduler_core.objects.types import Node, NodeSelectorTerm, Pod


def satisfies_affinity(pod: Pod, node: Node) -> bool:
    """Return whether the node satisfies nodeSelector and required node affinity. Raises HintFailed."""
    labels = node.metadata.labels or {}
    if not selectors.matches(selectors.from_labels(pod.spec.node_selector), labels):
        return False
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    if affinity is None or affinity.required is None:
        return True
    matched, faulty = any_term(affinity.required.node_selector_terms or [], node)
    if not matched and faulty:
        raise HintFailed("a term of the node affinity cannot be read")
    return matched


def any_term(terms: list[NodeSelectorTerm], node: Node) -> tuple[bool, bool]:
    """Return whether one of the terms matches the node, and whether one cannot be read."""
    faulty = False
    for term in terms:
        compiled = selectors.from_node_term(term)
        if compiled is None:
            faulty |= bool(term.match_expressions or term.match_fields)
        elif selectors.term_matches(compiled, node.metadata.labels or {}, node.metadata.name):
            return True, faulty
    return False, faulty
