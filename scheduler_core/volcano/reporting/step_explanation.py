"""A session's step in full: every node's refusal and points. See `explaining.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler_core.events.cards_tried import NodeCards
from scheduler_core.events.decisions import Decision
from scheduler_core.events.explanation import (
    ALL_NODES,
    Chosen,
    FilterAnswer,
    NodeInFull,
    ScoreAnswer,
    VisitedNode,
)
from scheduler_core.events.session_explanation import StepInFull
from scheduler_core.schedulers.decision_explanation import Before, Explanation
from scheduler_core.state.cluster import ClusterState


@dataclass(frozen=True)
class NotedStep:
    """A step as it was noted when it was taken."""

    step: StepInFull
    cards: Mapping[str, NodeCards] = field(default_factory=dict)

    def explanation(self, decision: Decision, state: ClusterState, before: Before) -> Explanation:
        """Return the step in full; nothing of it is computed later."""
        return StepExplanation(decision, state, self)


class StepExplanation(Explanation):
    """What the log leaves out of a step. It was noted as the step was taken, so nothing is computed later."""

    def __init__(self, decision: Decision, state: ClusterState, noted: NotedStep) -> None:
        super().__init__(decision, state)
        self.step = self._step = noted.step
        self._cards = noted.cards

    def nodes(
        self,
        offset: int = 0,
        limit: int = 1000,
        chosen: Chosen = ALL_NODES,
        *,
        sort: str = "name",
        with_cards: bool = False,
    ) -> list[VisitedNode]:
        names = self._names(chosen)
        if sort == "-total":
            names.sort(key=lambda name: -self._total(name, -1.0))
        return [self._visited(name, with_cards=with_cards) for name in names[offset : offset + limit]]

    def count(self, chosen: Chosen = ALL_NODES) -> int:
        return len(self._names(chosen))

    def node(self, name: str) -> NodeInFull:
        nothing = super().node(name)
        if name not in self._step.filter:
            return nothing
        verdict, points = self._step.filter[name], self._step.scores.get(name)
        return NodeInFull(
            name,
            filters=[FilterAnswer(verdict.plugin, verdict.code, verdict.reasons, [])] if verdict else [],
            first_failure=verdict.plugin if verdict else None,
            scores=[
                ScoreAnswer(plugin, said, said, 1, said)
                for plugin, said in (points.plugins.items() if points else ())
            ],
            total=points.total if points else None,
            cards=self._cards.get(name),
        )

    def _names(self, chosen: Chosen) -> list[str]:
        return [name for name, verdict in self._step.filter.items() if chosen.accepts(verdict)]

    def _total(self, name: str, without: float) -> float:
        points = self._step.scores.get(name)
        return without if points is None else points.total

    def _visited(self, name: str, *, with_cards: bool) -> VisitedNode:
        points = self._step.scores.get(name)
        cards = self._cards.get(name) if with_cards else None
        return VisitedNode(
            node=name,
            status=self._step.filter[name],
            numbers=[],
            scores=dict(points.plugins) if points else None,
            total=points.total if points else None,
            cards=cards.in_short() if cards is not None else None,
        )
