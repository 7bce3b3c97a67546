"""Which taints a pod tolerates.

Source: k8s.io/api v0.36 core/v1 Toleration.ToleratesTaint (comparison operators are an alpha gate, off).
"""

from collections.abc import Sequence

import numpy as np

from scheduler_core.objects.types import Toleration
from scheduler_core.state.nodes import BoolArray, IntArray, NodeTable, TaintKey

DO_NOT_SCHEDULE = ("NoSchedule", "NoExecute")
_PREFER_NO_SCHEDULE = "PreferNoSchedule"


def tolerates(tolerations: Sequence[Toleration], taint: TaintKey) -> bool:
    """Return whether any of the tolerations covers the taint."""
    return any(_covers(toleration, taint) for toleration in tolerations)


def _covers(toleration: Toleration, taint: TaintKey) -> bool:
    key, value, effect = taint
    if toleration.effect and toleration.effect != effect:
        return False
    if toleration.key and toleration.key != key:
        return False
    if toleration.operator in (None, "", "Equal"):
        return (toleration.value or "") == value
    return toleration.operator == "Exists"


def untolerated_preferences(nodes: NodeTable, tolerations: Sequence[Toleration]) -> IntArray:
    """Return how many PreferNoSchedule taints of each node are not tolerated, shape (nodes,)."""
    soft = [one for one in tolerations if not one.effect or one.effect == _PREFER_NO_SCHEDULE]
    counts = [
        sum(taint[2] == _PREFER_NO_SCHEDULE and not tolerates(soft, taint) for taint in taints)
        for taints in nodes.taint_sets
    ]
    return np.array(counts, dtype=np.int64)[nodes.taint_set]


def has_untolerated(nodes: NodeTable, tolerations: Sequence[Toleration]) -> BoolArray:
    """Return which nodes have a NoSchedule or NoExecute taint that is not tolerated, shape (nodes,)."""
    answers = [
        any(taint[2] in DO_NOT_SCHEDULE and not tolerates(tolerations, taint) for taint in taints)
        for taints in nodes.taint_sets
    ]
    return np.array(answers, dtype=np.bool_)[nodes.taint_set]
