"""When a pod that InterPodAffinity rejected may fit.

The labels of namespaces are not looked up: a term's namespace selector sees a namespace without labels.

Source: kubernetes v1.36 plugins/interpodaffinity plugin.go isSchedulableAfter..., filtering.go
podMatchesAllAffinityTerms.
"""

from collections.abc import Sequence

from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import namespace_of, takes_room, uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.affinity_terms import AffinityTerm, PodTerms, terms_of


def listens_to() -> list[Interest]:
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


def after_pod_change(pod: Pod, old: Pod | None, new: Pod | None, view: ClusterView) -> bool:
    """Return whether a pod is now where affinity wants one, or no longer where anti-affinity forbids it."""
    if old is not None and new is not None and uid_of(new) == uid_of(pod):
        return True
    if any(other is not None and not takes_room(other) for other in (old, new)):
        return False
    terms = _terms(pod)
    if old is not None and new is not None:
        return (not _all_match(terms.required, old) and _all_match(terms.required, new)) or (
            _all_match(terms.required_anti, old) and not _all_match(terms.required_anti, new)
        )
    if new is not None:
        return _all_match(terms.required, new)
    assert old is not None
    return _all_match(terms.required_anti, old) or _all_match(_terms(old).required_anti, pod)


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


def _all_match(terms: Sequence[AffinityTerm], pod: Pod) -> bool:
    """Return whether there are terms and the pod matches all of them."""
    labels = pod.metadata.labels or {}
    return bool(terms) and all(term.matches(namespace_of(pod), labels, {}) for term in terms)
