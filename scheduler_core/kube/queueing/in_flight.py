"""The pods that are being tried, and the events that came meanwhile.

An event is kept as long as a pod flies that was popped before it.

Source: kubernetes v1.36 pkg/scheduler/backend/queue/active_queue.go inFlightPods, inFlightEvents.
"""

from collections.abc import Iterator
from dataclasses import replace

from scheduler_core.kube.queueing.cluster_event import ClusterEvent
from scheduler_core.kube.queueing.queue_tables import FlightEvent, QueueTables
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.objects.types import KubernetesObject

_COUNTER = "flights"


class InFlight:
    """Pops and events have numbers from one row."""

    def __init__(self, tables: QueueTables) -> None:
        self._tables = tables

    def start(self, queued: QueuedPod) -> QueuedPod:
        """Take a pod into flight: one more attempt."""
        flying = replace(
            queued, part="in_flight", attempts=queued.attempts + 1, flight=self._tables.next(_COUNTER)
        )
        self._tables.put("pods", flying.uid, flying)
        return flying

    def note(self, event: ClusterEvent, old: KubernetesObject | None, new: KubernetesObject | None) -> None:
        """Keep an event if any pod is in flight."""
        if self._tables.count("in_flight"):
            self._tables.put("flights", self._tables.next(_COUNTER), FlightEvent(event, old, new))

    def since(self, queued: QueuedPod) -> Iterator[FlightEvent]:
        """Yield the events since a pod's pop, in their order."""
        for number in sorted(self._tables.flights):
            if number > queued.flight:
                yield self._tables.flights[number]

    def forget_events(self) -> None:
        """Drop the events that are older than all pods in flight."""
        pops = [queued.flight for queued in self._tables.members("in_flight")]
        oldest = min(pops, default=None)
        for number in sorted(self._tables.flights):
            if oldest is None or number < oldest:
                self._tables.put("flights", number, None)
