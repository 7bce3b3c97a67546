"""Preemption that tries every candidate node first and takes the one with the least loss.

Source: volcano v1.16 pkg/scheduler/actions/preempt/preempt.go topologyAwarePreempt and what it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.configuration.scheduler_conf import Arguments
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.victims import ask, make_room
from scheduler_core.volcano.model.nodes import Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import Task

_NOW = 2**63 - 1
"""A pod without a start time counts as started now."""

Found = dict[int, list[Task]]
"""The victims by node."""


@dataclass(frozen=True)
class Dry:
    """For whom room is looked for."""

    session: Session
    preemptor: Task
    queue: Queue
    arguments: Arguments

    def wanted(self, nodes: int) -> int:
        """Return after how many candidates the search may end."""
        number = nodes * self.arguments.integer("minCandidateNodesPercentage", 10) // 100
        number = max(number, self.arguments.integer("minCandidateNodesAbsolute", 1))
        return min(number, self.arguments.integer("maxCandidateNodesAbsolute", 100), nodes)

    def allocatable(self, away: Sequence[Task]) -> bool:
        """Return whether the queue may take the preemptor in once the others are away."""
        session = self.session
        return all(
            of_plugin(self.queue, self.preemptor, away)
            for tier in session.tiers("simulate_allocatable")
            for _, of_plugin in tier
        )

    def predicated(self, node: int, away: Sequence[Task]) -> bool:
        """Return whether the node takes the preemptor once the others are away."""
        session = self.session
        return all(
            of_plugin(self.preemptor, node, away)
            for tier in session.tiers("simulate_predicate")
            for _, of_plugin in tier
        )

    def fits(self, node: int, away: Sequence[Task]) -> bool:
        """Return whether all of it holds."""
        return (
            self.allocatable(away)
            and make_room(self.session, self.preemptor, node, away)
            and self.predicated(node, away)
        )


def dry_run(dry: Dry, nodes: Rows, candidates_of: Callable[[int], list[Task]]) -> Found:
    """Return victims for as many nodes as are wanted, looked for by name."""
    found: Found = {}
    rank, wanted = dry.session.nodes.rank, dry.wanted(len(nodes))
    for node in sorted(nodes.tolist(), key=rank.__getitem__):
        if len(found) >= wanted:
            break
        victims = _victims(dry, node, candidates_of(node))
        if victims:
            found[node] = victims
    return found


def _victims(dry: Dry, node: int, candidates: list[Task]) -> list[Task]:
    """Remove one after another until it fits, then keep as many as possible, the latest removed first."""
    session = dry.session
    allowed = ask(session, "preemptable", dry.preemptor, candidates).victims
    if not make_room(session, dry.preemptor, node, allowed):
        return []
    waiting, away = session.victims_in_order(allowed, dry.preemptor), list[Task]()
    while waiting:
        away.append(waiting.pop())
        if dry.fits(node, away):
            break
    if not away or not dry.predicated(node, away):
        return []
    victims: list[Task] = []
    for task in reversed(list(away)):
        away.remove(task)
        if not dry.fits(node, away):
            away.append(task)
            victims.append(task)
    return victims


def best_candidate(found: Found) -> tuple[int, list[Task]]:
    """Return the node whose victims matter least: priority, their sum, their number, a late start."""
    return min(found.items(), key=lambda entry: _loss(entry[1]))


def _loss(victims: Sequence[Task]) -> tuple[int, int, int, int]:
    priorities = [victim.pod.spec.priority or 0 for victim in victims]
    highest = max(priorities)
    earliest = min(
        parse_timestamp(victim.pod.status.start_time, _NOW)
        for victim, priority in zip(victims, priorities, strict=True)
        if priority == highest
    )
    return priorities[0], sum(priority + 2**31 for priority in priorities), len(victims), -earliest
