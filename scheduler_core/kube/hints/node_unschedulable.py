"""When a pod that NodeUnschedulable rejected may fit.

Source: kubernetes v1.36 plugins/nodeunschedulable isSchedulableAfter...
"""

from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.tolerations import tolerates

_TAINT = ("node.kubernetes.io/unschedulable", "", "NoSchedule")


def listens_to() -> list[Interest]:
    """Nodes that come or are uncordoned; new tolerations."""
    return [
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_TAINT),
            after_node_change,
            yes="the node takes pods now, and did not before",
            no="the node is cordoned, or was not cordoned before",
        ),
        Interest(
            ClusterEvent(POD, Action.UPDATE_POD_TOLERATION),
            after_toleration_change,
            yes="the pod itself tolerates cordoned nodes now",
            no="it is another pod, or it does not tolerate cordoned nodes",
        ),
    ]


def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    """Return whether the node takes pods now and did not before."""
    return (old is None or bool(old.spec.unschedulable)) and not new.spec.unschedulable


def after_toleration_change(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
    """Return whether the pod itself tolerates cordoned nodes now."""
    return uid_of(pod) == uid_of(new) and tolerates(new.spec.tolerations or (), _TAINT)
