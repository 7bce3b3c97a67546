"""The scheduling queue: who is tried next, and where everybody else waits.

`active` is ordered by priority, then by entry; a pod that enters again stands behind its equals. The queue
of a scheduler without pod priority is ordered by entry alone. All changes are noted in the cluster's journal.

Source: kubernetes v1.36 pkg/scheduler/backend/queue, plugins/queuesort; the instant driver's rules in
docs/semantics.md.
"""

import bisect

from scheduler_core.events.decisions import QueuePart, QueuePlace
from scheduler_core.state.cluster import ClusterState


class SchedulingQueue:
    """The parts of the queue. Pods are named by row."""

    def __init__(self, state: ClusterState, *, by_priority: bool = True) -> None:
        self._state = state
        self._by_priority = by_priority
        self._places: dict[int, QueuePlace] = {}
        self._active: list[tuple[int, int, int]] = []
        self._entries = 0

    def place(self, pod: int) -> QueuePlace | None:
        """Return where the pod waits; None outside of the queue."""
        return self._places.get(pod)

    def first(self) -> int | None:
        """Return the pod that is tried next."""
        return self._active[0][2] if self._active else None

    def unschedulable(self) -> list[int]:
        """Return the unschedulable pods in the order in which they came there."""
        waiting = [(place.order, pod) for pod, place in self._places.items() if place.part == "unschedulable"]
        return [pod for _, pod in sorted(waiting)]

    def enter(self, pod: int, part: QueuePart) -> tuple[QueuePlace | None, QueuePlace]:
        """Put the pod at the end of a part and return its old and its new place."""
        self._entries += 1

        def undo() -> None:
            self._entries -= 1

        self._state.record(undo)
        return self._move(pod, QueuePlace(part, self._entries))[0], self._places[pod]

    def leave(self, pod: int) -> tuple[QueuePlace | None, None]:
        """Take the pod out of the queue and return its old place."""
        return self._move(pod, None)[0], None

    def _move(self, pod: int, new: QueuePlace | None) -> tuple[QueuePlace | None, QueuePlace | None]:
        old = self._places.get(pod)
        self._set(pod, new)
        self._state.record(lambda: self._set(pod, old))
        return old, new

    def _set(self, pod: int, place: QueuePlace | None) -> None:
        old = self._places.pop(pod, None)
        if old is not None and old.part == "active":
            key = self._key(pod, old)
            del self._active[bisect.bisect_left(self._active, key)]
        if place is not None:
            self._places[pod] = place
            if place.part == "active":
                bisect.insort(self._active, self._key(pod, place))

    def _key(self, pod: int, place: QueuePlace) -> tuple[int, int, int]:
        priority = self._state.pods.infos[pod].priority if self._by_priority else 0
        return -priority, place.order, pod

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, object]:
        """Return the queue as plain data."""
        places = [(pod, place.part, place.order) for pod, place in sorted(self._places.items())]
        return {"entries": self._entries, "places": places}

    def load(self, entries: int, places: list[tuple[int, QueuePart, int]]) -> None:
        """Restore what `dump` returned."""
        self._places.clear()
        self._active.clear()
        self._entries = entries
        for pod, part, order in places:
            self._set(pod, QueuePlace(part, order))
