"""What edits have touched that PodDisruptionBudgets must be counted anew for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.kinds import POD, POD_DISRUPTION_BUDGET, kind_of
from scheduler_core.objects.workloads.budgets import BudgetSelectors
from scheduler_core.world.edits.places import Identity, identity_of

Object = dict[str, Any]


class Touched:
    """The budgets that edits have touched, and the pods; `in_run` are those that come and go in a run alone.

    selectors: compiled once for all clusters of the same objects.
    """

    def __init__(self) -> None:
        self.budgets: set[Identity] = set()
        self.pods: list[Object] = []
        self.in_run: list[Object] = []
        self.selectors = BudgetSelectors()

    def copy(self) -> Touched:
        """Return the same for a cluster that is edited further."""
        twin = Touched()
        twin.budgets, twin.pods, twin.in_run = self.budgets.copy(), self.pods.copy(), self.in_run.copy()
        twin.selectors = self.selectors
        return twin

    def note(self, *documents: Object) -> None:
        """Note objects that come, change or go."""
        self.pods += [one for one in documents if kind_of(one) == POD]
        self.budgets.update(identity_of(one) for one in documents if kind_of(one) == POD_DISRUPTION_BUDGET)

    def leave_to_run(self, documents: Iterable[Object]) -> None:
        """Note that objects come, change or go in a run."""
        pods = [one for one in documents if kind_of(one) == POD]
        left = {id(pod) for pod in pods}
        self.in_run += pods
        self.pods = [pod for pod in self.pods if id(pod) not in left]
