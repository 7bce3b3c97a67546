"""How busy nodes are, as monitoring measures it: annotations of the nodes say it, in per cent.

A real Volcano asks the monitoring system that its configuration names; a run goes by what nodes carry.

Source: volcano v1.16 pkg/scheduler/api/node_info.go NodeUsage, cache/cache.go setMetricsData,
metrics/source/metrics_client.go.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

CPU_USE, MEMORY_USE = "sandtable/cpu-use", "sandtable/memory-use"
"""Annotations of a node: the average of the last ten minutes, in per cent of what the node has."""
PERIOD = "10m"
"""The only period over which Volcano has averages."""
SYSTEMS = ("prometheus", "prometheus_adaptor", "elasticsearch")
"""Monitoring systems that Volcano can ask; of any other it has no figures."""


class Load(NamedTuple):
    """Per cent of a node's cpu and memory, 0 to 100."""

    cpu: float
    memory: float


def load_of(annotations: Mapping[str, str] | None) -> Load | None:
    """Return how busy a node says it is; None where it says nothing, or nothing that can be read.

    Who says one figure and not the other is at 0 there, as in Volcano's own maps.
    """
    said = annotations or {}
    texts = [said.get(key) for key in (CPU_USE, MEMORY_USE)]
    if not any(text is not None for text in texts):
        return None
    figures = [0.0 if text is None else _per_cent(text) for text in texts]
    return None if None in figures else Load(*(figure or 0.0 for figure in figures))


def _per_cent(text: str) -> float | None:
    try:
        figure = float(text.strip().removesuffix("%"))
    except ValueError:
        return None
    return figure if math.isfinite(figure) and 0 <= figure <= 100 else None
