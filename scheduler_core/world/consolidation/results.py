"""What a consolidation says: nodes that could be given back, in order, and what keeps each of the others.

Amounts are in the units of the log: milli-CPU, bytes, whole units. Prices are millionths of whatever they are
given in, per hour.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from scheduler_core.objects.amounts.requests import add_to
from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.reporting.room import Shortage
from scheduler_core.world.trials.rests_on import RestsOn

Obstacle = Literal[
    "control_plane", "ending", "no_controller", "local_storage", "budgets", "budget", "no_place", "no_room",
    "evicts", "not_copied",
]  # fmt: skip
"""What keeps a node. control_plane: its labels name that role. ending: a pod is in deletion, and whatever
takes its place is not there yet. no_controller, local_storage: `kubectl drain`
asks for a flag of its own. budgets: several cover a pod. budget: one allows no eviction. no_place: a copy
found no other node. no_room: all pods together ask for more than the nodes have free that would take one.
evicts: a copy would have others evicted. not_copied: nobody made a copy of a pod."""


class Freed(msgspec.Struct, frozen=True):
    """A node that could be given back, in `step` 1 or more.

    pods: how many moved for it. amounts: its allocatable by resource: cpu, memory and devices. price: None
    where no price is given for it. cards: how many cards it has of a resource that counts slots of them.
    """

    node: str
    zone: str
    pool: str
    step: int
    pods: int
    amounts: dict[str, int]
    price: int | None = None
    cards: dict[str, int] = {}


class KeptNode(msgspec.Struct, frozen=True):
    """A node that stays, and the first thing that keeps it.

    pod: `namespace/name` of the pod that it is about, with its workload. budgets: `namespace/name`. lasts:
    `ever` where no copy that becomes ready can change what a budget says, else `now` or not known. others:
    how many more pods are kept for the same kind of reason. evicts: the pod that would have to go. short:
    what all pods lack together, with those of `beside` nodes that were given back in the same step.
    """

    node: str
    zone: str
    pool: str
    obstacle: Obstacle
    pod: str = ""
    workload: str = ""
    budgets: list[str] = []
    lasts: str = ""
    cause: Cause | None = None
    evicts: str = ""
    others: int = 0
    short: Shortage | None = None
    beside: int = 0


class Consolidation(msgspec.Struct, frozen=True):
    """Which nodes could be given back, one step after the other.

    nodes: how many there are. looked_at: how many were to be tried. untried: nodes that nobody tried, for
    want of time or because somebody ended it. priced: how many of those looked at have a price; 0: the
    largest came first. local_storage: whether emptyDir volumes may be lost. pending: pods without a node,
    before as after. trials: how many were played. placed: pods that waited and were given nodes before any
    node was tried, for which so many others were `evicted`. prices: how many were given, whether or not a
    node has their label.
    """

    freed: list[Freed]
    kept: list[KeptNode]
    untried: list[str]
    nodes: int
    looked_at: int
    priced: int
    local_storage: bool
    pending: int
    trials: int
    ended_by: Literal["all", "late", "stopped"]
    placed: int = 0
    evicted: int = 0
    prices: int = 0
    rests_on: RestsOn | None = None

    @property
    def moved(self) -> int:
        """How many evictions there were; a pod that goes to a node of a later step moves again."""
        return sum(one.pods for one in self.freed)

    @property
    def steps(self) -> int:
        """How many steps there are; the nodes of a step are cordoned together."""
        return max((one.step for one in self.freed), default=0)

    @property
    def amounts(self) -> dict[str, int]:
        """What is given back, by resource."""
        return _summed(one.amounts for one in self.freed)

    @property
    def cards(self) -> dict[str, int]:
        """How many cards are given back, by the resource that counts slots of them."""
        return _summed(one.cards for one in self.freed)

    @property
    def price(self) -> int:
        """What the nodes with a price cost in an hour that are given back."""
        return sum(one.price for one in self.freed if one.price is not None)

    @property
    def unpriced(self) -> int:
        """How many nodes are given back whose price isn't known."""
        return sum(one.price is None for one in self.freed)


def _summed(amounts: Iterable[dict[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for one in amounts:
        add_to(sums, one)
    return sums
