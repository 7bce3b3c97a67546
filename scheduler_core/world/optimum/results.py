"""What an exact solver says of a run's end, held against what the run did itself."""

from __future__ import annotations

from typing import Literal

import msgspec

Inexact = Literal["spread", "affinity", "volumes"]
"""Rules that the solver takes as they are with the pods that stay, so that its bound proves nothing here."""


class Placement(msgspec.Struct, frozen=True):
    """A pod, `namespace/name`, that waits at the run's end, and the node that it would have."""

    pod: str
    priority: int
    node: str


class Optimum(msgspec.Struct, frozen=True):
    """How many more pods fit, if only the pods move that the run itself has placed.

    pending: pods that waited at the end and were asked about; movable: those that the run had placed. more:
    how many more have a node in an assignment that the scheduler's filters let in, one pod after the other;
    by_priority: the same by priority, the highest first. No priority has fewer than the run gave it. bound:
    more than so many is impossible (None where that isn't known). proven: `more` is as many as can be.
    placed: those of the pending that have a node in it. moved: how many of the movable ones are elsewhere.
    left_out: pods that wait for something else than a node, by what. inexact: pods with rules that make the
    bound no proof. failed: how many of the solver's placements the filters refused.
    """

    pending: int
    movable: int
    more: int
    by_priority: dict[str, int]
    bound: int | None
    proven: bool
    placed: list[Placement] = []
    moved: int = 0
    left_out: dict[str, int] = {}
    inexact: dict[Inexact, int] = {}
    failed: int = 0
    classes: int = 0
    nodes: int = 0
    effort: float = 0.0
