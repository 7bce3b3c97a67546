"""A decision in full: what the log leaves out of it. A scheduler that has more to say extends `Explanation`.

Its answers are those of `events/explanation.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from scheduler_core.events.decisions import Decision
from scheduler_core.events.explanation import ALL_NODES, AttemptInFull, Chosen, NodeInFull, VisitedNode
from scheduler_core.events.session_explanation import StepInFull
from scheduler_core.state.cluster import ClusterState

Before = Callable[[], AbstractContextManager[None]]
"""Takes a run back to the moment before its last decision, for as long as a block runs."""


class Explanation:
    """A decision in full. Valid until the simulation takes its next step.

    `attempt` is None for a decision that is no attempt, `step` for one that is no step of a session: of an
    eviction there is no more to say.
    """

    attempt: AttemptInFull | None = None
    step: StepInFull | None = None

    def __init__(self, decision: Decision, state: ClusterState) -> None:
        self.decision = decision
        self._state = state

    def nodes(
        self,
        offset: int = 0,
        limit: int = 1000,
        chosen: Chosen = ALL_NODES,
        *,
        sort: str = "name",
        with_cards: bool = False,
    ) -> list[VisitedNode]:
        """Return a page of the chosen ones among the visited nodes, sorted by name or `-total`."""
        return []

    def count(self, chosen: Chosen = ALL_NODES) -> int:
        """Return how many nodes `nodes` lists in all."""
        return 0

    def node(self, name: str) -> NodeInFull:
        """Return why this node: all filters, scores, nominations that counted, and the dry run.

        Raises KeyError for a name that no node has.
        """
        if name not in self._state.nodes.index:
            raise KeyError(name)
        return NodeInFull(name)


class Noted(Protocol):
    """What a scheduler noted of a decision when it was taken, and from which the decision is explained."""

    def explanation(self, decision: Decision, state: ClusterState, before: Before) -> Explanation:
        """Return the decision in full."""


Watch = Callable[[Noted], None]
"""Sees what is noted of a decision."""
