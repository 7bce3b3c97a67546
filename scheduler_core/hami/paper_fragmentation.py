"""Fragmentation as the FGD paper defines it: how much of the free cards the usual tasks can't take.

A task's shape is what it asks: milli-CPU, a number of cards, thousandths of each. For a shape that a node has
no room for, all that is free of the node's cards is lost; for one that fits, what is free of cards with less
than it asks of each. Tasks without cards take none, so that for them everything is lost. The shapes count by
their part among the tasks, the rare ones left out. Memory and models are not looked at.

Source: Weng et al., USENIX ATC 2023; hkust-adsl/kubernetes-scheduler-simulator pkg/utils/frag.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

USUAL_PART = 0.95
"""Of the tasks, those whose shapes count: the most frequent shapes until this part is reached."""


class Shape(NamedTuple):
    """What a task asks: milli-CPU, a number of cards, and thousandths of each."""

    cpu: int
    number: int
    milli: int


def usual_shapes(asked: Iterable[Shape]) -> dict[Shape, float]:
    """Return the most frequent shapes with their parts, which sum up to 1. Among equals the first stays."""
    counts = Counter(asked)
    whole, seen = sum(counts.values()), 0
    kept: dict[Shape, int] = {}
    for shape, number in counts.most_common():
        if seen >= USUAL_PART * whole:
            break
        kept[shape] = number
        seen += number
    return {shape: number / seen for shape, number in kept.items()}


def lost_milli(cpu: int, free: Sequence[int], shapes: dict[Shape, float]) -> float:
    """Return how many thousandths of a node's cards are lost.

    cpu: milli-CPU left on the node. free: thousandths left of each of its cards.
    """
    return sum(part * _lost(cpu, free, shape) for shape, part in shapes.items())


def _lost(cpu: int, free: Sequence[int], shape: Shape) -> int:
    large = [left for left in free if left >= shape.milli]
    if not shape.number or cpu < shape.cpu or len(large) < shape.number:
        return sum(free)
    return sum(free) - sum(large)


class Course:
    """How much of a cluster's cards is given out and how much of them is lost, while tasks come and go.

    nodes: milli-CPU and thousandths left of each card, by node and card. Only nodes that change are counted
    again.
    """

    def __init__(
        self, nodes: Mapping[str, tuple[int, Mapping[str, int]]], shapes: dict[Shape, float]
    ) -> None:
        self._shapes = shapes
        self._cpu = {name: cpu for name, (cpu, _) in nodes.items()}
        self._free = {name: dict(free) for name, (_, free) in nodes.items()}
        self._lost = {name: self._count(name) for name in nodes}
        self._whole = 1000 * sum(map(len, self._free.values()))
        self._all_free = sum(sum(free.values()) for free in self._free.values())
        self._all_lost = sum(self._lost.values())

    def take(self, node: str, cpu: int, cards: Mapping[str, int]) -> None:
        """Let a task take milli-CPU and thousandths of cards; amounts below 0 are given back."""
        self._cpu[node] -= cpu
        for card, milli in cards.items():
            self._free[node][card] -= milli
            self._all_free -= milli
        now = self._count(node)
        self._all_lost += now - self._lost[node]
        self._lost[node] = now

    @property
    def allocated(self) -> float:
        """Percent of all cards that are given out."""
        return 100 * (1 - self._all_free / self._whole) if self._whole else 0.0

    @property
    def fragmentation(self) -> float:
        """Percent of all cards that are free and lost."""
        return 100 * self._all_lost / self._whole if self._whole else 0.0

    def _count(self, node: str) -> float:
        return lost_milli(self._cpu[node], list(self._free[node].values()), self._shapes)
