"""DynamicResources for pods without claims: its score of 0 and its half of the FailedScheduling message.

Pods with resource claims, and extended resources that a DeviceClass stands behind, are not modelled: no
plugin ever sees them.

Source: kubernetes v1.36 plugins/dynamicresources.
"""

from typing import Any

import numpy as np

from scheduler_core.kube.framework import (
    ERROR,
    SKIP,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    ScoreFault,
    ScorePlugin,
)
from scheduler_core.kube.hints import dynamic_resources as hints
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer, PostFilterPlugin
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.state.nodes import IntArray


class DynamicResources(FilterPlugin, ScorePlugin, PostFilterPlugin):
    """PreFilter has nothing to say about a pod without claims, but must have run before PostFilter."""

    name = "DynamicResources"
    reads = Reads.NODE
    unprepared = "not found"

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        return SKIP

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        if self.name not in cycle.prepared:
            raise ScoreFault(self.unprepared)
        return None

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return hints.listens_to()

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return np.zeros(len(nodes), dtype=np.int64)

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        if self.name not in failure.cycle.prepared:
            # Without its state it ends with an error, and PostFilter with it.
            return PostFilterAnswer(ERROR, self.unprepared)
        return PostFilterAnswer(UNSCHEDULABLE, "no new claims to deallocate")
