"""The trust line: what an answer rests on, and what would make it better."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.events.decisions import Trust
from scheduler_core.objects.identity import namespace_of
from scheduler_core.objects.imports.references import Gap, gaps
from scheduler_core.objects.kinds import (
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    POD_DISRUPTION_BUDGET,
    PRIORITY_CLASS,
    SERVICE,
    Kind,
    kind_of,
)
from scheduler_core.schedulers.unclocked import Basis
from scheduler_core.world.reporting.cluster_release import ToldRelease, played_instead

ByKind = Mapping[Kind, Sequence[dict[str, Any]]]

_NOTHING_TOLD = ToldRelease()


def trust_of(
    objects: Sequence[dict[str, Any]],
    not_modelled: Sequence[str],
    unknown: Sequence[str] = (),
    *,
    bases: Sequence[Basis] = (),
    unread: Collection[Kind] = (),
    found: Sequence[Gap] | None = None,
    told: ToldRelease = _NOTHING_TOLD,
) -> Trust:
    """Return the trust line of a run over these objects; of the kinds `unread` none is missed.

    `not_modelled` and `unknown` are whole phrases, `bases` what the schedulers and parts of the run add.
    `found`: the gaps of the import, by default those of these objects; `told`: what it tells of the cluster's
    release.
    """
    by_kind: dict[Kind, list[dict[str, Any]]] = {}
    for document in objects:
        by_kind.setdefault(kind_of(document), []).append(document)
    lacking = missing_kinds(by_kind, unread)
    missing, kinds = lacking.phrases, lacking.kinds
    for gap in gaps(objects) if found is None else found:
        missing.append(gap.phrase)
        kinds += gap.kinds
    return Trust(
        nodes_scored="sampled" if any(basis.sampled for basis in bases) else "all",
        not_modelled=[*_all(basis.unplayed for basis in bases), *not_modelled, *_unmodelled(bases)],
        missing=[*_all(basis.faults for basis in bases), *missing, *_all(basis.missing for basis in bases)],
        remedies=[*remedies_of(kinds), *_all(basis.remedies for basis in bases)],
        unknown=[*unknown, *_all(basis.ignored for basis in bases)],
        without_effect=_all(basis.without_effect for basis in bases),
        release=next((played_instead(basis.release, told) for basis in bases if basis.release), ""),
    )


def _unmodelled(bases: Iterable[Basis]) -> list[str]:
    """Return each phrase once: two schedulers of a kind may say the same."""
    return list(dict.fromkeys(_all(basis.not_modelled for basis in bases)))


def _all(phrases: Iterable[Sequence[str]]) -> list[str]:
    return [phrase for some in phrases for phrase in some]


class Lacking(NamedTuple):
    """What is missing altogether: phrases that say so, and the kinds, in kubectl's words."""

    phrases: list[str]
    kinds: list[str]


def missing_kinds(by_kind: ByKind, unread: Collection[Kind] = ()) -> Lacking:
    """Return which kinds are missing that matter to the objects that are there; none that is `unread`."""
    missing = Lacking([], [])
    for kind, spoils, needed in _CHECKS:
        if kind not in unread and not by_kind.get(kind) and needed(by_kind):
            missing.phrases.append(f"no {_PLURALS[kind]} in the import: {spoils}")
            missing.kinds.append(_PLURALS[kind].lower())
    if _lacks_system_pods(by_kind):
        missing.phrases.append(
            "no pods of kube-system in the import (without -A?): the room that they take counts as free"
        )
        missing.kinds.append("pods")
    return missing


def remedies_of(kinds: Iterable[str]) -> list[str]:
    """Return the kubectl line that adds kinds, none for none."""
    named = ",".join(dict.fromkeys(kinds))
    return [f"kubectl get {named} -A -o json"] if named else []


_PLURALS = {
    POD_DISRUPTION_BUDGET: "PodDisruptionBudgets",
    PRIORITY_CLASS: "PriorityClasses",
    NAMESPACE: "Namespaces",
    PERSISTENT_VOLUME_CLAIM: "PersistentVolumeClaims",
    SERVICE: "Services",
}


def _always(by_kind: ByKind) -> bool:
    return bool(by_kind.get(POD))


def _names_classes(by_kind: ByKind) -> bool:
    return any((pod.get("spec") or {}).get("priorityClassName") for pod in by_kind.get(POD, ()))


def _selects_namespaces(by_kind: ByKind) -> bool:
    return any(
        "namespaceSelector" in str((pod.get("spec") or {}).get("affinity")) for pod in by_kind.get(POD, ())
    )


def _uses_claims(by_kind: ByKind) -> bool:
    return any(
        "persistentVolumeClaim" in volume
        for pod in by_kind.get(POD, ())
        for volume in (pod.get("spec") or {}).get("volumes") or ()
    )


def _lacks_system_pods(by_kind: ByKind) -> bool:
    """Tell whether a real cluster's pods, which have uids, are there without those that every cluster has."""
    pods = by_kind.get(POD, ())
    return bool(by_kind.get(NODE)) and any(_uid(pod) for pod in pods) and not any(map(_is_system_pod, pods))


def _uid(pod: dict[str, Any]) -> Any:
    return (pod.get("metadata") or {}).get("uid")


def _is_system_pod(pod: dict[str, Any]) -> bool:
    namespace = namespace_of(pod)
    return namespace == "kube-system" or namespace.startswith("openshift-")


_CHECKS: list[tuple[Kind, str, Callable[[ByKind], bool]]] = [
    (POD_DISRUPTION_BUDGET, "evictions may be refused or weighed otherwise in reality", _always),
    (PRIORITY_CLASS, "added pods can name no priority class", _names_classes),
    (NAMESPACE, "namespace selectors of affinity terms match nothing", _selects_namespaces),
    (PERSISTENT_VOLUME_CLAIM, "pods with claims cannot be placed", _uses_claims),
    (SERVICE, "pods are not spread by their Services", _always),
]
