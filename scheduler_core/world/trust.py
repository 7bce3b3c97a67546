"""The trust line: what an answer rests on, and what would make it better."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.events.decisions import Trust
from scheduler_core.hami.card_faults import card_faults
from scheduler_core.objects.identity import namespace_of
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
from scheduler_core.objects.references import Gap, gaps
from scheduler_core.volcano.references import REMEDY, missing_references

ByKind = Mapping[Kind, Sequence[dict[str, Any]]]


def trust_of(
    objects: Sequence[dict[str, Any]],
    not_modelled: list[str],
    unknown: Sequence[str] = (),
    *,
    sampled: bool = False,
    unread: Collection[Kind] = (),
    has_sessions: bool = False,
    controlled: bool = True,
    found: Sequence[Gap] | None = None,
    has_cards: bool = False,
) -> Trust:
    """Return the trust line of a run over these objects; of the kinds `unread` none is missed.

    `has_sessions`: Volcano takes part, so what its objects name matters too; `controlled`: so do its
    controllers. `found`: the gaps of the import, by default those of these objects.
    `has_cards`: HAMi takes part, so what nodes say of their cards matters too.
    """
    by_kind: dict[Kind, list[dict[str, Any]]] = {}
    for document in objects:
        by_kind.setdefault(kind_of(document), []).append(document)
    lacking = missing_kinds(by_kind, unread)
    missing = card_faults(by_kind.get(NODE, []), by_kind.get(POD, [])) if has_cards else []
    missing += lacking.phrases
    kinds = lacking.kinds
    for gap in gaps(objects) if found is None else found:
        missing.append(gap.phrase)
        kinds += gap.kinds
    volcanos = missing_references(objects, controlled=controlled) if has_sessions else []
    missing += volcanos
    remedies = remedies_of(kinds)
    remedies += [REMEDY] if volcanos else []
    return Trust(
        nodes_scored="sampled" if sampled else "all",
        not_modelled=not_modelled,
        missing=missing,
        remedies=remedies,
        unknown=list(unknown),
    )


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
