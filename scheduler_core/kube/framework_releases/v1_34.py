"""kube-scheduler 1.34, by what it does otherwise than 1.35.

Source: kubernetes v1.34 apis/config/v1 default_plugins.go applyDynamicResources; eventhandlers.go
addAllEventHandlers, updatePodInSchedulingQueue, deletePodFromSchedulingQueue; schedule_one.go
handleBindingCycleError, schedulingCycle.
"""

from scheduler_core.kube.framework_releases.v1_35 import V1_35
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.cluster_event import ASSIGNED_POD_ADD
from scheduler_core.kube.queueing.event_handlers import EventHandlers
from scheduler_core.kube.queueing.pod_facts import nominated_node
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.release import Difference
from scheduler_core.objects.types import Pod


class ProfileThatKeepsNominations(Profile):
    """Leaves the nomination of a pod where no plugin runs PostFilter."""

    nominates_without_post_filters = None


class HandlersOfTwoQueues(EventHandlers):
    """Pods with a node and pods without one have handlers of their own.

    A binding is for the latter a pod that went. The two run side by side; here those of pods with a node come
    first, as they were registered. A pod that goes while its binding is under way gives its room back when
    the binding has failed.
    """

    def bound(self, old: Pod, new: Pod, now: int) -> Report:
        report = self.queue.move_all(ASSIGNED_POD_ADD, None, new, now)
        if self.is_ours(old):
            report.extend(self.unqueued(old, now))
        return report

    def unqueued(self, pod: Pod, now: int) -> Report:
        report = self.queue.delete(pod)
        if nominated_node(pod):
            report.extend(self.lost_nomination(pod, now))
        return report

    def assumed_begins_to_go(self, assumed: Pod, now: int) -> Report:
        return Report()

    def bound_too_late(self, assumed: Pod, now: int) -> Report:
        return self.freed(assumed, now)


V1_34 = V1_35.but(
    "1.34",
    registry=V1_35.registry.implementing(
        DynamicResources.name, "preFilter", "filter", "postFilter", "reserve"
    ),
    profile=ProfileThatKeepsNominations,
    handlers=HandlersOfTwoQueues,
    differences=(
        Difference(
            "preemption",
            "",
            "A pod that fits nowhere keeps its nomination where no plugin runs PostFilter.",
            "A pod that fits nowhere loses its nomination where no plugin runs PostFilter.",
        ),
        Difference(
            "queue",
            "",
            "The binding of a nominated pod is news like the end of its nomination.",
            "The binding of a nominated pod is no news but of a pod on the node.",
        ),
        Difference(
            "queue",
            "",
            "A pod that goes while it is bound gives its room back when the binding has failed.",
            "A pod that goes while it is bound gives its room back at once.",
        ),
        Difference(
            "scores",
            DynamicResources.name,
            "Devices are not scored.",
            "Nodes are scored by their devices, with a weight of 2.",
        ),
    ),
)
