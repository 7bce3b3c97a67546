"""kube-scheduler 1.32, by what it does otherwise than 1.33.

Source: kubernetes v1.32 plugins/noderesources balanced_allocation.go PreScore; plugins/volumebinding
binder.go ErrReasonNodeConflict; pkg/features InPlacePodVerticalScaling, SchedulerPopFromBackoffQ;
backend/queue scheduling_queue.go isPodBackingoff; eventhandlers.go updatePodInSchedulingQueue,
deletePodFromSchedulingQueue.
"""

from dataclasses import replace

from scheduler_core.kube.dropped_fields import RESIZED_CONTAINERS
from scheduler_core.kube.framework_releases.v1_33 import V1_33, FitCuredByPreemption, HandlersWithoutDevices
from scheduler_core.kube.framework_releases.v1_35 import BalancedAllocation, InterPodAffinityOfAssignedPods
from scheduler_core.kube.plugins import node_ports
from scheduler_core.kube.plugins.node_ports import NodePorts
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.queueing.cluster_event import ATTACHMENT, CSI_NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import namespace_of
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.release import Difference
from scheduler_core.objects.host_ports import ports_of_containers
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.affinity_terms import terms_of
from scheduler_core.predicates.volumes.binder import NODE_CONFLICT


class BalancedAllocationOfAll(BalancedAllocation):
    """Scores pods that request nothing too."""

    def scores_requests(self, asked: list[int]) -> bool:
        return True


class VolumeBindingByConflict(VolumeBinding):
    """Words the affinity of volumes as a conflict."""

    reasons = dict(VolumeBinding.reasons) | {NODE_CONFLICT: "node(s) had volume node affinity conflict"}


class InterPodAffinityByKey(InterPodAffinityOfAssignedPods):
    """A node that changes is worth an attempt if it has a required term's key, whatever it had before."""

    def listens_to(self) -> list[Interest]:
        pods, nodes = super().listens_to()
        return [pods, nodes._replace(hint=_has_a_key)]


def _has_a_key(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    terms, labels = terms_of(pod, namespace_of(pod)), new.metadata.labels or {}
    return any(term.topology_key in labels for term in (*terms.required, *terms.required_anti))


class NodePortsOfContainers(NodePorts):
    """Listens to no ports of sidecars."""

    def listens_to(self) -> list[Interest]:
        return node_ports.interests_of(ports_of_containers)


class FitOfWholePods(FitCuredByPreemption):
    """Listens to no pods that ask for less."""

    def listens_to(self) -> list[Interest]:
        pods, *others = super().listens_to()
        return [pods._replace(event=ClusterEvent(POD, Action.DELETE)), *others]


class NodeVolumeLimitsOfAnyAttachment(NodeVolumeLimits):
    """Any attachment that goes may help; limits that rise move no pod."""

    def listens_to(self) -> list[Interest]:
        rising = ClusterEvent(CSI_NODE, Action.UPDATE)
        return [
            Interest(item.event) if item.event.resource == ATTACHMENT else item
            for item in super().listens_to()
            if item.event != rising
        ]


class HandlersWithoutNominations(HandlersWithoutDevices):
    """Makes nothing of nominations that end."""

    def lost_nomination(self, pod: Pod, now: int) -> Report:
        return Report()


V1_32 = V1_33.but(
    "1.32",
    registry=V1_33.registry.changed(
        BalancedAllocationOfAll,
        VolumeBindingByConflict,
        InterPodAffinityByKey,
        FitOfWholePods,
        NodePortsOfContainers,
        NodeVolumeLimitsOfAnyAttachment,
    ),
    handlers=HandlersWithoutNominations,
    accounting=replace(V1_33.accounting, host_ports=ports_of_containers),
    queueing=replace(V1_33.queueing, pops_early=False, ends_at_expiry=True),
    drops=(*V1_33.drops, RESIZED_CONTAINERS),
    differences=(
        Difference(
            "scores",
            BalancedAllocation.name,
            "Pods without requests are scored like any other.",
            "Pods without requests are not scored.",
        ),
        Difference(
            "filters",
            NodePorts.name,
            "Host ports of sidecars do not count.",
            "Host ports of sidecars count.",
        ),
        Difference(
            "messages",
            VolumeBinding.name,
            "The reason is: node(s) had volume node affinity conflict.",
            "The reason is: node(s) didn't match PersistentVolume's node affinity.",
        ),
        Difference(
            "queue",
            "",
            "A pod is tried no earlier than its back-off ends.",
            "A pod in back-off is tried when no other pod is to be tried.",
        ),
        Difference(
            "queue",
            "",
            "At the very second in which its back-off ends a pod is tried.",
            "A pod is tried after the second in which its back-off ends, unless nothing else is to be tried.",
        ),
        Difference(
            "queue",
            "",
            "Nominations that end are no news.",
            "Nominations that end are news like pods that go, for pods of at most the same priority.",
        ),
        Difference(
            "queue",
            InterPodAffinityOfAssignedPods.name,
            "Any change of a node that has the key of a required term moves the pod.",
            "A node moves the pod that enters a domain of the affinity, or leaves one of the anti-affinity.",
        ),
        Difference(
            "queue",
            NodeVolumeLimits.name,
            "Any volume attachment that goes moves a pod; a CSINode whose limit rises does not.",
            "Volume attachments of the pod's own drivers move it, and CSINodes whose limit rises.",
        ),
        Difference(
            "queue",
            FitOfWholePods.name,
            "Pods that ask for less move no pod.",
            "Pods that ask for less move pods that lack what they give back.",
        ),
        Difference(
            "pods",
            "",
            "A pod counts with the requests of its spec.",
            "A running pod counts with the greater of its spec and what its containers were given.",
        ),
    ),
)
