"""What the queue and the hints ask of a pod's object."""

from scheduler_core.objects.types import Pod
from scheduler_core.state.pods import PodInfo

_NO_ROW = -1


def namespace_of(pod: Pod) -> str:
    """Return the pod's namespace."""
    return pod.metadata.namespace or "default"


def key_of(pod: Pod) -> str:
    """Return `namespace/name`, as people name a pod."""
    return f"{namespace_of(pod)}/{pod.metadata.name}"


def uid_of(pod: Pod) -> str:
    """Return what identifies the pod, its key where it has no uid."""
    return pod.metadata.uid or key_of(pod)


def priority_of(pod: Pod) -> int:
    """Return the effective priority: an absent one is 0."""
    return pod.spec.priority or 0


def scheduler_of(pod: Pod) -> str:
    """Return the profile that the pod asks for."""
    return pod.spec.scheduler_name or "default-scheduler"


def nominated_node(pod: Pod) -> str:
    """Return the node that the pod's status nominates, empty for none."""
    return pod.status.nominated_node_name or ""


def is_assigned(pod: Pod) -> bool:
    """Return whether the pod has a node."""
    return bool(pod.spec.node_name)


def takes_room(pod: Pod) -> bool:
    """Return whether the pod counts somewhere: it has a node or is nominated to one."""
    return is_assigned(pod) or bool(nominated_node(pod))


def is_changed(old: Pod, new: Pod) -> bool:
    """Return whether anything but the status differs of what is read of a pod.

    Source: kubernetes v1.31 pkg/scheduler/internal/queue/scheduling_queue.go isPodUpdated.
    """
    claims_made = old.status.resource_claim_statuses != new.status.resource_claim_statuses
    return old.metadata != new.metadata or old.spec != new.spec or claims_made


def info_of(pod: Pod) -> PodInfo:
    """Return what a PreEnqueue plugin reads of a pod that stands in no table."""
    labels = pod.metadata.labels or {}
    return PodInfo(_NO_ROW, pod, uid_of(pod), namespace_of(pod), pod.metadata.name, labels, _NO_ROW)
