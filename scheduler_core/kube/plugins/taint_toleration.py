"""TaintToleration: no room on nodes with taints that the pod does not tolerate.

Source: kubernetes v1.36 plugins/tainttoleration.

Hints: plugins/tainttoleration isSchedulableAfter...
"""

from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    UNRESOLVABLE,
    Cycle,
    FilterPlugin,
    Reads,
    ScorePlugin,
    View,
    scale_to_maximum,
)
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.tolerations import (
    DO_NOT_SCHEDULE,
    closing_taints,
    goes_with_cordon,
    has_untolerated,
    tolerates,
    untolerated_preferences,
)
from scheduler_core.state.nodes import BoolArray, IntArray


class TaintToleration(FilterPlugin, ScorePlugin):
    """Filter: NoSchedule and NoExecute taints. Score: fewest PreferNoSchedule taints not tolerated."""

    name = "TaintToleration"
    reads = Reads.NODE
    unscored = 'failed to read "PreScoreTaintToleration" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests(comparing=self.gates.compares_taints)

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        tolerations = view.cycle.pod.pod.spec.tolerations or ()
        comparing = self.gates.compares_taints
        untolerated = has_untolerated(view.cluster.nodes, tolerations, comparing=comparing)
        return untolerated[nodes].astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, ["node(s) had untolerated taint(s)"])

    def particulars(self, view: View, nodes: IntArray) -> list[str]:
        tolerations, comparing = view.cycle.pod.pod.spec.tolerations or (), self.gates.compares_taints
        return closing_taints(view.cluster.nodes, tolerations, nodes, comparing=comparing)

    def goes_with_cordon(self, view: View) -> BoolArray:
        tolerations, comparing = view.cycle.pod.pod.spec.tolerations or (), self.gates.compares_taints
        return goes_with_cordon(view.cluster.nodes, tolerations, comparing=comparing)

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        tolerations = cycle.pod.pod.spec.tolerations or ()
        comparing = self.gates.compares_taints
        return untolerated_preferences(cycle.state.nodes, tolerations, comparing=comparing)[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        return scale_to_maximum(scores, reverse=True)


# -- queueing hints ------------------------------------------------------------------------------------


def _interests(*, comparing: bool) -> list[Interest]:
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
