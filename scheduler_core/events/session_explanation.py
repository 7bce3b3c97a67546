"""Explanations of a session's steps: what the log leaves out of them, computed again on demand.

The log counts nodes by reason and names the best; an explanation has every node's refusal and points. Nodes
are named by name, queues by name, jobs `namespace/name`, pods by uid.
"""

from typing import Literal

from scheduler_core.events.changes import Event
from scheduler_core.events.decisions import Status

Compared = Literal["queue", "job", "pod"]


class NodePoints(Event, frozen=True):
    """A node's points by plugin, and their sum, by which the best node is taken."""

    plugins: dict[str, float]
    total: float


class StepInFull(Event, frozen=True):
    """A try at a pod with all nodes that were looked at by name.

    `filter` has who refused first and all reasons of a node, null for one that fits; `scores` the points,
    where there were two nodes or more to choose from. Of other steps both are empty.
    """

    filter: dict[str, Status | None] = {}
    scores: dict[str, NodePoints] = {}


class OrderAnswer(Event, frozen=True):
    """What a plugin says of two: which comes first, that it is all the same to it, or that nobody asks it."""

    tier: int
    plugin: str
    says: Literal["first", "second", "neutral", "not asked"]


class OrderInFull(Event, frozen=True):
    """Why one of two queues, jobs or pods comes before the other: everybody who is asked, in order.

    `decided_by` is a plugin, or where all were neutral what tells the two apart then: `creation` time, the
    `number` at the end of a pod's name, `name` or `uid`.
    """

    of: Compared
    first: str
    second: str
    answers: list[OrderAnswer]
    comes_first: str
    decided_by: str
