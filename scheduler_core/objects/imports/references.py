"""What the objects of a cluster name and the picture of it lacks, and what it has twice.

A real cluster has none of this, or only for a moment: a picture that has, was put together from parts. Kinds
of which there is nothing at all are told elsewhere. Volcano's own references are
`volcano.imports.references`'.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import has_ended, name_of, namespace_of, spec_of
from scheduler_core.objects.imports.offered_resources import OfferedResources, asked_of_nodes
from scheduler_core.objects.imports.without_pods import Identity, WorkloadsAndPods, owner_of
from scheduler_core.objects.kinds import (
    CRON_JOB,
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    POD_GROUP,
    PRIORITY_CLASS,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
    RUNTIME_CLASS,
    STORAGE_CLASS,
    WORKLOAD_KINDS,
    Kind,
    kind_of,
)
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.workloads.templates import template_specs

Object = dict[str, Any]
Reference = tuple[Identity, str]
"""What is named, and the full name of the object that names it."""

LISTED = 3
BUILT_IN_PRIORITY_CLASSES = frozenset({"system-cluster-critical", "system-node-critical"})
_OWNERS = frozenset({*WORKLOAD_KINDS, *(kind for kind, own in OWN.items() if own.owns_pods)})
_OWNED = frozenset({POD, *WORKLOAD_KINDS})
_SCALED_OWNERS = _OWNERS - {CRON_JOB}
"""Of what these own in turn the number matters; of a CronJob nothing does once its Jobs are there."""
_WITHOUT_NAMESPACE = frozenset(kind for kind, check in KIND_CHECKS.items() if not check.namespaced)
_OLD_CLASS = "volume.beta.kubernetes.io/storage-class"


class Gap(NamedTuple):
    """Something that is missing, and what that does to answers, as a phrase that begins with a number.

    places: all whom it is about, as `Pod namespace/name`. kinds: what kubectl should have been asked for as
    well, in its words; none where that would not help.
    """

    phrase: str
    places: list[str]
    kinds: tuple[str, ...] = ()


def gaps(objects: Iterable[Object]) -> list[Gap]:
    """Return what is missing or there twice, a gap for each kind of fault."""
    references = References()
    for document in objects:
        references.take(document)
    return references.gaps()


class References:
    """The objects that can be named, and what names them, by the kind of what is named."""

    def __init__(self) -> None:
        self._known: set[Identity] = set()
        self._kinds: set[Kind] = set()
        self._pods: dict[str, int] = {}
        self._named: dict[Kind, list[Reference]] = defaultdict(list)
        self._named_by_templates: dict[Kind, list[Reference]] = defaultdict(list)
        self._owners: list[Reference] = []
        self._owners_of_workloads: list[Reference] = []
        self._by_namespace: dict[str, list[str]] = defaultdict(list)
        self._workloads = WorkloadsAndPods()
        self._offered = OfferedResources()
        self._asked: dict[str, list[str]] = defaultdict(list)

    def take(self, document: Object) -> None:
        """Note an object and what it names; pods that have ended name nothing that matters."""
        kind, name = kind_of(document), name_of(document)
        owner = owner_of(document) if kind in _OWNED else None
        self._workloads.take(kind, document, owner)
        if kind == POD:
            if has_ended(document):
                return
            self._take_pod(document, f"{namespace_of(document)}/{name}", owner)
        else:
            self._offered.take(document)
            namespace = "" if kind in _WITHOUT_NAMESPACE else namespace_of(document)
            self._known.add((kind, namespace, name))
            self._kinds.add(kind)
            if kind == PERSISTENT_VOLUME_CLAIM:
                self._take_claim(document)
            elif owner is not None and owner[0] in _SCALED_OWNERS:
                self._owners_of_workloads.append((owner, object_name(document)))
            if kind in _OWNERS and owner is None:
                self._take_templates(document)
        if kind in KIND_CHECKS and kind not in _WITHOUT_NAMESPACE:
            namespace = namespace_of(document)
            if (NAMESPACE, "", namespace) not in self._known:
                self._by_namespace[namespace].append(object_name(document))

    def _take_pod(self, pod: Object, full_name: str, owner: Identity | None) -> None:
        self._pods[full_name] = self._pods.get(full_name, 0) + 1
        place = f"Pod {full_name}"
        namespace, spec = namespace_of(pod), spec_of(pod)
        if owner is not None and owner[0] in _OWNERS:
            self._owners.append((owner, place))
        for identity in _classes_of(spec):
            self._named[identity[0]].append((identity, place))
        if spec.get("nodeName"):
            self._named[NODE].append(((NODE, "", spec["nodeName"]), place))
            return
        self._take_claims_for_devices(pod, place)
        if group := (spec.get("schedulingGroup") or {}).get("podGroupName"):
            self._named[POD_GROUP].append(((POD_GROUP, namespace, group), place))
        for resource in asked_of_nodes(pod):
            self._asked[resource].append(place)
        for volume in spec.get("volumes") or ():
            claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
            if claim:
                identity = PERSISTENT_VOLUME_CLAIM, namespace, claim
                self._named[PERSISTENT_VOLUME_CLAIM].append((identity, place))

    def _take_templates(self, workload: Object) -> None:
        """Note the classes that pods of a workload would name."""
        place = object_name(workload)
        for identity in dict.fromkeys(chain.from_iterable(map(_classes_of, template_specs(workload)))):
            self._named_by_templates[identity[0]].append((identity, place))

    def _take_claim(self, claim: Object) -> None:
        spec, place = spec_of(claim), object_name(claim)
        if volume := spec.get("volumeName"):
            self._named[PERSISTENT_VOLUME].append(((PERSISTENT_VOLUME, "", volume), place))
            return
        annotations = (claim.get("metadata") or {}).get("annotations") or {}
        if storage_class := annotations.get(_OLD_CLASS) or spec.get("storageClassName"):
            self._named[STORAGE_CLASS].append(((STORAGE_CLASS, "", storage_class), place))

    def _take_claims_for_devices(self, pod: Object, place: str) -> None:
        """Note the claims of a pod, or those that are to be made for it, and what they are made of."""
        namespace = namespace_of(pod)
        made = {one.get("name") for one in (pod.get("status") or {}).get("resourceClaimStatuses") or ()}
        for entry in spec_of(pod).get("resourceClaims") or ():
            if name := entry.get("resourceClaimName"):
                self._named[RESOURCE_CLAIM].append(((RESOURCE_CLAIM, namespace, name), place))
            elif (name := entry.get("resourceClaimTemplateName")) and entry.get("name") not in made:
                identity = RESOURCE_CLAIM_TEMPLATE, namespace, name
                self._named[RESOURCE_CLAIM_TEMPLATE].append((identity, place))

    def gaps(self) -> list[Gap]:
        """Return what is missing or there twice among the objects that were taken, as `gaps` does."""
        return [gap for gap in self._all_gaps() if gap.places]

    def _all_gaps(self) -> Iterator[Gap]:
        """Yield a gap for each kind of reference, also where nothing is missing."""
        yield from self._gaps_of_pods()
        yield from self._gaps_of_others()
        idle = self._workloads.without_pods()
        effect = "no run makes them, but an edit that scales one does"
        wanting = _count(len(idle), "workload")
        yield Gap(f"{wanting} without pods in the import ({_some(idle)}): {effect}", idle)
        twice = [name for name, number in self._pods.items() if number > 1]
        names = _count(len(twice), "name")
        yield Gap(
            f"{names} of several pods at once ({_some(twice)}), as in no cluster: each pod counts",
            [f"Pod {name}" for name in twice],
        )

    def _gaps_of_pods(self) -> Iterator[Gap]:
        lost = self._lost_of_some(NODE)
        phrase = "on nodes that are not in the import ({}): they take room nowhere"
        yield _gap("pod", lost, phrase, ("nodes",))
        lost = self._lost(self._owners)
        effect = "they are neither spread nor counted by budgets as theirs"
        yield _gap("pod", lost, f"of controllers that are not in the import ({{}}): {effect}", _plurals(lost))
        lost = self._lost_of_some(PRIORITY_CLASS)
        phrase = "of PriorityClasses that are not in the import ({}): pods that edits add cannot use these"
        yield _gap("pod", lost, phrase, ("priorityclasses",))
        lost = self._lost(self._named[RUNTIME_CLASS])
        effect = "they are scheduled all the same, and pods that edits add cannot use these"
        phrase = f"of RuntimeClasses that are not in the import ({{}}): {effect}"
        yield _gap("pod", lost, phrase, ("runtimeclasses",))
        lost = self._lost_of_some(PERSISTENT_VOLUME_CLAIM)
        phrase = "with PersistentVolumeClaims that are not in the import ({}): they stay pending"
        yield _gap("pod", lost, phrase, ("persistentvolumeclaims", "persistentvolumes", "storageclasses"))
        for kind in (RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE):
            lost = self._lost_of_some(kind)
            phrase = f"with {kind.name}s that are not in the import ({{}}): they stay pending"
            yield _gap("pod", lost, phrase, (f"{kind.name.lower()}s",))
        lost = self._lost_of_some(POD_GROUP)
        phrase = "of PodGroups that are not in the import ({}): where groups are played, they are held back"
        yield _gap("pod", lost, phrase, ("podgroups.scheduling.k8s.io",))
        for resource, places in sorted(self._asked.items()):
            if meant := self._offered.meant_by(resource):
                effect = f"pending for {resource}, which no node offers, while some offer {meant}"
                yield Gap(f"{_count(len(places), 'pod')} {effect}", places)

    def _gaps_of_others(self) -> Iterator[Gap]:
        lost = self._lost(self._owners_of_workloads)
        phrase = "of controllers that are not in the import ({}): edits cannot scale these"
        yield _gap("workload", lost, phrase, _plurals(lost))
        for kind in (PRIORITY_CLASS, RUNTIME_CLASS):
            named = self._named_by_templates[kind] if kind == RUNTIME_CLASS or kind in self._kinds else []
            phrase = f"of {kind.name}es that are not in the import ({{}}): no pods can be made of them"
            yield _gap("workload", self._lost(named), phrase, (f"{kind.name.lower()}es",))
        claim = PERSISTENT_VOLUME_CLAIM.name
        lost = self._lost(self._named[STORAGE_CLASS])
        phrase = "of StorageClasses that are not in the import ({}): pods that use them stay pending"
        yield _gap(claim, lost, phrase, ("storageclasses",))
        lost = self._lost(self._named[PERSISTENT_VOLUME])
        phrase = "bound to PersistentVolumes that are not in the import ({}): pods that use them fit nowhere"
        yield _gap(claim, lost, phrase, ("persistentvolumes",))
        if NAMESPACE in self._kinds:
            phrase = "in namespaces that are not in the import ({}): no namespaceSelector finds them"
            yield _gap("object", self._in_lost_namespaces(), phrase, ("namespaces",))

    def _in_lost_namespaces(self) -> list[Reference]:
        return [
            ((NAMESPACE, "", namespace), place)
            for namespace, places in self._by_namespace.items()
            if (NAMESPACE, "", namespace) not in self._known
            for place in places
        ]

    def _lost_of_some(self, kind: Kind) -> list[Reference]:
        """Return who names an object of a kind that is not there, if others of that kind are."""
        return self._lost(self._named[kind]) if kind in self._kinds else []

    def _lost(self, named: list[Reference]) -> list[Reference]:
        return [(identity, place) for identity, place in named if identity not in self._known]


def _classes_of(pod_spec: Object) -> Iterator[Identity]:
    """Yield the classes that a pod names and that an API server would look for."""
    name = pod_spec.get("priorityClassName")
    if name and name not in BUILT_IN_PRIORITY_CLASSES:
        yield PRIORITY_CLASS, "", name
    if name := pod_spec.get("runtimeClassName"):
        yield RUNTIME_CLASS, "", name


def _gap(noun: str, lost: list[Reference], phrase: str, kinds: Iterable[str]) -> Gap:
    missing = dict.fromkeys(identity for identity, _ in lost)
    places = list(dict.fromkeys(place for _, place in lost))
    names = [_named(identity) for identity in missing]
    return Gap(f"{_count(len(places), noun)} {phrase.format(_some(names))}", places, tuple(kinds))


def _named(identity: Identity) -> str:
    kind, namespace, name = identity
    full_name = f"{namespace}/{name}" if namespace else name
    return f"{kind} {full_name}" if kind in _OWNERS else full_name


def _plurals(lost: list[Reference]) -> list[str]:
    """Return what `kubectl get` takes for the kinds of controllers that are missing."""
    kinds = {kind for (kind, _, _), _ in lost}
    return sorted(
        f"{kind.name.lower()}s.{kind.group}" if kind in OWN else f"{kind.name.lower()}s" for kind in kinds
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _some(names: list[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:LISTED]) + (", …" if len(listed) > LISTED else "")
