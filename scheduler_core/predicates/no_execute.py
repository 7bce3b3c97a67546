"""For how long pods stay on a node with NoExecute taints.

Source: kubernetes v1.36 pkg/controller/tainteviction processPodOnNode, getMinTolerationTime;
k8s.io/component-helpers v0.36 scheduling/corev1 GetMatchingTolerations.
"""

from collections.abc import Sequence

from scheduler_core.objects.types import Taint, Toleration
from scheduler_core.predicates.tolerations import tolerates


def covering(tolerations: Sequence[Toleration], taint: Taint) -> Toleration | None:
    """Return the first toleration that covers a taint; None if none does."""
    key = taint.key, taint.value or "", taint.effect
    return next((one for one in tolerations if tolerates([one], key)), None)


def seconds_of(toleration: Toleration) -> int | None:
    """Return for how many seconds a toleration holds, None if for ever; a negative number is 0."""
    seconds = toleration.toleration_seconds
    return None if seconds is None else max(0, seconds)


def shortest(tolerations: Sequence[Toleration]) -> int | None:
    """Return for how many seconds tolerations hold together, None if for ever; none hold for 0."""
    if not tolerations:
        return 0
    limits = [seconds for one in tolerations if (seconds := seconds_of(one)) is not None]
    return min(limits, default=None)


def stays_for(tolerations: Sequence[Toleration], taints: Sequence[Taint]) -> int | None:
    """Return after how many seconds NoExecute taints evict a pod with these tolerations; None if never."""
    if not taints:
        return None
    used = [covering(tolerations, taint) for taint in taints]
    held = [one for one in used if one is not None]
    return 0 if len(held) < len(used) else shortest(held)
