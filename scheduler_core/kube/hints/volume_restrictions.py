"""When a pod that VolumeRestrictions rejected may fit.

Source: kubernetes v1.36 plugins/volumerestrictions isSchedulableAfter...
"""

from scheduler_core.kube.queueing.cluster_event import CLAIM, NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import namespace_of
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.predicates.volumes.disks import same_disk


def listens_to() -> list[Interest]:
    """Pods that go; any new node; new claims."""
    return [
        Interest(
            ClusterEvent(POD, Action.DELETE),
            after_pod_deleted,
            yes="the pod that went had one of the pod's disks or claims",
            no="the pod that went had none of the pod's disks or claims",
        ),
        Interest(ClusterEvent(NODE, Action.ADD)),
        Interest(
            ClusterEvent(CLAIM, Action.ADD),
            after_claim_added,
            yes="the claim is one of the pod's own",
            no="the claim is none of the pod's own",
        ),
    ]


def after_claim_added(pod: Pod, old: None, new: PersistentVolumeClaim, view: ClusterView) -> bool:
    """Return whether the pod names the claim."""
    same_namespace = (new.metadata.namespace or "default") == namespace_of(pod)
    return same_namespace and new.metadata.name in named_claims(pod)


def after_pod_deleted(pod: Pod, old: Pod, new: None, view: ClusterView) -> bool:
    """Return whether a pod of the namespace went that had one of the disks or claims, even if nowhere."""
    if namespace_of(old) != namespace_of(pod):
        return False
    if set(named_claims(old)) & set(named_claims(pod)):
        return True
    return any(
        same_disk(mine, theirs) for mine in pod.spec.volumes or () for theirs in old.spec.volumes or ()
    )
