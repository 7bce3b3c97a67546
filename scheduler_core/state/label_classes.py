"""The distinct namespaces and labels of pods, and which of them a selector selects.

A cluster of many workloads has thousands of selectors and of different labels: each selector is held against
those labels alone that have one which it names.
"""

from bisect import bisect_left
from collections.abc import Mapping
from heapq import merge

from scheduler_core.objects import selectors
from scheduler_core.objects.selectors import ANY, Selector


class LabelClasses:
    """The distinct pairs of namespace and labels among the pods so far; they only become more."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, frozenset[tuple[str, str]]], int] = {}
        self.members: list[tuple[str, Mapping[str, str]]] = []
        self._by_label: dict[tuple[str, str, str], list[int]] = {}
        self._indexed = 0
        self._selected: dict[tuple[str, Selector], tuple[int, list[int]]] = {}

    def intern(self, namespace: str, labels: Mapping[str, str]) -> int:
        """Return the class of a namespace and labels."""
        key = (namespace, frozenset(labels.items()))
        if key not in self._ids:
            self._ids[key] = len(self.members)
            self.members.append((namespace, labels))
        return self._ids[key]

    def selected(self, namespace: str, selector: Selector | None) -> list[int]:
        """Return the classes of a namespace, ascending, that a selector selects; to be read only."""
        if selector is None:
            return []
        seen, found = self._selected.get((namespace, selector), (0, []))
        if seen < len(self.members):
            places = self._candidates(namespace, selector, seen)
            more = [place for place in places if selectors.matches(selector, self.members[place][1])]
            found = [*found, *more] if more else found
            self._selected[namespace, selector] = len(self.members), found
        return found

    def _candidates(self, namespace: str, selector: Selector, seen: int) -> list[int]:
        """Return the classes from `seen` on that a selector may select."""
        for place in range(self._indexed, len(self.members)):
            of, labels = self.members[place]
            for label in (ANY, *labels.items()):
                self._by_label.setdefault((of, *label), []).append(place)
        self._indexed = len(self.members)
        lists = [self._by_label.get((namespace, *label), []) for label in selectors.named_labels(selector)]
        return list(merge(*(places[bisect_left(places, seen) :] for places in lists)))
