"""pdb: evictions stay within what disruption budgets allow, counted down along the candidates.

Source: volcano v1.16 pkg/scheduler/plugins/pdb/pdb.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scheduler_core.objects.selectors import matches
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.model.tasks import Task


class Pdb(Plugin):
    """A pod without labels is never let go."""

    name = "pdb"

    def preemptable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go what `victim_tasks` does."""
        return self.victim_tasks(candidates)

    def victim_tasks(self, candidates: Sequence[Task]) -> list[Task]:
        """Let a pod go as long as no budget that covers it is used up; who was kept is counted, too.

        To the action shuffle that names every running pod that no budget protects.
        """
        budgets = self.session.around.budgets
        allowed = Counter({number: budget.allowed for number, budget in enumerate(budgets)})
        victims = []
        for task in candidates:
            if not task.pod.metadata.labels:
                continue
            kept = False
            for number in self._covering(task):
                allowed[number] -= 1
                kept |= allowed[number] < 0
            if not kept:
                victims.append(task)
        return victims

    def _covering(self, task: Task) -> list[int]:
        """Return the numbers of the budgets that cover a pod; an empty selector covers nobody here."""
        labels = task.pod.metadata.labels or {}
        return [
            number
            for number, budget in enumerate(self.session.around.budgets)
            if budget.namespace == task.namespace
            and budget.selector
            and matches(budget.selector, labels)
            and task.name not in budget.disrupted_pods
        ]

    def drawn_from(self, candidate: Task) -> object:
        return tuple(self._covering(candidate)) or None

    def reclaimable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let the same go."""
        return self.preemptable(evictor, candidates)
