"""Which taints a pod tolerates.

`comparing` says whether Gt and Lt may match; where they may not, such a toleration covers nothing.

Source: k8s.io/api v0.36 core/v1 Toleration.ToleratesTaint; k8s.io/apimachinery v0.36
pkg/api/validate/content IsDecimalInteger.
"""

import re
from collections.abc import Sequence

import numpy as np

from scheduler_core.objects.selectors import parse_int64
from scheduler_core.objects.types import Toleration
from scheduler_core.state.nodes import BoolArray, IntArray, NodeTable, TaintKey

CORDON: TaintKey = ("node.kubernetes.io/unschedulable", "", "NoSchedule")
"""The taint that the node controller keeps on nodes as long as they are unschedulable."""
DO_NOT_SCHEDULE = ("NoSchedule", "NoExecute")
_PREFER_NO_SCHEDULE = "PreferNoSchedule"
_CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)


def tolerates(tolerations: Sequence[Toleration], taint: TaintKey, *, comparing: bool = False) -> bool:
    """Return whether any of the tolerations covers the taint."""
    return any(_covers(toleration, taint, comparing=comparing) for toleration in tolerations)


def _covers(toleration: Toleration, taint: TaintKey, *, comparing: bool) -> bool:
    key, value, effect = taint
    if toleration.effect and toleration.effect != effect:
        return False
    if toleration.key and toleration.key != key:
        return False
    if toleration.operator in (None, "", "Equal"):
        return (toleration.value or "") == value
    if toleration.operator in ("Gt", "Lt"):
        return comparing and _compares(toleration.operator, value, toleration.value or "")
    return toleration.operator == "Exists"


def _compares(operator: str, taint_value: str, bound: str) -> bool:
    """Return whether the taint's value is greater (Gt) or less (Lt) than the toleration's."""
    left, right = _canonical_int64(taint_value), _canonical_int64(bound)
    if left is None or right is None:
        return False
    return left > right if operator == "Gt" else left < right


def _canonical_int64(text: str) -> int | None:
    return parse_int64(text) if _CANONICAL_INTEGER.fullmatch(text) else None


def untolerated_preferences(
    nodes: NodeTable, tolerations: Sequence[Toleration], *, comparing: bool = False
) -> IntArray:
    """Return how many PreferNoSchedule taints of each node are not tolerated, shape (nodes,)."""
    soft = [one for one in tolerations if not one.effect or one.effect == _PREFER_NO_SCHEDULE]
    counts = [
        sum(
            taint[2] == _PREFER_NO_SCHEDULE and not tolerates(soft, taint, comparing=comparing)
            for taint in taints
        )
        for taints in nodes.taint_sets
    ]
    return np.array(counts, dtype=np.int64)[nodes.taint_set]


def first_untolerated(tolerations: Sequence[Toleration], taints: Sequence[TaintKey]) -> TaintKey | None:
    """Return the first NoSchedule or NoExecute taint that is not tolerated; Gt and Lt tolerate nothing."""
    return next(
        (taint for taint in taints if taint[2] in DO_NOT_SCHEDULE and not tolerates(tolerations, taint)), None
    )


def untolerated(
    tolerations: Sequence[Toleration], taints: Sequence[TaintKey], *, comparing: bool = False
) -> list[TaintKey]:
    """Return the NoSchedule and NoExecute taints that are not tolerated."""
    return [
        taint
        for taint in taints
        if taint[2] in DO_NOT_SCHEDULE and not tolerates(tolerations, taint, comparing=comparing)
    ]


def taint_text(taint: TaintKey) -> str:
    """Return a taint as kubectl writes it: key=value:effect, or key:effect."""
    key, value, effect = taint
    return f"{key}={value}:{effect}" if value else f"{key}:{effect}"


def has_untolerated(
    nodes: NodeTable, tolerations: Sequence[Toleration], *, comparing: bool = False
) -> BoolArray:
    """Return which nodes have a NoSchedule or NoExecute taint that is not tolerated, shape (nodes,)."""
    answers = [bool(untolerated(tolerations, taints, comparing=comparing)) for taints in nodes.taint_sets]
    return np.array(answers, dtype=np.bool_)[nodes.taint_set]


def closing_taints(
    nodes: NodeTable, tolerations: Sequence[Toleration], rows: IntArray, *, comparing: bool = False
) -> list[str]:
    """Return a taint that is not tolerated of each of these nodes that has one, a cordon's only alone."""
    taints = [untolerated(tolerations, one, comparing=comparing) for one in nodes.taint_sets]
    found = (taints[which] for which in nodes.taint_set[rows].tolist())
    return [taint_text(min(one, key=lambda taint: taint == CORDON)) for one in found if one]


def goes_with_cordon(
    nodes: NodeTable, tolerations: Sequence[Toleration], *, comparing: bool = False
) -> BoolArray:
    """Return which nodes are cordoned and have no other taint that is not tolerated, shape (nodes,).

    Whoever uncordons them lifts the cordon's taint as well.

    Source: kubernetes v1.36 pkg/controller/nodelifecycle doNoScheduleTaintingPass.
    """
    others = [
        any(taint != CORDON for taint in untolerated(tolerations, taints, comparing=comparing))
        for taints in nodes.taint_sets
    ]
    mask: BoolArray = nodes.unschedulable & ~np.array(others, dtype=np.bool_)[nodes.taint_set]
    return mask
