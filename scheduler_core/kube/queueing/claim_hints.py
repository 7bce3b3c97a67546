"""Events of claims that several plugins of volumes listen to: a claim may help the pods that have it.

Source: kubernetes v1.36 plugins/volumebinding, volumezone, volumerestrictions, nodevolumelimits:
isSchedulableAfterPersistentVolumeClaim....
"""

from scheduler_core.kube.queueing.cluster_event import CLAIM, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import namespace_of
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.volumes.claims import claims_of, named_claims

Claim = PersistentVolumeClaim


def own_claims(action: Action) -> Interest:
    """Return the interest in the pod's claims, those of its ephemeral volumes included."""
    return _interest(action, _has)


def claims_by_name(action: Action) -> Interest:
    """Return the interest in the claims that the pod names."""
    return _interest(action, _names)


def _interest(action: Action, hint: Hint) -> Interest:
    return Interest(
        ClusterEvent(CLAIM, action),
        hint,
        yes="the claim is one of the pod's own",
        no="the claim is none of the pod's own",
    )


def _has(pod: Pod, old: Claim | None, new: Claim, view: ClusterView) -> bool:
    return _is_in_namespace(new, pod) and any(use.claim == new.metadata.name for use in claims_of(pod))


def _names(pod: Pod, old: Claim | None, new: Claim, view: ClusterView) -> bool:
    return _is_in_namespace(new, pod) and new.metadata.name in named_claims(pod)


def _is_in_namespace(claim: Claim, pod: Pod) -> bool:
    return (claim.metadata.namespace or "default") == namespace_of(pod)
