"""The feature gates that a play may set.

Source: kubernetes v1.36 pkg/features/kube_features.go.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.objects.problems import BadInput, Problem

_COMPARISON = "TaintTolerationComparisonOperators"


@dataclass(frozen=True)
class Gates:
    """By default as kube-scheduler starts.

    compares_taints: tolerations may say Gt and Lt. scores_storage_capacity: VolumeBinding takes a shape.
    """

    compares_taints: bool = False
    scores_storage_capacity: bool = False


DEFAULT_GATES = Gates()


def read_gates(gates: Mapping[str, Any] | None) -> Gates:
    """Return what gates by name say. Raises BadInput for one that is not supported or neither on nor off."""
    for name, value in (gates or {}).items():
        if name != _COMPARISON:
            raise BadInput([Problem("feature gates", name, "is not supported yet")])
        if not isinstance(value, bool):
            raise BadInput([Problem("feature gates", name, f"must be true or false, not {value!r}")])
    return Gates(compares_taints=(gates or {}).get(_COMPARISON, False))
