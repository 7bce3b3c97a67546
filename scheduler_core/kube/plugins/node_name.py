"""NodeName: a pod that names its node fits only there.

Source: kubernetes v1.36 plugins/nodename.

Hints: plugins/nodename EventsToRegister.
"""

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, FilterPlugin, Reads, View
from scheduler_core.kube.queueing.cluster_event import NODE, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.nodes import IntArray


class NodeName(FilterPlugin):
    """Filter: pending pods have no `spec.nodeName`, so that this hardly ever rejects."""

    name = "NodeName"
    reads = Reads.NODE

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        wanted = view.cycle.pod.pod.spec.node_name
        if not wanted:
            return np.zeros(len(nodes), dtype=np.int64)
        elsewhere = np.not_equal(nodes, view.cluster.nodes.index.get(wanted, -1))
        return elsewhere.astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, ["node(s) didn't match the requested node name"])


# -- queueing hints ------------------------------------------------------------------------------------


def _interests() -> list[Interest]:
    """Any new node may be the one that the pod names."""
    return [Interest(ClusterEvent(NODE, Action.ADD))]
