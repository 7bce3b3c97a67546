"""Why a pod waits: what every scheduler answers about a pod as the cluster stands.

A cause is data: nothing of it is read out of a message. The binding cause is the one whose removal alone lets
most nodes fit; a scheduler finds it by asking its own filters one by one. Units are those of the log:
milli-CPU, bytes, whole units. Nodes are named by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from scheduler_core.events.changes import Event
from scheduler_core.events.explanation import Figure
from scheduler_core.events.sums import Sum
from scheduler_core.predicates.resource_figures import Wanted
from scheduler_core.schedulers.card_lacks import CardLack, all_missing
from scheduler_core.state.nodes import BoolArray, IntArray

CauseKind = Literal[
    "fits", "preempts", "nodes", "pre_filter", "gated", "unserved", "ignored", "refused", "queue", "gang",
    "unbound", "untried", "error", "not_created",
]  # fmt: skip
"""fits: it would be placed now; preempts: by evicting others. nodes: no node takes it; pre_filter: nor
would any, whichever there were. gated: a gate keeps it from its scheduler. unserved: no scheduler serves
its schedulerName; ignored: its scheduler looks away, since its pod group or queue isn't there. refused: its
job may not enter its queue; queue: that has its share, or its limit. gang: too few of its job find nodes.
unbound: its scheduler gives it a node and binds nothing. untried: its scheduler came to an end before it.
error: its scheduler ends with one. not_created: the API server's admission refuses the pod."""
NEAREST = 20
"""So many of the nodes that come nearest are told."""


class Held(Event, frozen=True, omit_defaults=True):
    """Something that stands against a pod on nodes.

    `plugin` says so, in words `reasons` with the number of their nodes; `reason` is set where each reason of
    the plugin is a want of its own. It holds so many `nodes` when it is asked alone: of `first` nobody before
    it does, and `alone` would fit without it. `node` is the nearest that it holds, `figure` what is short
    there; `largest` is the most that an open node has in all of it, where all that stands against it is room.
    `particulars`: taints or labels that it is about, with the number of nodes, and `cards`: how many cards
    are refused for a reason. Both are of the nodes that nothing else holds, or else of all that it holds;
    cards are those of the `looked_at` nearest. `lacks`: what cards lack, by all of the `nodes`, each counted
    once; what freeing cards helps with stands first.
    """

    plugin: str
    nodes: int
    first: int
    alone: int
    reason: str = ""
    reasons: dict[str, int] = {}
    node: str = ""
    figure: Figure | None = None
    largest: int | None = None
    particulars: dict[str, int] = {}
    cards: dict[str, int] = {}
    looked_at: int = 0
    lacks: list[CardLack] = []


class Near(Event, frozen=True, omit_defaults=True):
    """A node that comes near: places in `held` of what stands against the pod there, and what is short.

    missing: it has no such cards, whatever becomes free.
    """

    node: str
    held: list[int]
    short: list[Figure] = []
    particulars: list[str] = []
    missing: bool = False


class Passed(Event, frozen=True, omit_defaults=True):
    """A step of the chain of filters: so many nodes drop out at it, and so many are left."""

    plugin: str
    rejected: int
    left: int
    some: list[str] = []


class Evicting(Event, frozen=True, omit_defaults=True):
    """What preemption came to: on how many nodes it looked, and on how many evicting makes room.

    `node` and the number of `victims` are those of the one that it takes. `eligible` is null where nobody
    asked; `reason` is what is said where nothing came of it.
    """

    eligible: bool | None
    looked_at: int = 0
    candidates: int = 0
    node: str = ""
    victims: int = 0
    reason: str = ""


class Gang(Event, frozen=True, omit_defaults=True):
    """How a job or a pod group stands: `placed` of its pods found a node in the try, `needed` have to.

    `missing` is the first that did not. What was placed is taken back where it is not enough. `task`: one
    of its tasks, by name in `job`, that is short of the pods it needs of its own, where enough of all others
    found nodes; None where it is the whole that is short.
    """

    job: str
    needed: int
    placed: int
    pods: int
    missing: str = ""
    task: Gang | None = None


class Cause(Event, frozen=True, omit_defaults=True):
    """Why a pod waits, as `scheduler` has it: the first of `held` is the binding cause.

    `nodes` are all of the cluster, `fits` those that would take it. `plugin` and `reason` are who ends the
    matter and how, where that is no node; `message` is what the pod would be told now. `sums`, `queue` and
    `gang` are those of a job; the gang is that of a pod group where it is `of_group`. `unasked` are extenders
    outside of the engine, which were not asked.
    """

    kind: CauseKind
    scheduler: str = ""
    nodes: int = 0
    fits: int = 0
    held: list[Held] = []
    nearest: list[Near] = []
    chain: list[Passed] = []
    plugin: str = ""
    reason: str = ""
    message: str = ""
    chosen: str = ""
    evicting: Evicting | None = None
    queue: str = ""
    sums: list[Sum] = []
    gang: Gang | None = None
    of_group: bool = False
    unasked: list[str] = []


def no_such_cards(cause: Cause) -> bool:
    """Return whether no node at all has the cards that are asked for, free or not."""
    missing = (one for one in cause.held if all_missing(one.lacks) and one.nodes == cause.nodes)
    return next(missing, None) is not None


def cards_are_held(cause: Cause) -> bool:
    """Return whether it helps on any node if pods give room back, as far as that hangs on cards."""
    return all(
        one.nodes < cause.nodes or any(lack.frees or lack.kind == "quota" for lack in one.lacks)
        for one in cause.held
        if one.lacks
    )


def _nothing() -> IntArray:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Against:
    """Something that stands against a pod, at a place in `held`: on which nodes (`mask`, shape (nodes,)).

    `wanted` has the figures of each node, where it is about an amount. `lack`, shape (nodes,): the place in
    `lacks` of what each node's cards lack, -1 for none.
    """

    place: int
    mask: BoolArray
    wanted: Wanted | None = None
    lack: IntArray | None = None


@dataclass(frozen=True)
class Marks:
    """What a map shows of each node, shape (nodes,) each: of node `names[i]`, what rejects the pod `first`.

    That is a place in `held`, -1 where the pod fits. `number` is how many things stand against it there,
    `short` how much of what is asked for is missing of the scarcest resource, in thousandths, rounded up.
    `rank` is its place among all, those that fit before all, then those that come nearest.
    `against` is what stands against it anywhere, in the order in which a scheduler asks.
    """

    names: list[str] = field(default_factory=list)
    first: IntArray = field(default_factory=_nothing)
    number: IntArray = field(default_factory=_nothing)
    short: IntArray = field(default_factory=_nothing)
    rank: IntArray = field(default_factory=_nothing)
    against: list[Against] = field(default_factory=list)


@dataclass(frozen=True)
class Answered:
    """A cause, and every node's part in it; no marks where it is not about nodes."""

    cause: Cause
    marks: Marks = field(default_factory=Marks)

    def by(self, scheduler: str) -> Answered:
        """Return the same, with the scheduler's name."""
        return Answered(msgspec.structs.replace(self.cause, scheduler=scheduler), self.marks)
