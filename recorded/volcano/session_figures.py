"""Queues' and jobs' figures as recordings of Volcano print them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.resource import CPU, MAX_FLOAT, MEMORY, PODS, Resource
from scheduler_core.volcano.plugins.capacity import Capacity
from scheduler_core.volcano.plugins.drf import Drf
from scheduler_core.volcano.plugins.proportion import Proportion

_FIGURES = (
    "deserved",
    "request",
    "inqueue",
    "elastic",
    "capability",
    "real_capability",
    "guarantee",
    "allocated",
)


def queue_figures(session: Session) -> dict[str, dict[str, Any]]:
    """Return the figures of every queue that the queue plugin knows."""
    told: dict[str, dict[str, Any]] = {}
    for name in ("proportion", "capacity"):
        plugin = session.plugins.get(name)
        if not isinstance(plugin, Proportion | Capacity):
            continue
        for queue, one in plugin.shares.items():
            weight = {"weight": one.queue.weight} if isinstance(plugin, Proportion) else {}
            figures = {figure: _printed(getattr(one, figure)) for figure in _FIGURES}
            told[queue] = weight | figures | {"share": _number(one.share, 9)}
    return told


def drf_figures(session: Session) -> dict[str, tuple[float, str]]:
    """Return every job's dominant share and resource."""
    plugin = session.plugins.get("drf")
    if not isinstance(plugin, Drf):
        return {}
    return {uid: (_number(one.share, 9), one.resource) for uid, one in plugin.shares.items()}


def resource_list(held: Resource | Mapping[str, Any] | None) -> dict[str, int]:
    """Return what a queue's status says: cpu in thousandths, all else in whole units."""
    resource = held if isinstance(held, Resource) else Resource.of(held)
    if held is None:
        return {}
    whole = {CPU: int(resource.cpu), MEMORY: int(resource.memory)}
    for name, amount in (resource.scalars or {}).items():
        # A status holds quantities, which are rounded up to whole units.
        whole[name] = int(amount) if name == PODS else -(-int(amount) // 1000)
    return whole


def _printed(resource: Resource) -> dict[str, Any]:
    amounts = {CPU: resource.cpu, MEMORY: resource.memory, **(resource.scalars or {})}
    return {
        name: "inf" if amount >= MAX_FLOAT else _number(amount, 3) for name, amount in sorted(amounts.items())
    }


def rounded(value: float, digits: int) -> float:
    """Round as the recordings do: halves go away from zero."""
    factor = 10**digits
    return math.copysign(math.floor(abs(value) * factor + 0.5) / factor, value)


def _number(value: float, digits: int) -> float:
    figure = rounded(value, digits)
    return int(figure) if figure == int(figure) else figure
