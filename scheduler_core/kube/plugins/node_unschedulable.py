"""NodeUnschedulable: cordoned nodes take only pods that tolerate `node.kubernetes.io/unschedulable`.

Source: kubernetes v1.36 plugins/nodeunschedulable.
"""

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, FilterPlugin, Reads, View
from scheduler_core.kube.hints import node_unschedulable as hints
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.tolerations import tolerates
from scheduler_core.state.nodes import IntArray

_TAINT = ("node.kubernetes.io/unschedulable", "", "NoSchedule")


class NodeUnschedulable(FilterPlugin):
    """Filter: comes before TaintToleration, so that a cordon is named rather than its taint."""

    name = "NodeUnschedulable"
    reads = Reads.NODE

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return hints.listens_to()

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        cordoned = view.cluster.nodes.unschedulable[nodes]
        if cordoned.any() and tolerates(view.cycle.pod.pod.spec.tolerations or (), _TAINT):
            return np.zeros(len(nodes), dtype=np.int64)
        return cordoned.astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, ["node(s) were unschedulable"])
