"""The kinds of objects that Volcano's controllers read and write, and how objects are named.

Kinds of the same name live in several groups (`Job`), so that a kind is its group and its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Object = dict[str, Any]
"""An object as the API server has it. What has been stored is never changed in place."""


class Kind(NamedTuple):
    """A kind of object, by API group and name."""

    group: str
    name: str


JOB = Kind("batch.volcano.sh", "Job")
CRON_JOB = Kind("batch.volcano.sh", "CronJob")
JOB_FLOW = Kind("flow.volcano.sh", "JobFlow")
JOB_TEMPLATE = Kind("flow.volcano.sh", "JobTemplate")
COMMAND = Kind("bus.volcano.sh", "Command")
POD_GROUP = Kind("scheduling.volcano.sh", "PodGroup")
QUEUE = Kind("scheduling.volcano.sh", "Queue")
POD = Kind("", "Pod")
CLAIM = Kind("", "PersistentVolumeClaim")
CONFIG_MAP = Kind("", "ConfigMap")
SECRET = Kind("", "Secret")
SERVICE = Kind("", "Service")
NETWORK_POLICY = Kind("networking.k8s.io", "NetworkPolicy")
PRIORITY_CLASS = Kind("scheduling.k8s.io", "PriorityClass")
REPLICA_SET = Kind("apps", "ReplicaSet")
DAEMON_SET = Kind("apps", "DaemonSet")
STATEFUL_SET = Kind("apps", "StatefulSet")
BATCH_JOB = Kind("batch", "Job")

_VERSIONS = {
    JOB.group: "v1alpha1",
    JOB_FLOW.group: "v1alpha1",
    COMMAND.group: "v1alpha1",
    POD_GROUP.group: "v1beta1",
}
_CLUSTER_WIDE = frozenset({QUEUE, PRIORITY_CLASS})


def api_version(kind: Kind) -> str:
    """Return the apiVersion of a kind: `batch.volcano.sh/v1alpha1`, `v1`."""
    version = _VERSIONS.get(kind.group, "v1")
    return f"{kind.group}/{version}" if kind.group else version


def resource_name(kind: Kind, *, plural: bool) -> str:
    """Return how messages call a kind: `queue.scheduling.volcano.sh`, `pods`."""
    name = kind.name.lower()
    if plural:
        name = f"{name[:-1]}ies" if name.endswith("y") else f"{name}es" if name.endswith("s") else f"{name}s"
    return f"{name}.{kind.group}" if kind.group else name


def kind_of(item: Mapping[str, Any]) -> Kind:
    """Return an object's kind."""
    group, slash, _ = str(item.get("apiVersion", "")).partition("/")
    return Kind(group if slash else "", str(item["kind"]))


def key_of(item: Mapping[str, Any]) -> str:
    """Return `namespace/name`, or the name alone of what has no namespace."""
    metadata = item["metadata"]
    if kind_of(item) in _CLUSTER_WIDE:
        return str(metadata["name"])
    return join(metadata.get("namespace") or "default", metadata["name"])


def join(namespace: str, name: str) -> str:
    """Return the key of an object in a namespace."""
    return f"{namespace}/{name}"


def split(key: str) -> tuple[str, str]:
    """Return namespace and name of a key; the namespace of what has none is empty."""
    namespace, _, name = key.rpartition("/")
    return namespace, name


def annotations_of(item: Mapping[str, Any]) -> dict[str, str]:
    """Return an object's annotations, to be read only."""
    return item["metadata"].get("annotations") or {}


def labels_of(item: Mapping[str, Any]) -> dict[str, str]:
    """Return an object's labels, to be read only."""
    return item["metadata"].get("labels") or {}


def phase_of(item: Mapping[str, Any]) -> str:
    """Return the phase in an object's status, empty where there is none."""
    return (item.get("status") or {}).get("phase") or ""


def phase_of_state(item: Mapping[str, Any]) -> str:
    """Return the phase in the state of an object's status, as Jobs and job flows have it; empty for none."""
    return ((item.get("status") or {}).get("state") or {}).get("phase") or ""


def is_leaving(item: Mapping[str, Any]) -> bool:
    """Return whether the object has been asked to go."""
    return bool(item["metadata"].get("deletionTimestamp"))


def controller_reference(kind: Kind, name: str, uid: str) -> Object:
    """Return the owner reference of what an object controls."""
    return {
        "apiVersion": api_version(kind),
        "kind": kind.name,
        "name": name,
        "uid": uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def controller_of(item: Mapping[str, Any], kind: Kind) -> Object | None:
    """Return the owner reference of what controls an object, None where nothing of this kind does."""
    for reference in item["metadata"].get("ownerReferences") or ():
        if reference.get("controller"):
            is_meant = reference.get("apiVersion") == api_version(kind) and reference.get("kind") == kind.name
            return dict(reference) if is_meant else None
    return None


def new_object(kind: Kind, namespace: str, name: str, owner: Object | None = None) -> Object:
    """Return a new object that has nothing but its names and, where given, who controls it."""
    metadata: Object = {"namespace": namespace, "name": name}
    if owner is not None:
        metadata["ownerReferences"] = [owner]
    return {"apiVersion": api_version(kind), "kind": kind.name, "metadata": metadata}
