"""What releases without queueing hints make of the cluster's news.

Source: kubernetes v1.31 pkg/scheduler/eventhandlers.go, with the gate SchedulerQueueingHints off;
pkg/scheduler/internal/queue/scheduling_queue.go AssignedPodAdded, AssignedPodUpdated,
getUnschedulablePodsWithCrossTopologyTerm; framework/events.go.
"""

from collections.abc import Callable

from scheduler_core.kube.queueing.admission_check import could_take
from scheduler_core.kube.queueing.cluster_event import (
    ASSIGNED_POD,
    ASSIGNED_POD_ADD,
    NODE,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.event_handlers import EventHandlers
from scheduler_core.kube.queueing.hintless_queue import QueueWithoutHints
from scheduler_core.kube.queueing.pod_facts import is_assigned, namespace_of
from scheduler_core.kube.queueing.property_changes import asks_for_less, node_events, same_labels
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.storage import StorageClass
from scheduler_core.objects.types import KubernetesObject, Node, Pod
from scheduler_core.predicates.affinity_terms import terms_of

_SHRUNK = "AssignedPodUpdate"
_SPREAD = "PodTopologySpread"
_LATE_BINDING = "WaitForFirstConsumer"


class HandlersWithoutHints(EventHandlers):
    """Looks itself at which waiting pods an event may help.

    A pod on a node is news for those whose affinity wants it, a node for those that it could take. A node
    that goes is none, nor is a StorageClass that binds at once.
    """

    queue: QueueWithoutHints

    def added(self, item: KubernetesObject, now: int) -> Report:
        if isinstance(item, Pod) and is_assigned(item):
            return self.placed(item, now)
        if isinstance(item, Node):
            return self._node_moves([ClusterEvent(NODE, Action.ADD)], None, item, now)
        if isinstance(item, StorageClass) and item.volume_binding_mode != _LATE_BINDING:
            return Report()
        return super().added(item, now)

    def updated(self, old: KubernetesObject, new: KubernetesObject, now: int) -> Report:
        if isinstance(old, Pod) and isinstance(new, Pod) and is_assigned(old):
            return self.assigned_updated(old, new, now)
        if isinstance(old, Node) and isinstance(new, Node):
            return self._node_moves(self.node_changes(old, new), old, new, now)
        return super().updated(old, new, now)

    def deleted(self, item: KubernetesObject, now: int) -> Report:
        return Report() if isinstance(item, Node) else super().deleted(item, now)

    def bound(self, old: Pod, new: Pod, now: int) -> Report:
        report = self.placed(new, now)
        if self.is_ours(old):
            report.extend(self.unqueued(old, now))
        return report

    def unqueued(self, pod: Pod, now: int) -> Report:
        return self.queue.delete(pod)

    def lost_nomination(self, pod: Pod, now: int) -> Report:
        return Report()

    def assumed_begins_to_go(self, assumed: Pod, now: int) -> Report:
        return Report()

    def bound_too_late(self, assumed: Pod, now: int) -> Report:
        return self.freed(assumed, now)

    def placed(self, pod: Pod, now: int) -> Report:
        """A pod is on a node."""
        return self.queue.move_all(ASSIGNED_POD_ADD, None, pod, now, chosen=self.whom_it_helps(pod))

    def assigned_updated(self, old: Pod, new: Pod, now: int) -> Report:
        """A pod on a node changed: if it asks for less, that is news for all who listen to labels."""
        report = Report()
        if not same_labels(old, new):
            event = ClusterEvent(ASSIGNED_POD, Action.UPDATE_POD_LABEL)
            report = self.queue.move_all(event, old, new, now, chosen=self.whom_it_helps(new))
        if asks_for_less(old, new):
            event = ClusterEvent(ASSIGNED_POD, Action.UPDATE_POD_LABEL, _SHRUNK)
            report.extend(self.queue.move_all(event, old, new, now))
        return report

    def node_changes(self, old: Node, new: Node) -> list[ClusterEvent]:
        """Return which events the change of a node is."""
        return node_events(old, new, self.queue.queueing)

    def whom_it_helps(self, pod: Pod) -> Callable[[QueuedPod], bool]:
        """Say which pods are asked about one on a node: that want it, or are spread in its namespace."""
        wanted_by = self.wanted_by(pod)

        def helps(queued: QueuedPod) -> bool:
            is_spread = _SPREAD in queued.plugins and namespace_of(queued.pod) == namespace_of(pod)
            return is_spread or wanted_by(queued)

        return helps

    def wanted_by(self, pod: Pod) -> Callable[[QueuedPod], bool]:
        """Say which pods have a required term of affinity that matches a pod on a node."""
        namespace, labels = namespace_of(pod), pod.metadata.labels or {}
        of_namespace = self.queue.view.namespaces.get(namespace, {})

        def is_wanted(queued: QueuedPod) -> bool:
            terms = terms_of(queued.pod, namespace_of(queued.pod)).required
            return any(term.matches(namespace, labels, of_namespace) for term in terms)

        return is_wanted

    def _node_moves(self, events: list[ClusterEvent], old: Node | None, new: Node, now: int) -> Report:
        there = list(self.queue.view.pods_on(new.metadata.name)) if events else []
        report = Report()
        for event in events:
            report.extend(
                self.queue.move_all(
                    event, old, new, now, chosen=lambda queued: could_take(new, there, queued.pod)
                )
            )
        return report
