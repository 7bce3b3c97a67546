"""When a pod that NodeAffinity rejected may fit.

Source: kubernetes v1.36 plugins/nodeaffinity isSchedulableAfterNodeChange; k8s.io/component-helpers v0.36
corev1/nodeaffinity LazyErrorNodeSelector.Match.
"""

from scheduler_core.kube.queueing.cluster_event import NODE, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, HintFailed, Interest
from scheduler_core.objects import selectors
from scheduler_core.objects.types import Node, NodeAffinity, NodeSelectorTerm, Pod


def listens_to(added: NodeAffinity) -> list[Interest]:
    """Nodes that come or are relabelled; `added` is the profile's addedAffinity."""
    return [
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL),
            _after_node_change(added),
            yes="the node matches the pod's affinity now, and did not before",
            no="the node does not match the pod's affinity, or did so before",
        )
    ]


def _after_node_change(added: NodeAffinity) -> Hint:
    def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
        """Return whether the node matches now and did not before."""
        if added.required is not None and not _any_term(added.required.node_selector_terms or [], new)[0]:
            return False
        return _matches(pod, new) and (old is None or not _matches(pod, old))

    return after_node_change


def _matches(pod: Pod, node: Node) -> bool:
    """Return whether the node satisfies nodeSelector and required node affinity. Raises HintFailed."""
    labels = node.metadata.labels or {}
    if not selectors.matches(selectors.from_labels(pod.spec.node_selector), labels):
        return False
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    if affinity is None or affinity.required is None:
        return True
    matched, faulty = _any_term(affinity.required.node_selector_terms or [], node)
    if not matched and faulty:
        raise HintFailed("a term of the node affinity cannot be read")
    return matched


def _any_term(terms: list[NodeSelectorTerm], node: Node) -> tuple[bool, bool]:
    """Return whether one of the terms matches the node, and whether one cannot be read."""
    faulty = False
    for term in terms:
        compiled = selectors.from_node_term(term)
        if compiled is None:
            faulty |= bool(term.match_expressions or term.match_fields)
        elif selectors.term_matches(compiled, node.metadata.labels or {}, node.metadata.name):
            return True, faulty
    return False, faulty
