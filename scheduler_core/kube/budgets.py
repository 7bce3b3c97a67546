"""Which evictions would violate a PodDisruptionBudget.

Source: kubernetes v1.36 plugins/defaultpreemption filterPodsWithPDBViolation.
"""

from collections.abc import Sequence

import numpy as np

from scheduler_core.objects import selectors
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.nodes import BoolArray
from scheduler_core.state.pods import PodInfo


def covers(budget: Budget, pod: PodInfo) -> bool:
    """Return whether the budget selects the pod; one without labels is never covered."""
    return (
        bool(budget.selector)
        and bool(pod.labels)
        and budget.namespace == pod.namespace
        and selectors.matches(budget.selector, pod.labels)
    )


def violating(state: ClusterState, groups: Sequence[Sequence[int]]) -> list[list[bool]]:
    """Return for each pod of each group whether its eviction would violate a budget.

    The groups (one a node) are independent; inside a group the pods are charged in order. A pod charges
    every budget that covers it; pods that the API server is disrupting already are not charged.
    """
    answers = [[False] * len(group) for group in groups]
    for budget in state.budgets:
        charged = _charged(state, budget)
        if not charged.any():
            continue
        for group, flags in zip(groups, answers, strict=True):
            left = budget.allowed
            for place, pod in enumerate(group):
                if charged[pod]:
                    left -= 1
                    flags[place] |= left < 0
    return answers


def _charged(state: ClusterState, budget: Budget) -> BoolArray:
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
