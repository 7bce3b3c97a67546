"""The nodes that may be given back, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from scheduler_core.objects.node_groups import pool_of, zone_of
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.consolidation.prices import Price, price_of


class Candidate(NamedTuple):
    """A node that may be given back."""

    name: str
    zone: str
    pool: str
    amounts: dict[str, int]
    price: int | None


def in_order(state: ClusterState, nodes: Iterable[str] | None, prices: Sequence[Price]) -> list[Candidate]:
    """Return nodes in the order in which they are tried.

    The dearest first, then those without a price; of the same price the largest, by devices, cpu and memory,
    then the one with the fewest pods, then by name.
    """
    resources = state.nodes.resources.names
    counted = [place for place, name in enumerate(resources) if is_counted(name)]
    found: list[tuple[Any, Candidate]] = []
    for row, one in enumerate(state.nodes.objects):
        labels, name = dict(one.metadata.labels or {}), one.metadata.name
        has = {resources[place]: int(state.nodes.allocatable[row, place]) for place in counted}
        amounts = {resource: amount for resource, amount in has.items() if amount}
        price = price_of(prices, labels)
        devices = sum(amount for resource, amount in amounts.items() if "/" in resource)
        size = -devices, -amounts.get("cpu", 0), -amounts.get("memory", 0)
        rank = price is None, -(price or 0), *size, int(state.pod_count[row]), name
        found.append((rank, Candidate(name, zone_of(labels), pool_of(labels), amounts, price)))
    wanted = None if nodes is None else frozenset(nodes)
    return [one for _, one in sorted(found) if wanted is None or one.name in wanted]


def is_counted(resource: str) -> bool:
    """Return whether it is told how much of a resource a node gives back: cpu, memory and devices."""
    return resource in ("cpu", "memory") or ("/" in resource and not resource.startswith("hugepages-"))
