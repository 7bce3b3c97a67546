"""What kind an object is: an API group and a name in it.

Other projects have a Node (Longhorn), a Service (Knative) or a Job (Volcano) of their own, and several have a
PodGroup or a Queue. A name alone says nothing, so whoever holds objects or looks for one asks by `Kind`.

Source: the groups in k8s.io/api v0.36; extensions and the beta versions are those of old dumps.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

Object = dict[str, Any]


class Kind(NamedTuple):
    """An API group (empty for the core's) and a name in it; as text what `kubectl get` takes."""

    group: str
    name: str

    def __str__(self) -> str:
        """Return `Job` for a kind that the engine reads or one of the core, else with its group behind."""
        return f"{self.name}.{self.group}" if self.group and self not in READ_KINDS else self.name


POD = Kind("", "Pod")
NODE = Kind("", "Node")
NAMESPACE = Kind("", "Namespace")
SERVICE = Kind("", "Service")
REPLICATION_CONTROLLER = Kind("", "ReplicationController")
LIMIT_RANGE = Kind("", "LimitRange")
RESOURCE_QUOTA = Kind("", "ResourceQuota")
PERSISTENT_VOLUME = Kind("", "PersistentVolume")
PERSISTENT_VOLUME_CLAIM = Kind("", "PersistentVolumeClaim")
DEPLOYMENT = Kind("apps", "Deployment")
REPLICA_SET = Kind("apps", "ReplicaSet")
STATEFUL_SET = Kind("apps", "StatefulSet")
DAEMON_SET = Kind("apps", "DaemonSet")
JOB = Kind("batch", "Job")
CRON_JOB = Kind("batch", "CronJob")
POD_DISRUPTION_BUDGET = Kind("policy", "PodDisruptionBudget")
PRIORITY_CLASS = Kind("scheduling.k8s.io", "PriorityClass")
POD_GROUP = Kind("scheduling.k8s.io", "PodGroup")
"""Of kube-scheduler's own; Volcano has another of this name."""
RUNTIME_CLASS = Kind("node.k8s.io", "RuntimeClass")
DEVICE_CLASS = Kind("resource.k8s.io", "DeviceClass")
RESOURCE_CLAIM = Kind("resource.k8s.io", "ResourceClaim")
RESOURCE_CLAIM_TEMPLATE = Kind("resource.k8s.io", "ResourceClaimTemplate")
RESOURCE_SLICE = Kind("resource.k8s.io", "ResourceSlice")
STORAGE_CLASS = Kind("storage.k8s.io", "StorageClass")
CSI_NODE = Kind("storage.k8s.io", "CSINode")
CSI_DRIVER = Kind("storage.k8s.io", "CSIDriver")
CSI_STORAGE_CAPACITY = Kind("storage.k8s.io", "CSIStorageCapacity")
VOLUME_ATTACHMENT = Kind("storage.k8s.io", "VolumeAttachment")
SCHEDULER_CONFIGURATION = Kind("kubescheduler.config.k8s.io", "KubeSchedulerConfiguration")

WORKLOAD_KINDS = (
    DEPLOYMENT,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    DAEMON_SET,
    JOB,
    CRON_JOB,
)
READ_KINDS = frozenset(value for value in globals().values() if isinstance(value, Kind))
"""Every kind above: what the engine reads."""

_BY_NAME = {kind.name: kind for kind in READ_KINDS}
_READ: dict[tuple[str, str], Kind] = {
    **{("", name): kind for name, kind in _BY_NAME.items()},
    **{("extensions", kind.name): kind for kind in (DEPLOYMENT, REPLICA_SET, DAEMON_SET, JOB)},
    **{(kind.group, kind.name): kind for kind in READ_KINDS},
}


def read_names_in(group: str) -> frozenset[str]:
    """Return the names of Kubernetes' kinds of a group that are read, and of Secrets, which must not be."""
    read = {name for known, name in _READ if known == group}
    return frozenset(read | (set() if group else {"Secret", "ConfigMap"}))


def kind_of(document: Mapping[str, Any]) -> Kind:
    """Return the kind of an object or of what an owner reference names; where it says none, both are empty.

    An apiVersion without a group is never another project's: nobody else can have kinds there. So it may be
    left out for a kind that the engine reads.
    """
    name, version = document.get("kind"), document.get("apiVersion")
    if version.__class__ is str and name.__class__ is str:
        return _kind_in(version, name)
    return _kind(version.rpartition("/")[0] if isinstance(version, str) else "", name)


def kind_named(text: str) -> Kind:
    """Return the kind that a text means: `Job` is the batch one, `Job.batch.volcano.sh` says its group."""
    name, _, group = text.partition(".")
    return _kind(group, name)


def kind_of_view(view: type) -> Kind:
    """Return which kind of those that are read a typed view shows; it has the kind's name."""
    return _BY_NAME[view.__name__]


@lru_cache(maxsize=1024)
def _kind_in(version: str, name: str) -> Kind:
    return _kind(version.rpartition("/")[0], name)


def _kind(group: str, name: Any) -> Kind:
    if not isinstance(name, str):
        return Kind("", "")
    return _READ.get((group, name)) or Kind(group, name)
