"""What the scheduler makes of the cluster's news: cluster events, and pods that enter and leave the queue.

Source: kubernetes v1.36 pkg/scheduler/eventhandlers.go.
"""

from collections.abc import Callable, Mapping

from scheduler_core.kube.queueing.cluster_event import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.pod_facts import is_assigned, nominated_node, priority_of, scheduler_of
from scheduler_core.kube.queueing.property_changes import node_events, pod_events
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.scheduling_queue import SchedulingQueue
from scheduler_core.kube.queueing.watched import RESOURCES
from scheduler_core.objects.types import KubernetesObject, Node, Pod

AssumedPod = Callable[[Pod], Pod | None]
"""Returns a pod as it was assumed on its node while its binding is under way, None for any other pod."""


def _nobody(pod: Pod) -> Pod | None:
    return None


class EventHandlers:
    """Feeds a queue. A pod that has finished is for the scheduler one that was deleted."""

    resources: Mapping[type[KubernetesObject], str] = RESOURCES
    """The kinds beside pods and nodes that it may hear of, as cluster events call them."""

    def __init__(self, queue: SchedulingQueue, assumed: AssumedPod = _nobody) -> None:
        self.queue = queue
        self._assumed = assumed

    def added(self, item: KubernetesObject, now: int) -> Report:
        """An object came. Kinds that the scheduler does not watch are nothing."""
        if isinstance(item, Pod):
            if is_assigned(item):
                return self.queue.move_all(ASSIGNED_POD_ADD, None, item, now)
            return self.queue.add(item, now) if self.is_ours(item) else Report()
        return self._changed(None, item, Action.ADD, now)

    def updated(self, old: KubernetesObject, new: KubernetesObject, now: int) -> Report:
        """An object has a new version, of the same kind and identity."""
        if isinstance(old, Pod) and isinstance(new, Pod):
            return self._pod_updated(old, new, now)
        if isinstance(old, Node) and isinstance(new, Node):
            return self._all(node_events(old, new, self.queue.queueing), old, new, now)
        return self._changed(old, new, Action.UPDATE, now)

    def deleted(self, item: KubernetesObject, now: int) -> Report:
        """An object is gone."""
        if isinstance(item, Pod):
            return self._pod_deleted(item, now)
        return self._changed(item, None, Action.DELETE, now)

    def _pod_updated(self, old: Pod, new: Pod, now: int) -> Report:
        if is_assigned(old):
            return self._all(pod_events(old, new, self.queue.queueing), old, new, now)
        if is_assigned(new):
            return self.bound(old, new, now)
        if not self.is_ours(old):
            return Report()
        assumed = self._assumed(new)
        if assumed is not None:
            begins_to_go = old.metadata.deletion_timestamp is None and new.metadata.deletion_timestamp
            return self.assumed_begins_to_go(assumed, now) if begins_to_go else Report()
        report = self.queue.update(old, new, now)
        if nominated_node(old) and nominated_node(old) != nominated_node(new):
            report.extend(self.lost_nomination(old, now))
        return report

    def _pod_deleted(self, pod: Pod, now: int) -> Report:
        if is_assigned(pod):
            return self.freed(pod, now)
        return self.unqueued(pod, now) if self.is_ours(pod) else Report()

    def bound(self, old: Pod, new: Pod, now: int) -> Report:
        """A pod got its node."""
        report = self.queue.move_all(ASSIGNED_POD_ADD, None, new, now)
        if self.is_ours(old):
            report.extend(self.queue.delete(old))
        return report

    def assumed_begins_to_go(self, assumed: Pod, now: int) -> Report:
        """A pod was asked to go while its binding is under way."""
        return self.freed(assumed, now)

    def unqueued(self, pod: Pod, now: int) -> Report:
        """A pod without a node went, one of a profile of the scheduler's."""
        report = self.queue.delete(pod)
        assumed = self._assumed(pod)
        if assumed is not None:
            report.extend(self.freed(assumed, now))
        elif nominated_node(pod):
            report.extend(self.lost_nomination(pod, now))
        return report

    def lost_nomination(self, pod: Pod, now: int) -> Report:
        """A pod is no longer nominated to its node."""
        return self.freed(pod, now, at_most=priority_of(pod))

    def bound_too_late(self, assumed: Pod, now: int) -> Report:
        """The binding of a pod ends that went meanwhile: its room was given back when it went."""
        return Report()

    def watches(self, resource: str, action: Action) -> bool:
        """Return whether the scheduler hears of such changes of a kind beside pods and nodes."""
        return self.queue.listeners.watch(resource, action)

    def freed(self, pod: Pod, now: int, *, at_most: int | None = None) -> Report:
        """A pod takes its room no longer, be it by having gone or by having lost its nomination."""
        return self.queue.move_all(ASSIGNED_POD_DELETE, pod, None, now, at_most=at_most)

    def _changed(
        self, old: KubernetesObject | None, new: KubernetesObject | None, action: Action, now: int
    ) -> Report:
        item = old if new is None else new
        assert item is not None
        if isinstance(item, Node):
            return self._all([ClusterEvent(NODE, action)], old, new, now)
        resource = self.resources.get(type(item))
        if resource is None or not self.watches(resource, action):
            return Report()
        return self._all([ClusterEvent(resource, action)], old, new, now)

    def _all(
        self, events: list[ClusterEvent], old: KubernetesObject | None, new: KubernetesObject | None, now: int
    ) -> Report:
        report = Report()
        for event in events:
            report.extend(self.queue.move_all(event, old, new, now))
        return report

    def is_ours(self, pod: Pod) -> bool:
        """Return whether the pod asks for one of the scheduler's profiles."""
        return scheduler_of(pod) in self.queue.listeners
