"""How many pods a HorizontalPodAutoscaler lets a workload have: its bounds hold whatever the metrics say.

What metrics ask for between the bounds is not known. A workload of 0 replicas is not scaled, nor is one that
several autoscalers aim at.

Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go reconcileAutoscaler (the bounds, 1 as the
default minimum), hpasControllingPodsUnderSelector (AmbiguousSelector).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from scheduler_core.objects.identity import name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    Kind,
    kind_of,
)

Object = dict[str, Any]

AUTOSCALER = Kind("autoscaling", "HorizontalPodAutoscaler")
_SCALED = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET)


class Scaled(NamedTuple):
    """How many pods an autoscaler lets a workload have that wants another number, and why, as a phrase."""

    replicas: int
    why: str


def target_of(autoscaler: Object) -> tuple[Kind, str, str]:
    """Return kind, namespace and name of what an autoscaler aims at."""
    target = spec_of(autoscaler).get("scaleTargetRef")
    target = target if isinstance(target, dict) else {}
    return kind_of(target), namespace_of(autoscaler), str(target.get("name") or "")


def scaled(workload: Object, replicas: int, autoscalers: Iterable[Object]) -> Scaled | None:
    """Return what becomes of a workload of so many `replicas`; None if it stays as it is."""
    kind = kind_of(workload)
    if kind not in _SCALED or not replicas:
        return None
    key = (kind, namespace_of(workload), name_of(workload))
    aiming = {name_of(one): one for one in autoscalers if target_of(one) == key}
    if len(aiming) != 1:
        return None
    [(name, autoscaler)] = aiming.items()
    least, most = _bound(autoscaler, "minReplicas", 1), _bound(autoscaler, "maxReplicas", None)
    if most is not None and replicas > most:
        return Scaled(most, f"HorizontalPodAutoscaler {name} lets it have at most {most:,}")
    if least is not None and replicas < least:
        return Scaled(least, f"HorizontalPodAutoscaler {name} keeps at least {least:,}")
    return None


def _bound(autoscaler: Object, field: str, default: int | None) -> int | None:
    value = spec_of(autoscaler).get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) else default
