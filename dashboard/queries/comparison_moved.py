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
    pods: Counter[str] = Counter()
    elsewhere: Counter[str] = Counter()
    zones: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for key, one in a.lives.items():
        other = b.lives.get(key)
        if other is None or one.place != "node" or other.place != "node":
            continue
        name = _workload(one)
        pods[name] += 1
        elsewhere[name] += one.node != other.node
        sides = zones.setdefault(name, (Counter(), Counter()))
        for counts, life, ledger in zip(sides, (one, other), (a, b), strict=True):
            if (node := ledger.nodes.get(life.node)) is not None and ZONE in node.labels:
                counts[node.labels[ZONE]] += 1
    rows = [Moved(name, elsewhere[name], pods[name], _by_zone(*zones[name])) for name in +elsewhere]
    return sorted(rows, key=lambda row: (-row.elsewhere, row.workload))


def _workload(life: Life) -> str:
    return "" if life.first.workload.startswith("Pod/") else life.first.workload


def _by_zone(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    return {zone: (a.get(zone, 0), b.get(zone, 0)) for zone in sorted({**a, **b})}
