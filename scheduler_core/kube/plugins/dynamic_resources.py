"""DynamicResources for pods without claims: its score of 0 and its half of the FailedScheduling message.

Pods with resource claims, and extended resources that a DeviceClass stands behind, are not modelled: no
plugin ever sees them.

Source: kubernetes v1.36 plugins/dynamicresources.
"""

from typing import Any

import numpy as np

from scheduler_core.kube.framework import ERROR, UNSCHEDULABLE, Cycle, ScorePlugin
from scheduler_core.kube.hints import dynamic_resources as hints
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer, PostFilterPlugin
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.state.nodes import IntArray


class DynamicResources(ScorePlugin, PostFilterPlugin):
    """PreFilter has nothing to say about a pod without claims, but must have run before PostFilter."""

    name = "DynamicResources"

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return hints.listens_to()

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return np.zeros(len(nodes), dtype=np.int64)

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        if self.name not in failure.pre_filtered.ran:
            # Its PreFilter never ran, so that it finds no state: an error, which ends PostFilter.
            return PostFilterAnswer(ERROR, "not found")
        return PostFilterAnswer(UNSCHEDULABLE, "no new claims to deallocate")
