"""Pods by the scheduler that they ask for: what each one of a run came to, and whom nobody schedules."""

from collections import Counter
from collections.abc import Iterable, Mapping

from dashboard.shapes.outcome import LeftAlone, Scheduler
from scheduler_core.events.decisions import Attempt, Decision
from scheduler_core.events.effects import Effect, Evicted, Placed, Unplaced
from scheduler_core.events.sessions import Placement
from scheduler_core.events.state import PodRow, RunState
from scheduler_core.world.forecast import schedulers_of


def left_alone(pending: Mapping[str, int], owners: Mapping[str, str]) -> list[LeftAlone]:
    """Return how many pending pods, counted by their schedulers, ask for each that is none of the run's.

    The one that most of them ask for comes first. Logs that name no schedulers tell of none.
    """
    others = sorted(pending.keys() - owners.keys() if owners else (), key=lambda name: (-pending[name], name))
    return [{"scheduler": name, "pods": pending[name]} for name in others]


def _is_try(decision: Decision) -> bool:
    """Return whether a scheduler looked for a node for a pod."""
    if isinstance(decision, Placement):
        return decision.outcome != "skipped"
    return isinstance(decision, Attempt)


class SchedulerTally:
    """What each scheduler of a run has placed, and whom it has evicted, while the decisions go by."""

    def __init__(self, base: RunState) -> None:
        self.owners = schedulers_of(base)
        self._counts: dict[str, Counter[str]] = {
            name: Counter() for name in sorted(set(self.owners.values()))
        }

    def add(self, decision: Decision, happened: Iterable[Effect]) -> None:
        """Count what a decision did, if a scheduler took it."""
        counts = self._counts.get(decision.actor)
        if counts is None:
            return
        counts["attempts"] += _is_try(decision)
        for effect in happened:
            counts["placed"] += isinstance(effect, Placed) - isinstance(effect, Unplaced)
            counts["evicted"] += isinstance(effect, Evicted)

    def rows(self, pending: Iterable[PodRow]) -> list[Scheduler]:
        """Return a row for each scheduler, in name order."""
        waiting = Counter(self.owners.get(pod.scheduler) for pod in pending)
        return [
            {
                "scheduler": name,
                "attempts": counts["attempts"],
                "placed": counts["placed"],
                "evicted": counts["evicted"],
                "pending": waiting[name],
            }
            for name, counts in self._counts.items()
        ]
