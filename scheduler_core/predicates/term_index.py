"""The distinct affinities among all pods, so that a term is asked once and not once a pod."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from scheduler_core.objects.selectors import ANY, named_labels
from scheduler_core.predicates.affinity_terms import NO_TERMS, PodTerms, terms_of
from scheduler_core.predicates.known_pods import common_start
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo, PodTable

Label = tuple[str, str]


class TermIndex:
    """The distinct affinities among all pods; index 0 is having none."""

    def __init__(self) -> None:
        self._ids: dict[PodTerms, int] = {}
        self._infos: list[PodInfo] = []
        self._of_pod: list[int] = []
        self._column: IntArray | None = None
        self.distinct: list[PodTerms] = []
        self._naming: dict[tuple[str, Label], list[int]] = {}
        self._selecting: dict[Label, list[int]] = {}
        """Where they are, by a namespace and a label that a term names; those that select namespaces."""
        self._intern(NO_TERMS)

    def extend(self, infos: Sequence[PodInfo]) -> None:
        """Take in the pods that came since; forget those that were taken back."""
        known = common_start(self._infos, infos)
        if known == len(infos) == len(self._infos):
            return
        self._column = None
        del self._infos[known:], self._of_pod[known:]
        for info in infos[known:]:
            self._infos.append(info)
            self._of_pod.append(
                self._intern(terms_of(info.pod, info.namespace)) if info.pod.spec.affinity else 0
            )

    def _intern(self, terms: PodTerms) -> int:
        if terms not in self._ids:
            self._ids[terms] = len(self.distinct)
            self.distinct.append(terms)
            self._note(terms)
        return self._ids[terms]

    def _note(self, terms: PodTerms) -> None:
        """Note where the last of `distinct` looks for pods."""
        place = len(self.distinct) - 1
        for term in chain.from_iterable(terms[:4]):
            for label in named_labels(term.selector):
                for namespace in term.namespaces:
                    self._naming.setdefault((namespace, label), []).append(place)
                if term.namespace_selector is not None:
                    self._selecting.setdefault(label, []).append(place)

    def concerning(self, namespace: str, labels: Mapping[str, str]) -> Iterator[tuple[int, PodTerms]]:
        """Yield those of `distinct` that can match a pod with these labels, with their places, in order."""
        found: set[int] = set()
        for label in (ANY, *labels.items()):
            found.update(self._naming.get((namespace, label), ()))
            found.update(self._selecting.get(label, ()))
        for place in sorted(found):
            yield place, self.distinct[place]

    @property
    def of_pod(self) -> IntArray:
        """Each pod's index into `distinct`, shape (pods,); to be read only."""
        if self._column is None:
            self._column = np.array(self._of_pod, dtype=np.int64)
        return self._column


def term_index(pods: PodTable) -> TermIndex:
    """Return the distinct affinities of all pods."""
    index = pods.companion(TermIndex)
    index.extend(pods.infos)
    return index
