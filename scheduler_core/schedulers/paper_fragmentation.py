"""Fragmentation as the FGD paper defines it: how much of the free cards the usual tasks can't take.

A task's shape is what it asks: milli-CPU, a number of cards, thousandths of each. For a shape that a node has
no room for, all that is free of the node's cards is lost; for one that fits, what is free of cards with less
than it asks of each. Tasks without cards take none, so that for them everything is lost. The shapes count by
their part among the tasks, the rare ones left out. Models are not looked at.

The paper's cards are of one vendor, and asked for in thousandths. Here those of each vendor are measured by
the tasks that ask for them or for none; a task may ask for MiB of memory, which are another part of each kind
of card; and of a card that takes nobody all that is free is lost.

Source: Weng et al., USENIX ATC 2023; hkust-adsl/kubernetes-scheduler-simulator pkg/utils/frag.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

USUAL_PART = 0.95
"""Of the tasks, those whose shapes count: the most frequent shapes until this part is reached."""
MOST_SHAPES = 200
"""So many shapes count at most: where no two tasks are alike, all of them would take hours."""


class Shape(NamedTuple):
    """What a task asks: milli-CPU, a number of cards, and of each thousandths or, if they are more, MiB."""

    cpu: int
    number: int
    milli: int
    memory: int = 0

    def milli_of(self, memory: int) -> int:
        """Return the thousandths that it asks of a card with so much memory, rounded up."""
        return max(self.milli, -(-1000 * self.memory // memory)) if self.memory and memory else self.milli


class Left(NamedTuple):
    """What is left of a card, in thousandths; its memory in MiB; whether it takes more tasks at all."""

    milli: int
    memory: int = 0
    takes: bool = True


Shapes = Mapping[Shape, float]


def usual_shapes(asked: Iterable[Shape]) -> dict[Shape, float]:
    """Return the most frequent shapes with their parts, which sum up to 1. Among equals the first stays."""
    counts = Counter(asked)
    whole, seen = sum(counts.values()), 0
    kept: dict[Shape, int] = {}
    for shape, number in counts.most_common(MOST_SHAPES):
        if seen >= USUAL_PART * whole:
            break
        kept[shape] = number
        seen += number
    return {shape: number / seen for shape, number in kept.items()}


def lost_milli(cpu: int, left: Sequence[Left], shapes: Shapes) -> float:
    """Return how many thousandths of a node's cards are lost. cpu: milli-CPU left on the node."""
    return sum(part * _lost(cpu, left, shape) for shape, part in shapes.items())


def _lost(cpu: int, left: Sequence[Left], shape: Shape) -> int:
    free = sum(card.milli for card in left)
    if not shape.number or cpu < shape.cpu:
        return free
    large = [card.milli for card in left if card.takes and card.milli >= shape.milli_of(card.memory)]
    return free - sum(large) if len(large) >= shape.number else free


class Course:
    """How much of a cluster's cards is given out and how much of them is lost, while tasks come and go.

    shapes: the usual ones with their parts, by vendor.
    """

    def __init__(self, shapes: Mapping[str, Shapes]) -> None:
        self._shapes = shapes
        self._nodes: dict[str, tuple[int, int, float]] = {}
        self._cards = 0
        self._free = 0
        self._lost = 0.0

    def put(self, node: str, cpu: int, cards: Mapping[str, Sequence[Left]]) -> None:
        """Let a node have so much milli-CPU left, and cards by vendor; none if it is gone."""
        lost = sum(lost_milli(cpu, left, self._shapes.get(vendor, {})) for vendor, left in cards.items())
        free = sum(card.milli for left in cards.values() for card in left)
        self._count(self._nodes.get(node, (0, 0, 0.0)), -1)
        self._nodes[node] = sum(map(len, cards.values())), free, lost
        self._count(self._nodes[node], 1)

    def _count(self, node: tuple[int, int, float], sign: int) -> None:
        cards, free, lost = node
        self._cards += sign * cards
        self._free += sign * free
        self._lost += sign * lost

    @property
    def allocated(self) -> float:
        """Percent of all cards that are given out."""
        return 100 - self._percent(self._free) if self._cards else 0.0

    @property
    def fragmentation(self) -> float:
        """Percent of all cards that are free and lost."""
        return self._percent(self._lost)

    def _percent(self, milli: float) -> float:
        return milli / (10 * self._cards) if self._cards else 0.0
