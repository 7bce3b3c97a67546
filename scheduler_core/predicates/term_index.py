"""The distinct affinities among all pods, so that a term is asked once and not once a pod."""

from collections.abc import Iterator, Sequence

import numpy as np

from scheduler_core.predicates.affinity_terms import NO_TERMS, PodTerms, terms_of
from scheduler_core.predicates.known_pods import common_start
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo, PodTable


class TermIndex:
    """The distinct affinities among all pods; index 0 is having none."""

    def __init__(self) -> None:
        self._ids: dict[PodTerms, int] = {}
        self._infos: list[PodInfo] = []
        self._of_pod: list[int] = []
        self.distinct: list[PodTerms] = []
        self._naming: dict[str, list[int]] = {}
        self._selecting: list[int] = []
        """The same by the namespaces that a term names; those of which a term selects namespaces."""
        self._intern(NO_TERMS)

    def extend(self, infos: Sequence[PodInfo]) -> None:
        """Take in the pods that came since; forget those that were taken back."""
        known = common_start(self._infos, infos)
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
            self._note_namespaces(terms)
        return self._ids[terms]

    def _note_namespaces(self, terms: PodTerms) -> None:
        """Note where the last of `distinct` looks for pods."""
        place = len(self.distinct) - 1
        each = [*terms.required, *terms.required_anti, *terms.preferred, *terms.preferred_anti]
        for namespace in {namespace for term in each for namespace in term.namespaces}:
            self._naming.setdefault(namespace, []).append(place)
        if any(term.namespace_selector is not None for term in each):
            self._selecting.append(place)

    def concerning(self, namespace: str) -> Iterator[tuple[int, PodTerms]]:
        """Yield those of `distinct` that can match a pod of a namespace, with their places, in order."""
        for place in sorted({*self._naming.get(namespace, ()), *self._selecting}):
            yield place, self.distinct[place]

    @property
    def of_pod(self) -> IntArray:
        """Each pod's index into `distinct`."""
        return np.array(self._of_pod, dtype=np.int64)


def term_index(pods: PodTable) -> TermIndex:
    """Return the distinct affinities of all pods."""
    index = pods.companion(TermIndex)
    index.extend(pods.infos)
    return index
