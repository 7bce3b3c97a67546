"""The cluster under edit: objects by name, pods by controller, and the API server that admits new ones.

Objects are never changed, only replaced by changed copies; what is added stands at the end of the list.
"""

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Set
from copy import copy
from itertools import chain
from typing import Any

from scheduler_core.objects.api_server.admission import ADMISSION_KINDS, Admission, Webhook
from scheduler_core.objects.api_server.storage_defaults import with_phase, with_storage_defaults
from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import (
    controller_of,
    controls,
    keeps_name,
    name_of,
    namespace_of,
    spec_of,
    uid_of,
)
from scheduler_core.objects.imports.offered_resources import OfferedResources
from scheduler_core.objects.kinds import (
    CRON_JOB,
    DEPLOYMENT,
    DEVICE_CLASS,
    JOB,
    NODE,
    POD,
    POD_GROUP,
    REPLICA_SET,
    RESOURCE_QUOTA,
    STORAGE_CLASS,
    Kind,
    kind_named,
    kind_of,
)
from scheduler_core.objects.workloads.workload_pods import TakenNames, selects
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.schedulers.registry import own_kinds
from scheduler_core.world.beginning import Beginning
from scheduler_core.world.edits.leaving_pods import LeavingPods
from scheduler_core.world.edits.overlay import Overlay
from scheduler_core.world.edits.places import Places, full_name, identity_of
from scheduler_core.world.edits.touched import Touched

Object = dict[str, Any]
Difference = tuple[Object | None, Object | None]
"""An object as it was and as it is now; None where it isn't there."""

_BETWEEN = {DEPLOYMENT: REPLICA_SET, CRON_JOB: JOB}


class EditedCluster:
    """The objects of a scenario while its edits are applied; `webhook` is asked about new pods."""

    def __init__(self, objects: Iterable[Object], limits: Limits, webhook: Webhook | None = None) -> None:
        self._objects: MutableMapping[int, Object] = {}
        self._places = Places()
        self._next = 0
        self.has_clock = False
        """Whether a clock moves in the run."""
        self.recreates = False
        """Whether a pod that is deleted comes back if it has a controller."""
        self.controllers_act = False
        """Whether the cluster's controllers act in the run, where they do what follows from an edit."""
        self.lacking = False
        """Whether the API server has refused pods since `begin_edit` that a controller will try again."""
        self.at_start: dict[int, Object | None] = {}
        """What a run begins with where an edit of its start happens in it: by place, None for nothing."""
        self.rolling: set[str] = set()
        """The Deployments and DaemonSets, by uid, that roll out where controllers act."""
        self.replaced: dict[str, Object] = {}
        """By the uid of a ReplicaSet that such a change has put another in the place of: the Deployment."""
        self.outdated: dict[str, Object] = {}
        """By the uid of a pod that its controller keeps although the template has changed: the workload."""
        self.used_uids: set[str] = set()
        """Those of all pods that controllers have made, also of pods that are gone: none comes twice."""
        self.silent: set[str] = set()
        """The nodes whose kubelets edits have stopped and not started again."""
        self._leaving = LeavingPods()
        self._now = 0.0
        self._limits = limits
        self.touched = Touched()
        """What budgets have to be counted anew for."""
        self._before: dict[int, Object | None] = {}
        self._at_first: dict[int, Object | None] = {}
        self._objects.update(enumerate(objects))
        self._begins = Beginning(self._objects)
        self._next = len(self._objects)
        for place, document in self._objects.items():
            self._places.add(document, place)
        self.admission = Admission(self._objects.values(), webhook=webhook)
        self._made: dict[Callable[[Iterable[Object]], Any], tuple[tuple[Kind, ...], Any]] = {}
        self._offered: OfferedResources | None = None

    def over(self, webhook: Webhook | None = None) -> "EditedCluster":
        """Return a cluster of the same objects that can be edited; this one must stay as it is from now on.

        `webhook` is asked about pods that are new there.
        """
        twin = copy(self)
        twin._objects = Overlay(self._objects)
        twin._places = self._places.over()
        twin.touched = self.touched.copy()
        twin.at_start = self.at_start.copy()
        twin._before = self._before.copy()
        twin._at_first = self._at_first.copy()
        twin.admission = self.admission.copy(webhook)
        twin._made = {}
        twin.rolling = self.rolling.copy()
        twin.replaced = self.replaced.copy()
        twin.outdated = self.outdated.copy()
        twin.silent = self.silent.copy()
        twin.used_uids = self.used_uids.copy()
        twin._leaving = self._leaving.copy()
        return twin

    # -- reading -------------------------------------------------------------------------------------

    def objects(self) -> list[Object]:
        return list(self._objects.values())

    def objects_at_start(self) -> list[Object]:
        """Return what a run begins with: without what edits of its start do in it."""
        if not self.at_start:
            return self.objects()
        begun = {**self._objects, **self.at_start}
        return [found for place in sorted(begun) if (found := begun[place]) is not None]

    def begin_edit(self, now: float = 0.0) -> None:
        """Let `differences` count from here; now: when the edit happens, in seconds since the run's start."""
        self._before.clear()
        self._now = now
        self.lacking = False
        for pod in self._leaving.take_gone(now):
            self.admission.release(pod)

    def differences(self) -> list[Difference]:
        """Return each object that differs from what it was at `begin_edit`, in the order of the objects."""
        return list(self.differences_by_place().values())

    def differences_by_place(self) -> dict[int, Difference]:
        """Return the same by place."""
        pairs = {place: (self._before[place], self._objects.get(place)) for place in sorted(self._before)}
        return {place: pair for place, pair in pairs.items() if pair[0] is not pair[1]}

    def leave_to_run(self, places: Iterable[int]) -> None:
        """Let a run begin with what was at these places at `begin_edit`: the edit happens in it."""
        for place in places:
            before, now = self._before[place], self._objects.get(place)
            self.at_start.setdefault(place, before)
            self.touched.leave_to_run([one for one in (before, now) if one is not None])

    def let_leave(self, differences: Iterable[Difference], now: float) -> None:
        """Let the pods that are deleted in the run be on their way out from now on (seconds since its start).

        No pod of a controller gets a name that one of them had. Where controllers try again what a quota
        refuses, they count for their quotas until they may be gone; one without a node is gone at once.
        """
        for before, after in differences:
            if before is None or after is not None or kind_of(before) != POD:
                continue
            if not keeps_name(before):
                self._leaving.keep_name(before)
            if self.controllers_act and (now > 0 or spec_of(before).get("nodeName")):
                self.admission.count(before)
                self._leaving.add(before, now)

    def changed(self) -> set[int]:
        """Return the places of the objects that differ from what they were at first."""
        return {place for place, before in self._at_first.items() if self._objects.get(place) is not before}

    def places(self, kind: Kind) -> Iterable[int]:
        """Return the places of a kind's objects, in their order."""
        return self._places.by_kind.get(kind, ())

    def places_of_pod(self, uid: str) -> Iterable[int]:
        """Return the place of the pod with that uid, nothing where there is none."""
        return self._places.pods_by_uid.get(uid, ())

    def pod_uids(self) -> Set[str]:
        """Return the uids of all pods, as they are at any time."""
        return self._places.pods_by_uid.keys()

    def kinds(self) -> list[Kind]:
        """Return the kinds that there are, or were."""
        return list(self._places.by_kind)

    def at_first(self, place: int) -> Object | None:
        """Return the object that was at a place before any edit."""
        return self._at_first[place] if place in self._at_first else self._objects.get(place)

    def at(self, place: int) -> Object | None:
        """Return the object that is at a place now."""
        return self._objects.get(place)

    def count(self, kind: Kind) -> int:
        """Return how many objects of a kind there are."""
        return len(self._places.by_kind.get(kind, ()))

    def of_kind(self, kind: Kind) -> Iterator[Object]:
        return (self._objects[place] for place in self._places.by_kind.get(kind, ()))

    def find(self, kind: Kind, namespace: str | None, name: str) -> list[Object]:
        """Return every bearer of a name; only pods can have more than one."""
        check = KIND_CHECKS.get(kind)
        if check is not None:
            spaces = [namespace or "default"] if check.namespaced else [""]
        else:
            spaces = [namespace] if namespace else ["", "default"]
        bearers = self._places.by_identity
        places = (place for space in spaces for place in bearers.get((kind, space, name), ()))
        return [self._objects[place] for place in places]

    def kind_named(self, text: str) -> Kind:
        """Return the kind that an edit names: `Job.batch.volcano.sh`, or `Queue` where there is but one.

        Raises Refused where the objects have several of that name and none of them is Kubernetes' own.
        """
        kind = kind_named(text)
        # A PodGroup alone is whichever there is: a scheduler of its own may have some, too.
        if kind in self._places.by_kind or (kind.group and text != POD_GROUP.name):
            return kind
        found = [held for held, places in self._places.by_kind.items() if held.name == kind.name and places]
        if len(found) > 1:
            raise Refused("kind", f"{text} may be {' or '.join(sorted(map(str, found)))}; write which")
        return found[0] if found else kind

    def get(self, kind: Kind, namespace: str | None, name: str) -> Object:
        """Return the object of that name. Raises Refused."""
        found = self.find(kind, namespace, name)
        if not found:
            place = f" in namespace {namespace or 'default'}" if _lives_in_namespace(kind, namespace) else ""
            raise Refused("name", f"there is no {kind} {name}{place}")
        return found[-1]

    def node(self, name: str, field: str = "node") -> Object:
        """Return the node of that name, which `field` of the edit gives. Raises Refused."""
        found = self.find(NODE, None, name)
        if not found:
            raise Refused(field, f"there is no Node {name}")
        return found[0]

    def pods_with_uid(self, uid: str) -> list[Object]:
        return [self._objects[place] for place in self._places.pods_by_uid.get(uid, ())]

    def pods_on(self, node_name: str) -> list[Object]:
        """Return the pods on a node in name order."""
        pods = (self._objects[place] for place in self._places.on_node.get(node_name, ()))
        return sorted(pods, key=lambda pod: (namespace_of(pod), name_of(pod)))

    def pods_in(self, namespace: str) -> Iterator[Object]:
        """Yield the pods of a namespace."""
        return (self._objects[place] for place in self._places.pods_in.get(namespace, ()))

    def is_pod_name(self, namespace: str, name: str) -> bool:
        """Return whether a pod of a namespace has that name."""
        return name in self._places.pod_names.get(namespace, ())

    def taken_names(self, namespace: str) -> TakenNames:
        """Return the names that no new pod of a controller gets; the caller may take more for itself."""
        return TakenNames(namespace, lambda key: self.is_pod_name(*key) or self._leaving.had(key))

    def controlled(self, owner: Object) -> list[Object]:
        """Return what a workload controls directly: its pods, or the ReplicaSets or Jobs between."""
        found = self._with_controllers(namespace_of(owner), (uid_of(owner), name_of(owner)))
        return [document for document in found if controls(owner, document)]

    def _with_controllers(self, namespace: str, names: Iterable[str]) -> list[Object]:
        return [self._objects[place] for place in self._places.controlled(namespace, names)]

    def pods_of(self, workload: Object) -> list[Object]:
        """Return a workload's pods, also through a ReplicaSet or Job, even one that was not imported."""
        between = _BETWEEN.get(kind_of(workload))
        direct = self.controlled(workload)
        pods = [document for document in direct if kind_of(document) == POD]
        if between is None:
            return pods
        for controller in direct:
            if kind_of(controller) == between:
                pods += [document for document in self.controlled(controller) if kind_of(document) == POD]
        known = {id(pod) for pod in pods}
        namespace = namespace_of(workload)
        names = self._places.controllers(namespace, f"{name_of(workload)}-")
        return pods + [
            pod
            for pod in self._with_controllers(namespace, names)
            if kind_of(pod) == POD and id(pod) not in known and self._seems_made_by(workload, between, pod)
        ]

    def _seems_made_by(self, workload: Object, between: Kind, pod: Object) -> bool:
        reference = controller_of(pod)
        if reference is None or kind_of(reference) != between or not selects(workload, pod):
            return False
        prefix = f"{name_of(workload)}-"
        known = self.find(between, namespace_of(pod), str(reference.get("name")))
        return not known and str(reference.get("name")).startswith(prefix)

    def once(self, kinds: tuple[Kind, ...], make: Callable[[Iterable[Object]], Any]) -> Any:
        """Return what `make` makes of all objects of these kinds; made anew when one of them changes."""
        if make not in self._made:
            self._made[make] = kinds, make(chain.from_iterable(map(self.of_kind, kinds)))
        return self._made[make][1]

    def offered(self) -> OfferedResources:
        """Return the extended resources that the nodes offer."""
        if self._offered is None:
            self._offered = OfferedResources.of(chain(self.of_kind(NODE), self.of_kind(DEVICE_CLASS)))
        return self._offered

    # -- changing ------------------------------------------------------------------------------------

    def insert_new(self, document: Object) -> None:
        """Add an object. Raises Refused where its name is taken.

        One of a scheduler's own kinds is created now, whatever it says: sessions take the older first.
        Source: kubernetes v1.36 apiserver/pkg/registry/rest/meta.go FillObjectMetaSystemFields.
        """
        if self._places.by_identity.get(identity_of(document)):
            raise Refused("manifest.metadata.name", f"{full_name(document)} exists already")
        kind = kind_of(document)
        if kind in own_kinds():
            created = {"creationTimestamp": self._begins.after(self._now)}
            document = {**document, "metadata": {**document["metadata"], **created}}
        if kind == POD:
            self._insert(document)
        else:
            self._insert(with_phase(with_storage_defaults(document, self.of_kind(STORAGE_CLASS))))
        self.touched.note(document)
        self._inform_admission(document)

    def replace(self, old: Object, new: Object) -> None:
        """Put a changed copy in the place of an object."""
        place = self._place_of(old)
        self._note(place)
        self._objects[place] = new
        self._places.change(old, new, place)
        self.touched.note(old, new)
        self._inform_admission(new)

    def remove(self, document: Object) -> None:
        place = self._place_of(document)
        self._note(place)
        del self._objects[place]
        self._places.remove(document, place)
        if kind_of(document) == POD:
            self.admission.release(document)
        self.touched.note(document)
        self._inform_admission(document)

    def _inform_admission(self, document: Object) -> None:
        kind = kind_of(document)
        if kind in ADMISSION_KINDS:
            self.admission.learn(chain.from_iterable(map(self.of_kind, ADMISSION_KINDS)))
        elif kind == RESOURCE_QUOTA:
            self.admission.count_quotas(chain(self._objects.values(), self._leaving))
        for make in [make for make, (kinds, _) in self._made.items() if kind in kinds]:
            del self._made[make]
        if kind in (NODE, DEVICE_CLASS):
            self._offered = None

    def check_room(self, more_pods: int, field: str) -> None:
        """Refuse an edit that would make the cluster larger than the limits."""
        count = len(self._places.by_kind.get(POD, ())) + more_pods
        if count > self._limits.pods:
            raise Refused(field, f"{count:,} pods would be more than the limit of {self._limits.pods:,}")

    def check_nodes(self, more_nodes: int, field: str) -> None:
        count = len(self._places.by_kind.get(NODE, ())) + more_nodes
        if count > self._limits.nodes:
            raise Refused(field, f"{count:,} nodes would be more than the limit of {self._limits.nodes:,}")

    def set_status(self, place: int, status: Object, *, in_run: bool = False) -> None:
        """Give the object at a place another status; `in_run`: a run begins with the one that it has."""
        before = self._objects[place]
        self._at_first.setdefault(place, before)
        self._objects[place] = {**before, "status": status}
        if in_run:
            self.at_start[place] = before

    def _note(self, place: int) -> None:
        """Remember what is at a place, which is about to change."""
        present = self._objects.get(place)
        self._before.setdefault(place, present)
        self._at_first.setdefault(place, present)

    def _insert(self, document: Object) -> None:
        self._note(self._next)
        self._objects[self._next] = document
        self._places.add(document, self._next)
        self._next += 1

    def _place_of(self, document: Object) -> int:
        for place in self._places.by_identity.get(identity_of(document), ()):
            if self._objects[place] is document or uid_of(self._objects[place]) == uid_of(document) != "":
                return place
        raise KeyError(full_name(document))


def _lives_in_namespace(kind: Kind, namespace: str | None) -> bool:
    check = KIND_CHECKS.get(kind)
    return check.namespaced if check is not None else namespace is not None
