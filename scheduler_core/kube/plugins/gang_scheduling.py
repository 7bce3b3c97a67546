"""GangScheduling: a pod enters the queue once its pod group is there with as many pods as it needs.

What Permit asks is in `pod_groups/groups.py`.

Source: kubernetes v1.36 plugins/gangscheduling PreEnqueue.

Hints: plugins/gangscheduling isSchedulableAfterPodAdded, isSchedulableAfterPodGroupAdded.
"""

from __future__ import annotations

from collections.abc import Callable

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import Plugin
from scheduler_core.kube.queueing.cluster_event import POD, POD_GROUP, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.objects.pod_groups import PodGroup, group_named_by, key_of
from scheduler_core.objects.types import Pod
from scheduler_core.state.pods import PodInfo


class GangScheduling(Plugin):
    """PreEnqueue; `rejects` says what keeps a pod of a group out."""

    name = "GangScheduling"

    def __init__(self, rejects: Callable[[PodInfo], Status | None]) -> None:
        super().__init__()
        self._rejects = rejects

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def pre_enqueue(self, pod: PodInfo, claims: object = None) -> Status | None:
        """Return the rejection of a pod whose group isn't there, or is too small; None for any other."""
        return self._rejects(pod)


# -- queueing hints ------------------------------------------------------------------------------------


def _interests() -> list[Interest]:
    """Another member, and the group itself."""
    return [
        Interest(
            ClusterEvent(POD, Action.ADD),
            after_pod_added,
            yes="the pod is of the same pod group",
            no="the pod is of another pod group, or of none",
        ),
        Interest(
            ClusterEvent(POD_GROUP, Action.ADD),
            after_group_added,
            yes="the pod group is the pod's own",
            no="the pod group is another one",
        ),
    ]


def after_pod_added(pod: Pod, old: Pod | None, new: Pod, view: ClusterView) -> bool:
    """Return whether the pod that came is a member of the same group."""
    key = group_named_by(pod)
    return key is not None and key == group_named_by(new)


def after_group_added(pod: Pod, old: PodGroup | None, new: PodGroup, view: ClusterView) -> bool:
    """Return whether the group that came is the pod's own."""
    return group_named_by(pod) == key_of(new)
