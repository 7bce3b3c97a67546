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
