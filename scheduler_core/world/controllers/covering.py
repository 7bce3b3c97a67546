"""Which PodDisruptionBudgets cover a pod, as the eviction API finds them.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go getPodDisruptionBudgets.
"""

from scheduler_core.objects import selectors
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.pods import PodInfo


def covering(state: ClusterState, pod: PodInfo) -> list[Budget]:
    """Return the budgets that cover the pod, in the state's order."""
    return [budget for budget in state.budgets if covers(budget, pod)]


def covers(budget: Budget, pod: PodInfo) -> bool:
    """Return whether the budget covers the pod: here, unlike in preemption, an empty selector covers all."""
    return (
        budget.selector is not None
        and budget.namespace == pod.namespace
        and selectors.matches(budget.selector, pod.labels)
    )


class Covering:
    """Finds the budgets of many pods: of pods with the same labels once. Budgets stay the same meanwhile."""

    def __init__(self, state: ClusterState) -> None:
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], list[Budget]] = {}
        self._budgets: dict[str, list[Budget]] = {}
        for budget in state.budgets:
            self._budgets.setdefault(budget.namespace, []).append(budget)

    def of(self, pod: PodInfo) -> list[Budget]:
        """Return the budgets that cover the pod, in the state's order."""
        key = pod.namespace, tuple(sorted(pod.labels.items()))
        if key not in self._known:
            self._known[key] = [one for one in self._budgets.get(pod.namespace, ()) if covers(one, pod)]
        return self._known[key]
