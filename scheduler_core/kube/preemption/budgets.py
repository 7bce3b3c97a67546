"""Which evictions would violate a PodDisruptionBudget: pods without labels, and empty selectors, never do.

Source: kubernetes v1.36 plugins/defaultpreemption filterPodsWithPDBViolation.
"""

from collections.abc import Iterator

import numpy as np

from scheduler_core.kube.preemption.covered_classes import CoveredClasses
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray


def violating(state: ClusterState, owner: IntArray, pods: IntArray) -> BoolArray:
    """Return which of `pods` could not be evicted without violating a budget, shape (pods,).

    `owner` is ascending and names the group (the node) of each pod. The groups are independent; inside a
    group the pods are charged in order. A pod charges every budget that covers it; pods that the API server
    is disrupting already are not charged.
    """
    flags = np.zeros(len(pods), dtype=np.bool_)
    if not state.budgets:
        return flags
    for budget, places in covered_places(state, pods):
        infos = state.pods.infos
        if budget.disrupted_pods:
            charged = [infos[pod].name not in budget.disrupted_pods for pod in pods[places].tolist()]
            places = places[np.array(charged, dtype=np.bool_)]
        owners = owner[places]
        place_in_group = np.arange(len(places)) - np.searchsorted(owners, owners)
        flags[places[place_in_group >= max(budget.allowed, 0)]] = True
    return flags


def covered_places(state: ClusterState, pods: IntArray) -> Iterator[tuple[Budget, IntArray]]:
    """Yield each budget that covers any of `pods`, with their places in `pods`, ascending.

    Pods are looked up by what they have in common, so that many budgets cost little.
    """
    classes = state.pods.label_class[pods]
    by_class = np.argsort(classes, kind="stable")
    starts = np.searchsorted(classes[by_class], np.arange(len(state.pods.classes.members) + 1))
    covered = state.pods.companion(CoveredClasses)
    for budget, matching in covered.of_all(state.budgets, state.pods.classes):
        found = [by_class[starts[one] : starts[one + 1]] for one in matching if starts[one] < starts[one + 1]]
        if found:
            yield budget, np.sort(np.concatenate(found))
