"""A cycle of a group as decisions: one for each member, the explanation of each, and what is not modelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from scheduler_core.events.decisions import Decision, TriedGroup, TriedPlacement, Victim
from scheduler_core.events.explanation import (
    ALL_NODES,
    AttemptInFull,
    Chosen,
    NodeInFull,
    VisitedNode,
)
from scheduler_core.kube.attempt_explanation import Seen
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.framework import Cycle
from scheduler_core.kube.look import Looked
from scheduler_core.kube.pod_groups.cycle import GroupCycle, drop_nomination
from scheduler_core.kube.pod_groups.groups import Groups
from scheduler_core.kube.pod_groups.outcomes import (
    Outcome,
    cleared_by,
    outcomes_of,
    own_victims,
    victims_of_group,
)
from scheduler_core.kube.profile import Profile
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.schedulers.decision_explanation import Before, Explanation
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pod_changes import time_of


@dataclass(eq=False)
class GroupTurn:
    """A cycle that is carried out, member by member. `popped` was first in the queue.

    victims: by member whom its decision evicts; those of the group as a whole go with the first.
    """

    key: GroupKey
    popped: int
    cycle: GroupCycle
    outcomes: list[Outcome]
    victims: dict[int, list[int]]
    of_group: list[int]
    cleared: list[int]
    placed: int
    min_count: int | None

    @property
    def evicts(self) -> bool:
        """Whether somebody goes: then all who have no node are tried again."""
        return any(self.victims.values())


@dataclass
class MemberLook(Looked):
    """One member's part of a cycle. `place` counts from 0."""

    turn: GroupTurn = field(kw_only=True)
    place: int = field(kw_only=True)

    @property
    def outcome(self) -> Outcome:
        """What becomes of it."""
        return self.turn.outcomes[self.place]

    @property
    def is_last(self) -> bool:
        """Whether the cycle ends with it."""
        return self.place + 1 == len(self.turn.outcomes)


def turn_of(groups: Groups, key: GroupKey, popped: int, cycle: GroupCycle) -> GroupTurn:
    """Return how a cycle is carried out."""
    victims, of_group = own_victims(cycle), victims_of_group(groups, cycle)
    known = {pod for some in victims.values() for pod in some}
    of_group = [pod for pod in of_group if pod not in known]
    outcomes = outcomes_of(groups, cycle, [*known, *of_group])
    if of_group:
        first = outcomes[0].pod
        victims[first] = [*victims.get(first, ()), *of_group]
    group = groups.by_key.get(key)
    gang = None if group is None else group.spec.scheduling_policy.gang
    return GroupTurn(
        key=key,
        popped=popped,
        cycle=cycle,
        outcomes=outcomes,
        victims=victims,
        of_group=of_group,
        cleared=cleared_by(cycle),
        placed=len(groups.placed(key)),
        min_count=None if gang is None else gang.min_count,
    )


def result_of(state: ClusterState, outcome: Outcome) -> AttemptResult:
    """Return a member's try with what became of it; one of nothing for a member that was not tried."""
    chosen = None if outcome.chosen is None else state.nodes.index[outcome.chosen]
    tried = outcome.tried
    found = AttemptResult(Cycle(state, state.pods.infos[outcome.pod]), outcome.result)
    if tried is not None:
        found = replace(tried.result, known=tried.result.figures, noted=[])
    return replace(
        found,
        outcome=outcome.result,
        chosen=chosen,
        message=outcome.message,
        nominate=outcome.nominated,
    )


def told_group(groups: Groups, look: MemberLook) -> TriedGroup:
    """Return what the log says of the group, once the decision was carried out."""
    turn, state = look.turn, groups.state
    cycle, condition = turn.cycle, groups.conditions.get(turn.key)
    return TriedGroup(
        name="/".join(turn.key),
        place=look.place + 1,
        members=len(turn.outcomes),
        min_count=turn.min_count,
        placed=turn.placed,
        found=sum(bool(one.node) for one in cycle.chosen.members),
        fits=cycle.chosen.fits,
        placement=cycle.chosen.name,
        placements=[
            TriedPlacement(
                name=one.name,
                nodes=len(state.nodes if one.nodes is None else one.nodes),
                found=sum(bool(member.node) for member in one.members),
                fits=one.fits,
                total=cycle.scores[one.name]["total"] if one.name in cycle.scores else None,
            )
            for one in cycle.placements
        ],
        status=condition.status if condition else "",
        reason=condition.reason if condition else "",
        message=condition.message if condition else "",
        preemption=_preemption(cycle),
        victims=_victims(state, turn) if look.place == 0 else [],
    )


def _victims(state: ClusterState, turn: GroupTurn) -> list[Victim]:
    preemption, infos, started = turn.cycle.preemption, state.pods.infos, state.pods.start_time
    guarded = frozenset[int]() if preemption is None else preemption.violating
    return [
        Victim(
            infos[pod].uid,
            infos[pod].namespace,
            infos[pod].name,
            infos[pod].priority,
            time_of(started.item(pod)),
            pod in guarded,
        )
        for pod in turn.of_group
    ]


def _preemption(cycle: GroupCycle) -> str | None:
    if cycle.preemption is None:
        return None
    return ", ".join([str(cycle.preemption.code), *cycle.preemption.reasons])


# -- explanations ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeenMember:
    """A member's try, from which its decision is explained: on the nodes on which it was tried."""

    groups: Groups
    look: MemberLook
    attempt: AttemptInFull
    profiles: Mapping[str, Profile]

    def explanation(self, decision: Decision, state: ClusterState, before: Before) -> Explanation:
        """Return the try in full."""
        tried = self.look.outcome.tried
        if tried is None or tried.seen is not None:
            return TriedOnPlacement(decision, state, self.attempt)
        seen = Seen(self.attempt, self.look.result, self.profiles)
        return seen.explanation(decision, state, lambda: self._as_tried(before))

    @contextmanager
    def _as_tried(self, before: Before) -> Iterator[None]:
        with before(), placed_until(self.groups, self.look.turn.cycle, self.look.pod):
            yield


@contextmanager
def placed_until(groups: Groups, cycle: GroupCycle, pod: int) -> Iterator[None]:
    """Let the members stand where those before this pod were tried, for as long as the block runs."""
    state, mark = groups.state, groups.state.mark()
    try:
        for other in cycle.pods if groups.loses_nominations else ():
            drop_nomination(groups, other)
        for member in cycle.chosen.members:
            if member.pod == pod:
                break
            if member.node:
                groups.listed.note(member.pod, state.nodes.index[member.node])
            if member.node and not state.node_of(member.pod):
                drop_nomination(groups, member.pod)
                state.bind(member.pod, state.nodes.index[member.node])
        yield
    finally:
        state.undo_to(mark)
        groups.listed.forget()


class TriedOnPlacement(Explanation):
    """A member as it was tried on the nodes of a placement: what was said of each, without the figures."""

    def __init__(self, decision: Decision, state: ClusterState, attempt: AttemptInFull) -> None:
        super().__init__(decision, state)
        self.attempt: AttemptInFull = attempt

    def nodes(
        self,
        offset: int = 0,
        limit: int = 1000,
        chosen: Chosen = ALL_NODES,
        *,
        sort: str = "name",
        with_cards: bool = False,
    ) -> list[VisitedNode]:
        names = self._chosen(chosen)
        if sort == "-total":
            names.sort(key=lambda name: -(self._total(name) or 0))
        return [self._visited(name) for name in names[offset : offset + limit]]

    def count(self, chosen: Chosen = ALL_NODES) -> int:
        return len(self._chosen(chosen))

    def node(self, name: str) -> NodeInFull:
        super().node(name)
        status = self.attempt.filter.get(name)
        return NodeInFull(name, first_failure=status.plugin if status else None, total=self._total(name))

    def _chosen(self, chosen: Chosen) -> list[str]:
        return sorted(name for name, status in self.attempt.filter.items() if chosen.accepts(status))

    def _total(self, name: str) -> int | None:
        scores = self.attempt.scores.get(name)
        return None if scores is None else scores.total

    def _visited(self, name: str) -> VisitedNode:
        scores = self.attempt.scores.get(name)
        return VisitedNode(
            node=name,
            status=self.attempt.filter[name],
            numbers=[],
            scores=dict(scores.plugins) if scores else None,
            total=self._total(name),
            cards=None,
        )
