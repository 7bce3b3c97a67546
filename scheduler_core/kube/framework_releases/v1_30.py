"""kube-scheduler 1.30, by what it does otherwise than 1.31.

Source: kubernetes v1.30 framework/runtime RunPreFilterPlugins; schedule_one.go findNodesThatFitPod,
evaluateNominatedNode; apis/config/v1 default_plugins.go;
pkg/features MatchLabelKeysInPodAffinity; internal/queue scheduling_queue.go AssignedPodUpdated,
getUnschedulablePodsWithMatchingAffinityTerm, activate; plugins' EventsToRegister.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from scheduler_core.events.decisions import Status
from scheduler_core.kube.dropped_fields import AFFINITY_LABEL_KEYS
from scheduler_core.kube.framework import UNRESOLVABLE
from scheduler_core.kube.framework_releases.v1_31 import (
    REGISTERED,
    V1_31,
    HandlersOfWantedPods,
    ProfileOfVisitedNodes,
)
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.non_csi_limits import AzureDiskLimits, EBSLimits, GCEPDLimits
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.profile import unsatisfied_together
from scheduler_core.kube.queueing.cluster_event import (
    ASSIGNED_POD,
    CLAIM,
    NODE,
    POD,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hintless_queue import QueueWithoutHints
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.registry import Registry, entry_of
from scheduler_core.kube.release import Difference
from scheduler_core.objects.types import Pod


class ProfileInPluginOrder(ProfileOfVisitedNodes):
    """Names plugins whose PreFilters leave no node together in their own order.

    They don't count as having rejected the pod, nor does whoever rejects the nominated node alone.
    """

    blames_pre_filters = False
    blames_search_apart = False

    def nodes_exclude_each_other(self, plugins: list[str]) -> Status:
        return Status("", UNRESOLVABLE, [unsatisfied_together(plugins)])


class QueueThatNominatesAgain(QueueWithoutHints):
    """Activated pods are nominated to the node of their status, whatever the queue knew."""

    def activate(self, pods: Iterable[Pod], now: int) -> Report:
        report = super().activate(pods, now)
        for move in report.moves:
            if move.target == "active":
                self.nominator.add(self.tables.pods[move.uid].pod)
        return report


class HandlersOfAffinity(HandlersOfWantedPods):
    """A pod on a node is news only for those whose affinity wants it, however it changed."""

    def assigned_updated(self, old: Pod, new: Pod, now: int) -> Report:
        event = ClusterEvent(ASSIGNED_POD, Action.UPDATE)
        return self.queue.move_all(event, old, new, now, chosen=self.whom_it_helps(new))

    def whom_it_helps(self, pod: Pod) -> Callable[[QueuedPod], bool]:
        return self.wanted_by(pod)


_CHANGES = Action.ADD | Action.UPDATE
_OF_IN_TREE_DISKS = {NODE: Action.ADD, POD: Action.DELETE, CLAIM: Action.ADD}
REGISTERED_UNTIL_1_30 = REGISTERED | {
    "InterPodAffinity": REGISTERED["InterPodAffinity"] | {POD: Action.ALL},
    "PodTopologySpread": REGISTERED["PodTopologySpread"] | {POD: Action.ALL},
    "VolumeRestrictions": REGISTERED["VolumeRestrictions"] | {CLAIM: _CHANGES},
    "VolumeZone": REGISTERED["VolumeZone"] | {CLAIM: Action.ADD},
    "EBSLimits": _OF_IN_TREE_DISKS,
    "GCEPDLimits": _OF_IN_TREE_DISKS,
    "AzureDiskLimits": _OF_IN_TREE_DISKS,
}


def _with_in_tree_limits(registry: Registry) -> Registry:
    """Return the plugins with those that count in-tree disks, around NodeVolumeLimits."""
    for plugin in (EBSLimits, GCEPDLimits):
        registry = registry.inserted(entry_of(plugin, "preFilter", "filter"), before=NodeVolumeLimits.name)
    return registry.inserted(entry_of(AzureDiskLimits, "preFilter", "filter"), before=VolumeBinding.name)


V1_30 = V1_31.but(
    "1.30",
    registry=_with_in_tree_limits(V1_31.registry),
    profile=ProfileInPluginOrder,
    queue=QueueThatNominatesAgain,
    handlers=HandlersOfAffinity,
    queueing=replace(V1_31.queueing, registered=REGISTERED_UNTIL_1_30),
    drops=(*V1_31.drops, AFFINITY_LABEL_KEYS),
    differences=(
        Difference(
            "queue",
            "",
            "Plugins that only leave nodes out before the filters are not asked whether news may help.",
            "Plugins that leave nodes out before the filters are asked whether news may help.",
        ),
        Difference(
            "queue",
            "",
            "A pod for which PreFilters leave no node is tried again after its back-off.",
            "A pod for which PreFilters leave no node waits for news.",
        ),
        Difference(
            "filters",
            "EBSLimits, GCEPDLimits, AzureDiskLimits",
            "In-tree disks count where the node's CSINode does not announce them as migrated.",
            "In-tree disks count as volumes of their CSI driver only.",
        ),
        Difference(
            "queue",
            "",
            "A pod on a node is news only for pods whose required affinity wants it, however it changed.",
            "A pod on a node is news for spread pods too; once there, by new labels or smaller requests.",
        ),
        Difference(
            "queue",
            "VolumeRestrictions, VolumeZone",
            "Changes of claims move pods that VolumeRestrictions rejected, and none of VolumeZone.",
            "Changes of claims move pods that VolumeZone rejected, and none of VolumeRestrictions.",
        ),
        Difference(
            "pods",
            "",
            "matchLabelKeys of pod affinity are dropped.",
            "matchLabelKeys of pod affinity count.",
        ),
    ),
)
