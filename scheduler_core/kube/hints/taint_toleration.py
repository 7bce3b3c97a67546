"""When a pod that TaintToleration rejected may fit.

Source: kubernetes v1.36 plugins/tainttoleration isSchedulableAfter...
"""

from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.tolerations import DO_NOT_SCHEDULE, tolerates


def listens_to() -> list[Interest]:
    """Nodes that come or whose taints change; the pod's own tolerations."""
    return [
        Interest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_TAINT), after_node_change),
        Interest(ClusterEvent(POD, Action.UPDATE_POD_TOLERATION), after_toleration_change),
    ]


def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    """Return whether the pod tolerates the node now and did not before."""
    return (old is None or not _tolerated(pod, old)) and _tolerated(pod, new)


def after_toleration_change(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
    """Return whether it is the pod itself that changed."""
    return uid_of(pod) == uid_of(new)


def _tolerated(pod: Pod, node: Node) -> bool:
    return all(
        tolerates(pod.spec.tolerations or (), (taint.key, taint.value or "", taint.effect))
        for taint in node.spec.taints or ()
        if taint.effect in DO_NOT_SCHEDULE
    )
