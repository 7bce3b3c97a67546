"""How many pods a HorizontalPodAutoscaler lets a workload have: its bounds hold whatever the metrics say.

What metrics ask for between the bounds is not known. A workload of 0 replicas is not scaled, nor is one that
several autoscalers aim at, or one whose API group its target doesn't name. Bounds that an API server refuses
bound nothing.

Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go reconcileAutoscaler (the group of the
target, the bounds, 1 as the default minimum), hpasControllingPodsUnderSelector (AmbiguousSelector);
pkg/apis/autoscaling/validation/validation.go validateHorizontalPodAutoscalerSpec.
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
    """Return kind, namespace and name of what an autoscaler aims at; no kind's group is taken for another."""
    target = _fields(autoscaler).get("scaleTargetRef")
    target = target if isinstance(target, dict) else {}
    version, name = target.get("apiVersion"), target.get("kind")
    group = version.rpartition("/")[0] if isinstance(version, str) else ""
    kind = Kind(group, name) if isinstance(name, str) else Kind("", "")
    return kind, namespace_of(autoscaler), str(target.get("name") or "")


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
    bounds = _bounds(autoscaler)
    if bounds is None:
        return None
    least, most = bounds
    if replicas > most:
        return Scaled(most, f"HorizontalPodAutoscaler {name} lets it have at most {most:,}")
    if replicas < least:
        return Scaled(least, f"HorizontalPodAutoscaler {name} keeps at least {least:,}")
    return None


def _bounds(autoscaler: Object) -> tuple[int, int] | None:
    """Return the fewest and the most pods; None where an API server would refuse these."""
    fields = _fields(autoscaler)
    least, most = fields.get("minReplicas"), fields.get("maxReplicas")
    least = 1 if least is None else least
    if type(least) is not int or type(most) is not int:
        return None
    return (least, most) if 0 <= least <= most and most > 0 else None


def _fields(autoscaler: Object) -> Object:
    spec = spec_of(autoscaler)
    return spec if isinstance(spec, dict) else {}
