"""The trust line: what an answer rests on, and what would make it better."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.events.decisions import Trust
from scheduler_core.objects.identity import namespace_of
from scheduler_core.objects.imports.references import Gap, gaps
from scheduler_core.objects.kinds import (
    DEVICE_CLASS,
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    POD_DISRUPTION_BUDGET,
    POD_GROUP,
    PRIORITY_CLASS,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RESOURCE_SLICE,
    SERVICE,
    Kind,
    kind_of,
)
from scheduler_core.objects.whole_lists import WHOLE_LISTS, listed_as_a_whole
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
    imported: Collection[Kind] | None = None,
) -> Trust:
    """Return the trust line of a run over these objects; of the kinds `unread` none is missed.

    `not_modelled` and `unknown` are whole phrases, `bases` what the schedulers and parts of the run add.
    `found`: the gaps of the import, by default those of these objects; `told`: what it tells of the cluster's
    release; `imported`: the kinds of which it has objects, by default those of these.
    """
    by_kind: dict[Kind, list[dict[str, Any]]] = {}
    for document in objects:
        by_kind.setdefault(kind_of(document), []).append(document)
    known = by_kind
    if imported is not None:
        unread = {*unread, *imported}
        known = {kind: listed for kind, listed in by_kind.items() if kind in imported or kind == POD}
    lacking = missing_kinds(known, unread)
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
    look = MissingKinds(by_kind, unread)
    for pod in by_kind.get(POD, ()):
        look.take(pod)
    return look.lacking()


class MissingKinds:
    """Finds out which kinds are missing that matter to pods, which are handed to it one after the other."""

    def __init__(self, by_kind: ByKind, unread: Collection[Kind] = ()) -> None:
        """Take what is there of each kind, of which only the lists that are whole are looked at."""
        whole = listed_as_a_whole(by_kind.get(WHOLE_LISTS, ()))
        unread = {*unread, *(kind for kind, _ in _SPOILT if str(kind) in whole)}
        self._left = {kind for kind, _ in _SPOILT if kind not in unread and not by_kind.get(kind)}
        self._needed = set[Kind]()
        self._asks_for_system = bool(by_kind.get(NODE)) and str(POD) not in whole
        self._have_uids = self._of_system = False

    def take(self, pod: dict[str, Any]) -> None:
        """Look at a pod; those of a real cluster have uids."""
        if self._left:
            spec = pod.get("spec") or {}
            found = {kind for kind in self._left if _NEEDS[kind](spec)}
            self._needed |= found
            self._left -= found
        self._have_uids = self._have_uids or bool(_uid(pod))
        self._of_system = self._of_system or _is_system_pod(pod)

    def lacking(self) -> Lacking:
        """Return what is missing to the pods that were taken."""
        missing = Lacking([], [])
        for kind, spoils in _SPOILT:
            if kind in self._needed:
                missing.phrases.append(f"no {_PLURALS[kind]} in the import: {spoils}")
                missing.kinds.append(_PLURALS[kind].lower())
        if self._asks_for_system and self._have_uids and not self._of_system:
            missing.phrases.append(
                "no pods of kube-system in the import (without -A?): the room that they take counts as free"
            )
            missing.kinds.append("pods")
        return missing


def touched_pods(pods: Iterable[dict[str, Any]], kinds: Collection[Kind]) -> dict[Kind, int]:
    """Return of each kind that answers may miss how many pods show that its objects matter to them."""
    asked = [(kind, _NEEDS[kind]) for kind in kinds if kind in _NEEDS]
    touched = {kind: 0 for kind, _ in asked}
    for pod in pods if asked else ():
        spec = pod.get("spec") or {}
        for kind, needs in asked:
            touched[kind] += bool(needs(spec))
    return touched


def spoilt_without(kind: str) -> str:
    """Return what of answers is spoilt where objects of a kind are missing; "" where no phrase says it."""
    return next((spoils for known, spoils in _SPOILT if str(known) == kind), "")


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
    RESOURCE_CLAIM: "ResourceClaims",
    RESOURCE_CLAIM_TEMPLATE: "ResourceClaimTemplates",
    RESOURCE_SLICE: "ResourceSlices",
    DEVICE_CLASS: "DeviceClasses",
    POD_GROUP: "PodGroups.scheduling.k8s.io",
}


def _uid(pod: dict[str, Any]) -> Any:
    return (pod.get("metadata") or {}).get("uid")


def _is_system_pod(pod: dict[str, Any]) -> bool:
    namespace = namespace_of(pod)
    return namespace == "kube-system" or namespace.startswith("openshift-")


_NEEDS: dict[Kind, Callable[[dict[str, Any]], bool]] = {
    POD_DISRUPTION_BUDGET: lambda spec: True,
    PRIORITY_CLASS: lambda spec: bool(spec.get("priorityClassName")),
    NAMESPACE: lambda spec: "affinity" in spec and "namespaceSelector" in str(spec["affinity"]),
    PERSISTENT_VOLUME_CLAIM: lambda spec: any(
        "persistentVolumeClaim" in volume for volume in spec.get("volumes") or ()
    ),
    SERVICE: lambda spec: True,
    RESOURCE_CLAIM: lambda spec: any(
        spec.get("nodeName") or entry.get("resourceClaimName") for entry in spec.get("resourceClaims") or ()
    ),
    RESOURCE_CLAIM_TEMPLATE: lambda spec: any(
        entry.get("resourceClaimTemplateName") and not spec.get("nodeName")
        for entry in spec.get("resourceClaims") or ()
    ),
    RESOURCE_SLICE: lambda spec: bool(spec.get("resourceClaims")),
    DEVICE_CLASS: lambda spec: bool(spec.get("resourceClaims")),
    POD_GROUP: lambda spec: bool(spec.get("schedulingGroup")) and not spec.get("nodeName"),
}
"""Whether a pod's spec shows that objects of a kind matter."""
_SPOILT: list[tuple[Kind, str]] = [
    (POD_DISRUPTION_BUDGET, "evictions may be refused or weighed otherwise in reality"),
    (PRIORITY_CLASS, "added pods can name no priority class"),
    (NAMESPACE, "namespace selectors of affinity terms match nothing"),
    (PERSISTENT_VOLUME_CLAIM, "pods with claims cannot be placed"),
    (SERVICE, "pods are not spread by their Services"),
    (RESOURCE_CLAIM, "devices that are in use count as free, and pods that wait for claims are not placed"),
    (RESOURCE_CLAIM_TEMPLATE, "pods whose claims are made of templates are not placed"),
    (RESOURCE_SLICE, "no node has devices"),
    (DEVICE_CLASS, "pods that ask for devices are not placed"),
    (POD_GROUP, "pods of groups wait for their groups to appear"),
]
