"""Who may be evicted: what plugins say, tier by tier.

Source: volcano v1.16 pkg/scheduler/framework/session_plugins.go Reclaimable, Preemptable;
util/scheduler_helper.go ValidateVictims.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.eviction import Eviction
from scheduler_core.volcano.model.tasks import Task


@dataclass
class Opinion:
    """Whom a plugin would let go; `victims` are those that are left after it.

    `or_else` are candidates that it keeps and that a real one may let go instead, by chance.
    """

    plugin: str
    chosen: list[Task]
    victims: list[Task]
    or_else: list[Task] = field(default_factory=list)


@dataclass
class Votes:
    """What each tier said; the last one has decided if there are `victims`."""

    tiers: list[list[Opinion]] = field(default_factory=list)
    victims: list[Task] = field(default_factory=list)


def evictable(session: Session, eviction: Eviction, candidates: Sequence[Task]) -> list[Task]:
    """Return whom the plugins let go for a gang, asked as for one pod."""
    return ask(session, "evictable", eviction, candidates).victims


def ask(session: Session, function: str, evictor: Task | Eviction, candidates: Sequence[Task]) -> Votes:
    """Ask `preemptable`, `reclaimable` or `evictable`.

    In a tier the victims are the intersection of all opinions. A plugin that lets nobody go ends its tier
    without an answer, and the next tier is asked as if nothing had been said; so does an empty intersection,
    if no later plugin of the tier has an opinion.
    """
    asked = Votes()
    for tier in session.tiers(function):
        victims: list[Task] = []
        opinions: list[Opinion] = []
        for name, of_plugin in tier:
            chosen = of_plugin(evictor, candidates)
            if not chosen:
                victims = []
                opinions.append(Opinion(name, [], []))
                break
            allowed = {task.uid for task in chosen}
            victims = [task for task in victims if task.uid in allowed] if victims else list(chosen)
            or_else = _or_else(session.plugins[name].drawn_from, candidates, allowed)
            opinions.append(Opinion(name, list(chosen), list(victims), or_else))
        asked.tiers.append(opinions)
        if victims:
            asked.victims = victims
            break
    return asked


def _or_else(
    drawn_from: Callable[[Task], object], candidates: Sequence[Task], allowed: Container[str]
) -> list[Task]:
    """Return the kept candidates that are drawn from the same as some that go."""
    kept = [task for task in candidates if task.uid not in allowed]
    if not kept:
        return []
    drawn = {drawn_from(task) for task in candidates if task.uid in allowed} - {None}
    return [task for task in kept if drawn_from(task) in drawn]


def make_room(session: Session, task: Task, node: int, victims: Sequence[Task]) -> bool:
    """Return whether the node would have room for the task if all victims went."""
    return session.nodes.fits_without(task.request, node, [victim.request for victim in victims])
