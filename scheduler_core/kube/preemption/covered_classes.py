"""Which pods a PodDisruptionBudget's selector covers, by their namespace and labels.

A cluster of many workloads has thousands of budgets and of different labels: each budget is held against
those alone that share a label with its selector.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from heapq import merge

from scheduler_core.objects import selectors
from scheduler_core.objects.selectors import Selector
from scheduler_core.state.cluster import Budget

Member = tuple[str, Mapping[str, str]]
"""A namespace and labels that pods have in common."""


class CoveredClasses:
    """What budgets cover of the classes of pods so far, a companion of their table. Classes only grow."""

    def __init__(self) -> None:
        self._known = 0
        self._by_namespace: dict[str, list[int]] = {}
        self._by_label: dict[tuple[str, str, str], list[int]] = {}
        self._budgets: list[Budget] = []
        self._told = 0
        self._of_all: list[tuple[Budget, list[int]]] = []
        self._covered: dict[tuple[str, Selector], tuple[int, list[int]]] = {}

    def of_all(self, budgets: list[Budget], members: Sequence[Member]) -> list[tuple[Budget, list[int]]]:
        """Return the budgets that cover any class, each with `of`; one with an empty selector covers none."""
        if budgets is not self._budgets or len(members) != self._told:
            self._budgets, self._told = budgets, len(members)
            found = [(one, self.of(one.namespace, one.selector, members)) for one in budgets if one.selector]
            self._of_all = [(budget, places) for budget, places in found if places]
        return self._of_all

    def of(self, namespace: str, selector: Selector, members: Sequence[Member]) -> list[int]:
        """Return the places among `members`, ascending, that a budget covers; never those without labels."""
        self._learn(members)
        seen, found = self._covered.get((namespace, selector), (0, []))
        if seen < self._known:
            places = self._candidates(namespace, selector, seen)
            found = [*found, *(place for place in places if selectors.matches(selector, members[place][1]))]
            self._covered[namespace, selector] = self._known, found
        return found

    def _learn(self, members: Sequence[Member]) -> None:
        for place in range(self._known, len(members)):
            namespace, labels = members[place]
            if labels:
                self._by_namespace.setdefault(namespace, []).append(place)
            for key, value in labels.items():
                self._by_label.setdefault((namespace, key, value), []).append(place)
        self._known = len(members)

    def _candidates(self, namespace: str, selector: Selector, seen: int) -> list[int]:
        """Return the places from `seen` on that a selector may match."""
        wanted = next((one for one in selector if one.operator == "In"), None)
        if wanted is None:
            lists = [self._by_namespace.get(namespace, [])]
        else:
            lists = [self._by_label.get((namespace, wanted.key, value), []) for value in set(wanted.values)]
        return list(merge(*(places[bisect_left(places, seen) :] for places in lists)))
