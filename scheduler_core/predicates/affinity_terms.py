"""Pod affinity terms, compiled: whom a term matches.

Source: kube-scheduler v0.36 framework AffinityTerm.Matches, kubernetes v1.36 framework
GetAffinityTerms/newAffinityTerm, interpodaffinity mergeAffinityTermNamespacesIfNotEmpty.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scheduler_core.objects import selectors, types
from scheduler_core.objects.selectors import Selector


class AffinityTerm(NamedTuple):
    """One term. `weight` is 0 for a required one."""

    topology_key: str
    namespaces: frozenset[str]
    namespace_selector: Selector | None
    selector: Selector | None
    weight: int

    def matches(self, namespace: str, labels: Mapping[str, str], of_namespace: Mapping[str, str]) -> bool:
        """Return whether a pod matches; `of_namespace` are the labels of its namespace."""
        named = namespace in self.namespaces
        if not named and not selectors.matches(self.namespace_selector, of_namespace):
            return False
        return selectors.matches(self.selector, labels)


class PodTerms(NamedTuple):
    """All terms of one pod's affinity and anti-affinity; `is_given`: it has either, maybe without terms."""

    required: tuple[AffinityTerm, ...]
    required_anti: tuple[AffinityTerm, ...]
    preferred: tuple[AffinityTerm, ...]
    preferred_anti: tuple[AffinityTerm, ...]
    is_given: bool = False

    def __bool__(self) -> bool:
        return any(self[place] for place in range(4))


NO_TERMS = PodTerms((), (), (), ())


def terms_of(pod: types.Pod, namespace: str) -> PodTerms:
    """Compile the terms of a pod in this namespace."""
    affinity = pod.spec.affinity
    if affinity is None:
        return NO_TERMS
    own = affinity.pod_affinity or types.PodAffinity()
    anti = affinity.pod_anti_affinity or types.PodAffinity()
    return PodTerms(
        tuple(_compile(term, namespace, 0) for term in own.required or ()),
        tuple(_compile(term, namespace, 0) for term in anti.required or ()),
        tuple(_compile(w.pod_affinity_term, namespace, w.weight) for w in own.preferred or ()),
        tuple(_compile(w.pod_affinity_term, namespace, w.weight) for w in anti.preferred or ()),
        affinity.pod_affinity is not None or affinity.pod_anti_affinity is not None,
    )


def _compile(term: types.PodAffinityTerm, namespace: str, weight: int) -> AffinityTerm:
    names = frozenset(term.namespaces or ())
    if not names and term.namespace_selector is None:
        names = frozenset([namespace])
    return AffinityTerm(
        term.topology_key,
        names,
        selectors.from_label_selector(term.namespace_selector),
        selectors.from_label_selector(term.label_selector),
        weight,
    )


def with_namespaces_resolved(
    terms: Sequence[AffinityTerm], namespaces: Mapping[str, Mapping[str, str]]
) -> tuple[AffinityTerm, ...]:
    """Return an incoming pod's terms with their namespace selectors replaced by the namespaces they match.

    Only namespaces that exist as objects are found this way; the empty selector goes on matching all.
    """
    return tuple(
        term._replace(
            namespaces=term.namespaces
            | {
                name
                for name, labels in namespaces.items()
                if selectors.matches(term.namespace_selector, labels)
            },
            namespace_selector=None,
        )
        if term.namespace_selector
        else term
        for term in terms
    )
