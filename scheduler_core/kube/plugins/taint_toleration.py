"""TaintToleration: no room on nodes with taints that the pod does not tolerate.

Source: kubernetes v1.36 plugins/tainttoleration.
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
from scheduler_core.kube.hints import taint_toleration as hints
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.tolerations import has_untolerated, untolerated_preferences
from scheduler_core.state.nodes import IntArray


class TaintToleration(FilterPlugin, ScorePlugin):
    """Filter: NoSchedule and NoExecute taints. Score: fewest PreferNoSchedule taints not tolerated."""

    name = "TaintToleration"
    reads = Reads.NODE
    unscored = 'failed to read "PreScoreTaintToleration" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return hints.listens_to(comparing=self.gates.compares_taints)

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        tolerations = view.cycle.pod.pod.spec.tolerations or ()
        comparing = self.gates.compares_taints
        untolerated = has_untolerated(view.cluster.nodes, tolerations, comparing=comparing)
        return untolerated[nodes].astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, ["node(s) had untolerated taint(s)"])

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        tolerations = cycle.pod.pod.spec.tolerations or ()
        comparing = self.gates.compares_taints
        return untolerated_preferences(cycle.state.nodes, tolerations, comparing=comparing)[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        return scale_to_maximum(scores, reverse=True)
