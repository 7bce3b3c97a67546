"""Annotations that jobs, pod groups and pods hand on to each other.

Source: volcano.sh/apis v1.16 scheduling/v1beta1 labels.go.
"""

from __future__ import annotations

from collections.abc import Mapping

PREEMPTABLE = "volcano.sh/preemptable"
COOLDOWN_TIME = "volcano.sh/cooldown-time"
REVOCABLE_ZONE = "volcano.sh/revocable-zone"
MIN_AVAILABLE = "volcano.sh/jdb-min-available"
MAX_UNAVAILABLE = "volcano.sh/jdb-max-unavailable"


def handed_on_annotations(annotations: Mapping[str, str]) -> dict[str, str]:
    """Return the annotations that are handed on; of the two disruption budgets, the minimum wins."""
    budget = MIN_AVAILABLE if MIN_AVAILABLE in annotations else MAX_UNAVAILABLE
    return _chosen(annotations, PREEMPTABLE, COOLDOWN_TIME, REVOCABLE_ZONE, budget)


def handed_on_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels that are handed on."""
    return _chosen(labels, PREEMPTABLE, COOLDOWN_TIME)


def _chosen(values: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: values[name] for name in names if name in values}
