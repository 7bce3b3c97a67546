"""Who an object is and whom it belongs to: names, uids, controllers, and what comes back when evicted.

In come objects as kubectl prints them, out go plain answers. Uids of objects that never saw an API server are
derived from their names, so that the same input always gives the same objects.
"""

import uuid
from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.kinds import DAEMON_SET, NODE, POD, STATEFUL_SET, Kind, kind_of

Object = dict[str, Any]

MIRROR_ANNOTATION = "kubernetes.io/config.mirror"
_UID_NAMESPACE = uuid.UUID("6a1f2f3e-0f58-5d0c-9a53-0d5b9f4c7a11")
_MAX_NAME_LENGTH = 253
ENDED_PHASES = ("Succeeded", "Failed")
"""Of pods that will never run again, and so take no room."""


def derived_uid(*parts: object) -> str:
    """Return a uid that depends on nothing but the parts."""
    return str(uuid.uuid5(_UID_NAMESPACE, "\n".join(str(part) for part in parts)))


def namespace_of(document: Object) -> str:
    """Return the object's namespace, `default` where none is given."""
    metadata = document.get("metadata")
    return (metadata.get("namespace") if metadata else None) or "default"


def name_of(document: Object) -> str:
    return str((document.get("metadata") or {}).get("name") or "")


def labels_of(document: Object) -> dict[str, str]:
    return (document.get("metadata") or {}).get("labels") or {}


def spec_of(document: Object) -> Object:
    return document.get("spec") or {}


def controller_of(document: Object) -> Object | None:
    """Return the owner reference that is marked as controller, or None."""
    for reference in (document.get("metadata") or {}).get("ownerReferences") or ():
        if reference.get("controller"):
            found: Object = reference
            return found
    return None


def has_ended(pod: Object) -> bool:
    """Tell whether a pod will never run again."""
    return (pod.get("status") or {}).get("phase") in ENDED_PHASES


def is_mirror(pod: Object) -> bool:
    """Tell whether a pod is the API server's picture of a static pod, which a kubelet keeps."""
    annotations = (pod.get("metadata") or {}).get("annotations") or {}
    reference = controller_of(pod)
    return MIRROR_ANNOTATION in annotations or (reference is not None and kind_of(reference) == NODE)


def is_daemon(pod: Object) -> bool:
    """Tell whether a pod belongs to a DaemonSet."""
    reference = controller_of(pod)
    return reference is not None and kind_of(reference) == DAEMON_SET


def comes_back(pod: Object) -> bool:
    """Tell whether an evicted pod comes back on the same node: mirror, static and DaemonSet pods do."""
    return is_mirror(pod) or is_daemon(pod)


def is_recreated(pod: Object) -> bool:
    """Tell whether something makes a copy of the pod when it is evicted. Bare pods are gone for good.

    A pod that was terminating before has its copy already, unless the copy must wait for its name.
    """
    if (pod.get("metadata") or {}).get("deletionTimestamp"):
        return keeps_name(pod)
    return controller_of(pod) is not None or is_mirror(pod)


def keeps_name(pod: Object) -> bool:
    """Tell whether the pod's copy has the same name, so that it is made only when the pod is gone."""
    controller = controller_of(pod)
    return is_mirror(pod) or (controller is not None and kind_of(controller) == STATEFUL_SET)


_NAMES_AN_OWNER = ("apiVersion", "kind", "name", "uid")


class Owners:
    """Finds the controllers of pods among the objects of a cluster."""

    def __init__(self, objects: Iterable[Object]) -> None:
        self._by_uid: dict[str, Object] = {}
        self._by_name: dict[tuple[Kind, str, str], Object] = {}
        self._topmost: dict[tuple[Any, ...], str] = {}
        """What was found: many pods have the same controller."""
        self._add(objects)

    def changed(self, gone: Iterable[Object], more: Iterable[Object]) -> "Owners":
        """Return what finds none of those that are gone and also those that are more.

        The latter take the places of those that have their names.
        """
        twin = Owners(())
        twin._by_uid, twin._by_name = self._by_uid.copy(), self._by_name.copy()
        for document in gone:
            twin._drop(document)
        twin._add(more)
        return twin

    def _drop(self, document: Object) -> None:
        """Forget an object, unless another one has its name by now."""
        uid, name = uid_of(document), name_in(document)
        if uid:
            self._by_uid.pop(uid, None)
        there = self._by_name.get(name)
        if there is not None and uid_of(there) == uid:
            del self._by_name[name]

    def _add(self, objects: Iterable[Object]) -> None:
        for document in objects:
            if kind_of(document) in (POD, NODE):
                continue
            uid = uid_of(document)
            if uid:
                self._by_uid[uid] = document
            self._by_name[name_in(document)] = document

    def workload(self, document: Object) -> str:
        """Return `Kind/namespace/name` of the topmost known controller of a pod, or the empty string."""
        reference = controller_of(document)
        if reference is None:
            return ""
        namespace = namespace_of(document)
        key = namespace, *map(reference.get, _NAMES_AN_OWNER)
        found = self._topmost.get(key)
        if found is None:
            is_node = kind_of(reference) == NODE
            found = self._topmost[key] = "" if is_node else self._workload(reference, namespace)
        return found

    def _workload(self, reference: Object, namespace: str) -> str:
        for _ in range(8):  # a chain has two or three links; a circle would have no end
            owner = self._find(reference, namespace)
            higher = controller_of(owner) if owner is not None else None
            if higher is None:
                break
            reference = higher
        return f"{kind_of(reference)}/{namespace}/{reference.get('name')}"

    def _find(self, reference: Object, namespace: str) -> Object | None:
        owner = self._by_uid.get(str(reference.get("uid")))
        if owner is None:
            identity = (kind_of(reference), namespace, str(reference.get("name")))
            owner = self._by_name.get(identity)
            # Another object of that name, which came after the pod's own controller, is not the owner.
            if owner is not None and reference.get("uid") and (owner.get("metadata") or {}).get("uid"):
                return None
        return owner


def uid_of(document: Object) -> str:
    """Return an object's uid, empty where it has none."""
    return str((document.get("metadata") or {}).get("uid") or "")


def name_in(document: Object) -> tuple[Kind, str, str]:
    """Return kind, namespace and name; the namespace also of kinds that have none."""
    return kind_of(document), namespace_of(document), name_of(document)


def owner_reference(owner: Object) -> Object:
    """Return the reference that marks `owner` as controller."""
    group = kind_of(owner).group
    return {
        "apiVersion": owner.get("apiVersion") or (f"{group}/v1" if group else "v1"),
        "kind": owner.get("kind"),
        "name": name_of(owner),
        "uid": (owner.get("metadata") or {}).get("uid") or _own_uid(owner),
        "controller": True,
        "blockOwnerDeletion": True,
    }


def with_identity(document: Object) -> Object:
    """Return the object with a namespace (where its kind has one) and a uid."""
    metadata = dict(document.get("metadata") or {})
    metadata["namespace"] = namespace_of(document)
    document = {**document, "metadata": metadata}
    if not metadata.get("uid"):
        metadata["uid"] = _own_uid(document)
    return document


def _own_uid(document: Object) -> str:
    return derived_uid(kind_of(document), namespace_of(document), name_of(document))


def with_suffix(name: str, suffix: str) -> str:
    """Return a name with a suffix, shortened so that it stays a legal name."""
    return name[: _MAX_NAME_LENGTH - len(suffix)] + suffix


def is_active(pod: Object) -> bool:
    """Tell whether a pod still counts for its controller."""
    return not has_ended(pod) and not (pod.get("metadata") or {}).get("deletionTimestamp")


def controls(owner: Object, document: Object) -> bool:
    """Tell whether a workload controls an object directly; by name where one of them tells no uid."""
    reference = controller_of(document)
    if reference is None or namespace_of(document) != namespace_of(owner):
        return False
    uid, own = reference.get("uid"), uid_of(owner)
    if uid and own:
        return bool(uid == own)
    return kind_of(reference) == kind_of(owner) and reference.get("name") == name_of(owner)
