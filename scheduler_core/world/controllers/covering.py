"""Which PodDisruptionBudgets cover a pod, as the eviction API finds them.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go getPodDisruptionBudgets.
"""

from collections.abc import Iterable, Mapping

from scheduler_core.objects import selectors
from scheduler_core.objects.selectors import ANY
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.pods import PodInfo


def covers(budget: Budget, pod: PodInfo) -> bool:
    """Return whether the budget covers the pod: here, unlike in preemption, an empty selector covers all."""
    return (
        budget.selector is not None
        and budget.namespace == pod.namespace
        and selectors.matches(budget.selector, pod.labels)
    )


def covering(state: ClusterState, pod: PodInfo) -> list[Budget]:
    """Return the budgets that cover the pod, in the state's order; to be read only."""
    kept = state.pods.companion(_Kept)
    if kept.budgets is not state.budgets:
        kept.begin(state.budgets)
    return kept.of(pod)


class BudgetsByLabel:
    """Finds the budgets of many pods: of thousands those alone are asked that name one of a pod's labels."""

    def __init__(self, budgets: Iterable[Budget]) -> None:
        self._budgets = list(budgets)
        self._under: dict[tuple[str, str, str], list[int]] = {}
        for place, budget in enumerate(self._budgets):
            for key, value in selectors.named_labels(budget.selector):
                self._under.setdefault((budget.namespace, key, value), []).append(place)
        self._of_class: dict[int, list[Budget]] = {}

    def of(self, namespace: str, labels: Mapping[str, str]) -> list[Budget]:
        """Return the budgets that cover pods of a namespace with these labels, in their order."""
        keys = {ANY, *labels.items()}
        places = {place for key in keys for place in self._under.get((namespace, *key), ())}
        found = (self._budgets[place] for place in sorted(places))
        return [one for one in found if one.selector is not None and selectors.matches(one.selector, labels)]

    def of_class(self, label_class: int, namespace: str, labels: Mapping[str, str]) -> list[Budget]:
        """Return the same for a class of labels (`PodTable.classes`), found once; to be read only."""
        found = self._of_class.get(label_class)
        if found is None:
            found = self._of_class[label_class] = self.of(namespace, labels)
        return found


class _Kept:
    """Finds the budgets of pods for as long as a cluster has the same list: of pods alike once."""

    def __init__(self) -> None:
        self.begin([])

    def begin(self, budgets: list[Budget]) -> None:
        """Begin with another list."""
        self.budgets = budgets
        self._by_label = BudgetsByLabel(budgets)

    def of(self, pod: PodInfo) -> list[Budget]:
        """Return the budgets that cover a pod."""
        return self._by_label.of_class(pod.label_class, pod.namespace, pod.labels)
