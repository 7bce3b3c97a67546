"""Pods that have a node in both runs, and another one in each, by workload and zone."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from dashboard.queries.comparison_pods import Ledger, Life

ZONE = "topology.kubernetes.io/zone"


class Moved(msgspec.Struct, frozen=True):
    """A workload (`Kind/namespace/name`): of its `pods` with a node in both runs, `elsewhere` are on another.

    An empty one stands for all pods without a controller.

    zones: how many of its pods run a and run b have in each zone; empty where its nodes name no zone.
    """

    workload: str
    elsewhere: int
    pods: int
    zones: dict[str, tuple[int, int]]


def moved_pods(a: Ledger, b: Ledger) -> list[Moved]:
    """Return the workloads of which pods are elsewhere, those with most of these first."""
    elsewhere: Counter[str] = Counter()
    placed: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for key, one in a.lives.items():
        other = b.lives.get(key)
        if other is None or one.place != "node" or other.place != "node":
            continue
        name = _workload(one)
        if name not in placed:
            placed[name] = Counter(), Counter()
        here, there = placed[name]
        here[one.node] += 1
        there[other.node] += 1
        if one.node != other.node:
            elsewhere[name] += 1
    rows = [
        Moved(name, elsewhere[name], here.total(), _by_zone(_zones(a, here), _zones(b, there)))
        for name, (here, there) in placed.items()
        if elsewhere[name]
    ]
    return sorted(rows, key=lambda row: (-row.elsewhere, row.workload))


def _zones(ledger: Ledger, nodes: Mapping[str, int]) -> Counter[str]:
    """Return how many pods are in each zone, of how many are on each node."""
    counts: Counter[str] = Counter()
    for name, pods in nodes.items():
        if (node := ledger.nodes.get(name)) is not None and ZONE in node.labels:
            counts[node.labels[ZONE]] += pods
    return counts


def _workload(life: Life) -> str:
    return "" if life.first.workload.startswith("Pod/") else life.first.workload


def _by_zone(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    return {zone: (a.get(zone, 0), b.get(zone, 0)) for zone in sorted({**a, **b})}
