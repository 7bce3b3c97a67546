"""The scheduling queue of the drivers without a clock: who is tried next, and where everybody else waits.

`active` is ordered by priority, then by entry; a pod that enters again stands behind its equals. The queue
of a scheduler without pod priority is ordered by entry alone.

Source: kubernetes v1.36 pkg/scheduler/backend/queue, plugins/queuesort; the instant driver's rules in
docs/semantics.md.
"""

from __future__ import annotations

import bisect
from typing import Any

from scheduler_core.events.state import QUEUE
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.ordered_lists import OrderedLists

ACTIVE, UNSCHEDULABLE, GATED = "active", "unschedulable", "gated"


class SchedulingQueue(OrderedLists[int]):
    """The parts of one scheduler's queue. Pods are named by row."""

    def __init__(self, state: ClusterState, owner: str, *, by_priority: bool = True) -> None:
        super().__init__(
            state.journal, f"{QUEUE}{owner}", name_of=lambda pod: state.pods.infos[pod].uid, told=True
        )
        self._state = state
        self._by_priority = by_priority
        self._part: dict[int, str] = {}
        self._turns: list[tuple[int, int, int]] = []

    def first(self) -> int | None:
        """Return the pod that is tried next."""
        return self._turns[0][2] if self._turns else None

    def unschedulable(self) -> list[int]:
        """Return the unschedulable pods in the order in which they came there."""
        return list(self.orders.get(UNSCHEDULABLE, ()))

    def enter(self, pod: int, part: str) -> None:
        """Put the pod at the end of a part, wherever it was."""
        self.exit(pod)
        self.append(part, pod)

    def exit(self, pod: int) -> None:
        """Take the pod out of the queue, if it is there."""
        part = self._part.get(pod)
        if part is not None:
            self.take_out(part, pod)

    def wake_all(self) -> None:
        """Let everybody who is unschedulable enter `active` again, in order."""
        self.move_members(UNSCHEDULABLE, ACTIVE)

    # -- the journal's verbs -------------------------------------------------------------------------

    def join(self, of: str, key: Any, order: int) -> None:
        super().join(of, key, order)
        self._part[key] = of
        if of == ACTIVE:
            bisect.insort(self._turns, self._turn(key, order))

    def leave(self, of: str, key: Any, order: int) -> None:
        super().leave(of, key, order)
        del self._part[key]
        if of == ACTIVE:
            del self._turns[bisect.bisect_left(self._turns, self._turn(key, order))]

    def move_all(self, of: str, to: str, by: int) -> None:
        super().move_all(of, to, by)
        self._sort()

    def move_back(self, of: str, to: str, by: int, first: int) -> None:
        super().move_back(of, to, by, first)
        self._sort()

    def load(self, data: dict[str, Any]) -> None:
        super().load(data)
        self._sort()

    def _sort(self) -> None:
        self._part = {pod: part for part, members in self.orders.items() for pod in members}
        self._turns = sorted(self._turn(pod, order) for pod, order in self.orders.get(ACTIVE, {}).items())

    def _turn(self, pod: int, order: int) -> tuple[int, int, int]:
        priority = self._state.pods.infos[pod].priority if self._by_priority else 0
        return -priority, order, pod
