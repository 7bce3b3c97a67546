"""NodeUnschedulable: cordoned nodes take only pods that tolerate `node.kubernetes.io/unschedulable`.

Source: kubernetes v1.36 plugins/nodeunschedulable.

Hints: plugins/nodeunschedulable isSchedulableAfter...
"""

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, FilterPlugin, Reads, View
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.tolerations import CORDON, tolerates
from scheduler_core.state.nodes import IntArray


class NodeUnschedulable(FilterPlugin):
    """Filter: comes before TaintToleration, so that a cordon is named rather than its taint."""

    name = "NodeUnschedulable"
    reads = Reads.NODE
    looks_at_cordons = True

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        cordoned = view.cluster.nodes.unschedulable[nodes]
        if cordoned.any() and tolerates(view.cycle.pod.pod.spec.tolerations or (), CORDON):
            return np.zeros(len(nodes), dtype=np.int64)
        return cordoned.astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, ["node(s) were unschedulable"])


# -- queueing hints ------------------------------------------------------------------------------------


def _interests() -> list[Interest]:
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
    return uid_of(pod) == uid_of(new) and tolerates(new.spec.tolerations or (), CORDON)
