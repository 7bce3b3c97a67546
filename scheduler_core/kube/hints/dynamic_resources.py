"""When a pod that DynamicResources rejected may fit.

Pods with resource claims are not modelled; which claims a pod waits for is therefore not looked into, and
any change of one counts for those that have some.

Source: kubernetes v1.36 plugins/dynamicresources EventsToRegister, isSchedulableAfter...
"""

from scheduler_core.kube.queueing.cluster_event import (
    DEVICE_CLASS,
    NODE,
    POD,
    RESOURCE_CLAIM,
    RESOURCE_SLICE,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.dynamic_resources import ResourceClaim
from scheduler_core.objects.types import Pod

_NODE_CHANGES = Action.ADD | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_ALLOCATABLE


def listens_to() -> list[Interest]:
    """Nodes, claims, device classes and slices; the claims that are made for the pod."""
    return [
        Interest(ClusterEvent(NODE, _NODE_CHANGES)),
        Interest(
            ClusterEvent(RESOURCE_CLAIM, Action.ADD | Action.UPDATE),
            after_claim_change,
            yes="devices were given back, or the claim may be the pod's own",
            no="no devices were given back, and the pod has no claims",
        ),
        Interest(
            ClusterEvent(POD, Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM),
            after_pod_change,
            yes="the claims are the pod's own",
            no="the claims are another pod's",
        ),
        Interest(ClusterEvent(DEVICE_CLASS, Action.ADD | Action.UPDATE)),
        Interest(ClusterEvent(RESOURCE_SLICE, Action.ADD | Action.UPDATE)),
    ]


def after_claim_change(pod: Pod, old: ResourceClaim | None, new: ResourceClaim, view: ClusterView) -> bool:
    """Return whether devices were given back, or the claim may be the pod's own."""
    given_back = old is not None and old.status.allocation is not None and new.status.allocation is None
    return given_back or bool(pod.spec.resource_claims)


def after_pod_change(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
    """Return whether the claims are the pod's own."""
    return uid_of(new) == uid_of(pod)
