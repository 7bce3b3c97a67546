"""Which evictions would violate a PodDisruptionBudget.

Source: kubernetes v1.36 plugins/defaultpreemption filterPodsWithPDBViolation.
"""

import numpy as np

from scheduler_core.objects import selectors
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo


def covers(budget: Budget, pod: PodInfo) -> bool:
    """Return whether the budget selects the pod; one without labels is never covered."""
    return (
        bool(budget.selector)
        and bool(pod.labels)
        and budget.namespace == pod.namespace
        and selectors.matches(budget.selector, pod.labels)
    )


def violating(state: ClusterState, owner: IntArray, pods: IntArray) -> BoolArray:
    """Return which of `pods` could not be evicted without violating a budget, shape (pods,).

    `owner` is ascending and names the group (the node) of each pod. The groups are independent; inside a
    group the pods are charged in order. A pod charges every budget that covers it; pods that the API server
    is disrupting already are not charged.
    """
    flags = np.zeros(len(pods), dtype=np.bool_)
    for budget in state.budgets:
        charged = _charged(state, budget)[pods]
        if charged.any():
            total = np.cumsum(charged)
            before_group: IntArray = (total - charged)[np.searchsorted(owner, owner)]
            flags |= charged & (total - before_group > max(budget.allowed, 0))
    return flags


def _charged(state: ClusterState, budget: Budget) -> BoolArray:
    """Return which pods use up the budget when they are evicted, shape (all pods,)."""
    if not budget.selector:
        return np.zeros(len(state.pods), dtype=np.bool_)
    selector = budget.selector
    covered = state.pods.matching(
        ("budget", budget.namespace, selector),
        lambda namespace, labels: (
            namespace == budget.namespace and bool(labels) and selectors.matches(selector, labels)
        ),
    )
    if not budget.disrupted_pods:
        return covered
    disrupted = [info.name in budget.disrupted_pods for info in state.pods.infos]
    return covered & ~np.array(disrupted, dtype=np.bool_)
