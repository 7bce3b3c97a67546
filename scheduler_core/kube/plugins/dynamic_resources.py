"""DynamicResources for pods without claims: its score of 0 and its half of the FailedScheduling message.

Pods with resource claims, and extended resources that a DeviceClass stands behind, are not modelled: no
plugin ever sees them.

Source: kubernetes v1.36 plugins/dynamicresources.

Which claims a pod waits for is therefore not looked into either: any change of one counts for those that
have some.

Hints: plugins/dynamicresources EventsToRegister, isSchedulableAfter...
"""

from typing import Any

import numpy as np

from scheduler_core.kube.framework import (
    ERROR,
    SKIP,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    ScoreFault,
    ScorePlugin,
)
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer, PostFilterPlugin
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
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.objects.dynamic_resources import ResourceClaim
from scheduler_core.objects.types import Pod
from scheduler_core.state.nodes import IntArray


class DynamicResources(FilterPlugin, ScorePlugin, PostFilterPlugin):
    """PreFilter has nothing to say about a pod without claims, but must have run before PostFilter."""

    name = "DynamicResources"
    reads = Reads.NODE
    unprepared = "not found"

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        return SKIP

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        if self.name not in cycle.prepared:
            raise ScoreFault(self.unprepared)
        return None

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return np.zeros(len(nodes), dtype=np.int64)

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        if self.name not in failure.cycle.prepared:
            # Without its state it ends with an error, and PostFilter with it.
            return PostFilterAnswer(ERROR, self.unprepared)
        return PostFilterAnswer(UNSCHEDULABLE, "no new claims to deallocate")


# -- queueing hints ------------------------------------------------------------------------------------


_NODE_CHANGES = Action.ADD | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_ALLOCATABLE


def _interests() -> list[Interest]:
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
