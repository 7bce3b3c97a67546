"""The order in which the scheduler goes through the nodes: round the zones, one node of each in turn.

Source: kubernetes v1.36 pkg/scheduler/backend/cache/node_tree.go; k8s.io/component-helpers v0.36
node/topology GetZoneKey.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.types import Node

_ZONE_LABELS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
_REGION_LABELS = ("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region")


def round_the_zones(nodes: Sequence[Node]) -> NDArray[np.int64]:
    """Return the rows in the scheduler's own order: one node of each zone in turn."""
    zones: dict[tuple[str, str], list[int]] = {}
    for row, node in enumerate(nodes):
        labels = node.metadata.labels or {}
        zones.setdefault((_first(labels, _REGION_LABELS), _first(labels, _ZONE_LABELS)), []).append(row)
    turns = [(turn, place, row) for place, rows in enumerate(zones.values()) for turn, row in enumerate(rows)]
    return np.array([row for _, _, row in sorted(turns)], dtype=np.int64)


def _first(labels: dict[str, str], keys: Sequence[str]) -> str:
    return next((labels[key] for key in keys if key in labels), "")
