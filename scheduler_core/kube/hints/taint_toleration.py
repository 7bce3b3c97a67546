"""When a pod that TaintToleration rejected may fit.

Source: kubernetes v1.36 plugins/tainttoleration isSchedulableAfter...
"""

from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.tolerations import DO_NOT_SCHEDULE, tolerates


def listens_to(*, comparing: bool) -> list[Interest]:
    """Nodes that come or whose taints change; the pod's own tolerations, Gt and Lt if `comparing`."""
    return [
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_TAINT),
            _after_node_change(comparing),
            yes="the pod tolerates the node's taints now, and did not before",
            no="the pod does not tolerate the node's taints, or did so before",
        ),
        Interest(
            ClusterEvent(POD, Action.UPDATE_POD_TOLERATION),
            after_toleration_change,
            yes="the pod itself has other tolerations now",
            no="it is another pod's tolerations that changed",
        ),
    ]


def _after_node_change(comparing: bool) -> Hint:
    def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
        """Return whether the pod tolerates the node now and did not before."""
        return (old is None or not _tolerated(pod, old, comparing)) and _tolerated(pod, new, comparing)

    return after_node_change


def after_toleration_change(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
    """Return whether it is the pod itself that changed."""
    return uid_of(pod) == uid_of(new)


def _tolerated(pod: Pod, node: Node, comparing: bool) -> bool:
    tolerations = pod.spec.tolerations or ()
    return all(
        tolerates(tolerations, (taint.key, taint.value or "", taint.effect), comparing=comparing)
        for taint in node.spec.taints or ()
        if taint.effect in DO_NOT_SCHEDULE
    )
