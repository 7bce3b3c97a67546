"""kube-scheduler 1.35, by what it does otherwise than 1.36.

Source: kubernetes v1.35 plugins/noderesources balanced_allocation.go balancedResourceScorer;
plugins/imagelocality sumImageScores; pkg/features NodeDeclaredFeatures, DRAExtendedResource;
plugins/interpodaffinity plugin.go isSchedulableAfterPodChange; plugins/podtopologyspread plugin.go
involvedInTopologySpreading; framework/events.go NodeSchedulingPropertiesChange;
dynamic-resource-allocation structured/internal/incubating GatherPools.
"""

from dataclasses import replace
from typing import Any

from scheduler_core.kube.dynamic_resources.claims_state import ClaimsOfPod
from scheduler_core.kube.dynamic_resources.newer_fields import newer_in_claim, newer_in_slices
from scheduler_core.kube.framework import Cycle, NotModelled, PreFilterAnswer, ScoreFault
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.plugins import inter_pod_affinity, pod_topology_spread
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.plugins.image_locality import ImageLocality, images_of_containers
from scheduler_core.kube.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.kube.plugins.node_declared_features import NodeDeclaredFeatures
from scheduler_core.kube.plugins.node_resources_balanced_allocation import (
    Balance,
    NodeResourcesBalancedAllocation,
)
from scheduler_core.kube.plugins.node_resources_fit import (
    NodeResourcesFit,
    interests_of_room,
    would_fit,
)
from scheduler_core.kube.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.kube.queueing.cluster_event import Action
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import is_assigned, namespace_of, uid_of
from scheduler_core.kube.release import Difference
from scheduler_core.objects.dynamic_resources import ResourceSlice
from scheduler_core.objects.types import Node, Pod
from scheduler_core.state.nodes import IntArray


class BalancedAllocation(NodeResourcesBalancedAllocation):
    """Scores how balanced a node is with the pod, whatever it was without."""

    def compared(self, before: Balance, after: Balance) -> Balance:
        return after


class ImageLocalityOfContainers(ImageLocality):
    """Adds up the images of containers alone."""

    def references(self, pod: Pod) -> list[str]:
        return images_of_containers(pod)


class DynamicResourcesOfFirstFields(DynamicResources):
    """Looks for whole devices, by admin access and alternatives too; what came later is not played."""

    word = "pod"

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        super().__init__(args, gates)
        self._newer: tuple[list[ResourceSlice], str] | None = None

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        found = super().pre_filter(cycle)
        claims = cycle.state.device_claims
        if claims is not None and isinstance(found, ClaimsOfPod) and found.to_allocate:
            newer = self._newer_in(claims.slices) or next(filter(None, map(newer_in_claim, found.claims)), "")
            if newer:
                raise NotModelled(f"{newer}, which API servers of this release do not keep")
        return found

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        if self.name not in cycle.prepared:
            raise ScoreFault(self.unprepared)
        return None

    def _newer_in(self, slices: list[ResourceSlice]) -> str:
        if self._newer is None or self._newer[0] is not slices:
            self._newer = slices, newer_in_slices(slices)
        return self._newer[1]


class FitWithoutDevices(NodeResourcesFit):
    """Listens to no device classes: no devices stand for what a node lacks."""

    def listens_to(self) -> list[Interest]:
        return interests_of_room(_after_node_change)


class InterPodAffinityOfAssignedPods(InterPodAffinity):
    """Listens to pods with a node alone, and only for the waiting pod's own terms."""

    def listens_to(self) -> list[Interest]:
        return inter_pod_affinity.interests_of(_after_assigned_pod_change)


class HintsOfAssignedPods(pod_topology_spread.Hints):
    """Counts pods with a node alone, and not those that are nominated to one."""

    def is_involved(self, other: Pod, pod: Pod) -> bool:
        if uid_of(other) == uid_of(pod):
            return True
        return is_assigned(other) and namespace_of(other) == namespace_of(pod)


class SpreadOfAssignedPods(PodTopologySpread):
    """Listens to no changes of nominations."""

    def listens_to(self) -> list[Interest]:
        return pod_topology_spread.interests_of(self.hints(HintsOfAssignedPods))


def _after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    return would_fit(pod, old, new, lambda name: False)


def _after_assigned_pod_change(pod: Pod, old: Pod | None, new: Pod | None, view: ClusterView) -> bool:
    if any(other is not None and not is_assigned(other) for other in (old, new)):
        return False
    return inter_pod_affinity.suits_own_terms(pod, old, new)


V1_35 = V1_36.but(
    "1.35",
    registry=V1_36.registry.changed(
        BalancedAllocation,
        ImageLocalityOfContainers,
        DynamicResourcesOfFirstFields,
        FitWithoutDevices,
        InterPodAffinityOfAssignedPods,
        SpreadOfAssignedPods,
    ).without(NodeDeclaredFeatures.name),
    queueing=replace(V1_36.queueing, unheard=V1_36.queueing.unheard | Action.UPDATE_NODE_DECLARED_FEATURE),
    differences=(
        Difference(
            "scores",
            BalancedAllocation.name,
            "The score is how balanced a node's resources are with the pod.",
            "The score compares how balanced a node's resources are with the pod and without.",
        ),
        Difference(
            "scores",
            ImageLocality.name,
            "Images of image volumes do not count.",
            "Images of image volumes count like those of containers.",
        ),
        Difference(
            "filters",
            DynamicResources.name,
            "Devices have no taints, partitions, shares or binding conditions, and no extended resources.",
            "Devices may be tainted, cut, shared, made ready first, or stand behind an extended resource.",
        ),
        Difference(
            "filters",
            DynamicResources.name,
            "A node's pools are searched in a random order.",
            "A node's pools are searched by driver and name, and each by the names of its slices.",
        ),
        Difference(
            "scores",
            DynamicResources.name,
            "A claim that has its devices already counts by its alternative, too.",
            "A pod of which some claims have their devices and others none ends with an error.",
        ),
        Difference(
            "filters",
            NodeDeclaredFeatures.name,
            "Features that nodes declare are not looked at.",
            "A pod that needs a feature of the kubelet goes where the node declares it.",
        ),
        Difference(
            "queue",
            InterPodAffinity.name,
            "Nominations, the pod's own labels and the terms of pods that go move no pod.",
            "A pod is moved by nominations, by its own labels, and by pods that go which kept it away.",
        ),
        Difference(
            "queue",
            PodTopologySpread.name,
            "Nominations that come and go move no pod.",
            "A nomination that comes or goes moves pods like a pod on the node.",
        ),
        Difference(
            "queue",
            NodeResourcesFit.name,
            "Device classes move no pod that lacks an extended resource.",
            "A device class that stands for an extended resource moves the pods that lack it.",
        ),
    ),
)
