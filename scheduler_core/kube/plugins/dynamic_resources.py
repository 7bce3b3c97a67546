"""DynamicResources for pods without claims: its score of 0 and its half of the FailedScheduling message.

Pods with resource claims, and extended resources that a DeviceClass stands behind, are not modelled: no
plugin ever sees them.

Source: kubernetes v1.36 plugins/dynamicresources.
"""

from typing import Any

import numpy as np

from scheduler_core.kube.framework import Cycle, ScorePlugin
from scheduler_core.state.nodes import IntArray


class DynamicResources(ScorePlugin):
    """PreFilter has nothing to say about a pod without claims, but must have run before PostFilter."""

    name = "DynamicResources"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return np.zeros(len(nodes), dtype=np.int64)

    def post_filter_reasons(self) -> list[str]:
        """Return what PostFilter says of a pod without claims."""
        return ["no new claims to deallocate"]
