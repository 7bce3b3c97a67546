"""kube-scheduler 1.29, by what it does otherwise than 1.30.

Source: kubernetes v1.29 plugins/nodeaffinity PreScore; plugins/volumebinding Score; plugins/imagelocality
sumImageScores; plugins/nodevolumelimits csi.go; framework/runtime RunPreFilterPlugins; internal/queue
scheduling_queue.go; eventhandlers.go nodeSchedulingPropertiesChange; scheduler.go buildQueueingHintMap;
schedule_one.go extendersBinding.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from scheduler_core.events.decisions import Status
from scheduler_core.kube import wording
from scheduler_core.kube.framework import UNSCHEDULABLE, Cycle, PreFiltered
from scheduler_core.kube.framework_releases.v1_30 import (
    REGISTERED_UNTIL_1_30,
    V1_30,
    HandlersOfAffinity,
    ProfileInPluginOrder,
    QueueThatNominatesAgain,
)
from scheduler_core.kube.framework_releases.v1_31 import NodeVolumeLimitsOfPods
from scheduler_core.kube.framework_releases.v1_32 import VolumeBindingByConflict
from scheduler_core.kube.framework_releases.v1_35 import ImageLocalityOfContainers
from scheduler_core.kube.plugins.image_locality import ImageLocality
from scheduler_core.kube.plugins.node_affinity import NodeAffinity
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.non_csi_limits import AzureDiskLimits, EBSLimits, GCEPDLimits
from scheduler_core.kube.profile import unsatisfied_together
from scheduler_core.kube.queueing.cluster_event import CSI_NODE, NODE, POD, Action, ClusterEvent
from scheduler_core.kube.release import Difference
from scheduler_core.objects.types import Node, Pod
from scheduler_core.state.nodes import IntArray


class NodeAffinityOfAll(NodeAffinity):
    """Scores pods that prefer nothing too: 0 on each node."""

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return self.pre_score_late(cycle, nodes)


class VolumeBindingOfAll(VolumeBindingByConflict):
    """Scores every pod: 0 on each node."""

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return self.pre_score_late(cycle, nodes)


class ImageLocalityOfRunningContainers(ImageLocalityOfContainers):
    """Leaves init containers out."""

    def references(self, pod: Pod) -> list[str]:
        return [container.image or "" for container in pod.spec.containers or ()]

    def image_count(self, pod: Pod) -> int:
        return len(pod.spec.containers or ())


class _MissingClaimIsAnError:
    name: ClassVar[str]

    def missing_claim(self, text: str) -> Status:
        return wording.filter_error(self.name, text)


class NodeVolumeLimitsByError(_MissingClaimIsAnError, NodeVolumeLimitsOfPods):
    """Ends with an error where a claim does not exist."""


class EBSLimitsByError(_MissingClaimIsAnError, EBSLimits):
    """Ends with an error where a claim does not exist."""


class GCEPDLimitsByError(_MissingClaimIsAnError, GCEPDLimits):
    """Ends with an error where a claim does not exist."""


class AzureDiskLimitsByError(_MissingClaimIsAnError, AzureDiskLimits):
    """Ends with an error where a claim does not exist."""


class ProfileOfFirstRejection(ProfileInPluginOrder):
    """Ends PreFilter with the first rejection of whatever kind; heeds every extender that can't bind."""

    skips_binders = False

    def run_pre_filter(self, cycle: Cycle) -> PreFiltered:
        result = super().run_pre_filter(cycle)
        if result.rejected is not None:
            result.names = None
        return result

    def ends_pre_filter(self, rejected: Status) -> bool:
        return True

    def nodes_exclude_each_other(self, plugins: list[str]) -> Status:
        return Status("", UNSCHEDULABLE, [unsatisfied_together(plugins)])


class QueueThatHeedsAll(QueueThatNominatesAgain):
    """Tries pods in flight again after any event; plugins hear of taints only where they ask for them."""

    heeds_all_events = True
    adds_taints = False


class HandlersOfOneChange(HandlersOfAffinity):
    """The change of a node is one event: the first of what changed."""

    def node_changes(self, old: Node, new: Node) -> list[ClusterEvent]:
        return super().node_changes(old, new)[:1]


def _without_taints(events: Mapping[str, Action]) -> dict[str, Action]:
    """Return what a plugin listens to, without the taints of nodes where it asks for no change whatever."""
    on_nodes = events.get(NODE, Action(0))
    if Action.UPDATE in on_nodes or not on_nodes:
        return dict(events)
    return dict(events) | {NODE: on_nodes & ~Action.UPDATE_NODE_TAINT}


_OF_IN_TREE_DISKS = {NODE: Action.ADD, POD: Action.DELETE}
_REGISTERED = {name: _without_taints(events) for name, events in REGISTERED_UNTIL_1_30.items()} | {
    "NodeUnschedulable": {NODE: Action.ADD | Action.UPDATE_NODE_TAINT},
    "NodeVolumeLimits": {CSI_NODE: Action.ADD, POD: Action.DELETE},
    "EBSLimits": _OF_IN_TREE_DISKS,
    "GCEPDLimits": _OF_IN_TREE_DISKS,
    "AzureDiskLimits": _OF_IN_TREE_DISKS,
}

V1_29 = V1_30.but(
    "1.29",
    registry=V1_30.registry.changed(
        NodeAffinityOfAll,
        VolumeBindingOfAll,
        ImageLocalityOfRunningContainers,
        NodeVolumeLimitsByError,
        EBSLimitsByError,
        GCEPDLimitsByError,
        AzureDiskLimitsByError,
    ),
    profile=ProfileOfFirstRejection,
    queue=QueueThatHeedsAll,
    handlers=HandlersOfOneChange,
    queueing=replace(
        V1_30.queueing,
        registered=_REGISTERED,
        unheard=V1_30.queueing.unheard | Action.UPDATE_NODE_ANNOTATION,
    ),
    differences=(
        Difference(
            "scores",
            ImageLocality.name,
            "Images of init containers do not count.",
            "Images of init containers count.",
        ),
        Difference(
            "filters",
            NodeVolumeLimits.name,
            "A claim that does not exist ends the attempt with an error.",
            "A claim that does not exist makes the pod unschedulable.",
        ),
        Difference(
            "configuration",
            "",
            "An attempt fails where an extender can't bind, also where it may be ignored.",
            "An extender that may be ignored and can't bind is passed over.",
        ),
        Difference(
            "queue",
            "",
            "Any news has pods in flight tried again after their back-off.",
            "Only news that some plugin listens to has pods in flight tried again.",
        ),
        Difference(
            "queue",
            "",
            "The change of a node is one event, the first of what changed.",
            "The change of a node is an event for each thing that changed, its annotations too.",
        ),
        Difference(
            "queue",
            "",
            "Taints of nodes move only pods that NodeUnschedulable or a plugin of all changes rejected.",
            "Taints of nodes move pods whatever plugin of nodes rejected them.",
        ),
        Difference(
            "queue",
            "EBSLimits, GCEPDLimits, AzureDiskLimits, NodeVolumeLimits",
            "New claims move no pod.",
            "New claims move pods that were rejected for their volumes' number.",
        ),
        Difference(
            "preemption",
            "",
            "Where PreFilters leave no node together, a preemption is tried.",
            "Where PreFilters leave no node together, no preemption is tried.",
        ),
    ),
)
