"""What a plugin of a session is: a name, and those of the session's functions that it has (`functions.py`).

Source: volcano v1.16 pkg/scheduler/framework/interface.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.fit_errors import Refusals
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import Task


class Plugin:
    """Base. `session` is the one that it was made for; `switched_off` it has but doesn't offer."""

    name: ClassVar[str]
    switched_off: frozenset[str] = frozenset()
    reads_clock: ClassVar[bool] = False
    """Whether what it says may change as time goes by."""
    from_start: ClassVar[bool] = False
    """Whether it counts that time from the scheduler's start, whatever the time of day."""
    hears: ClassVar[bool] = False
    """Whether `allocated` or `deallocated` do something."""

    gives_back: ClassVar[bool] = False
    """Whether `deallocated` leaves everything as before `allocated`, so that doing it again is the same."""

    counts_tasks: ClassVar[bool] = False
    """Whether what it says of a job's readiness depends on its minimums and its tasks' roles and status."""

    def __init_subclass__(cls) -> None:
        cls.hears = cls.allocated is not Plugin.allocated or cls.deallocated is not Plugin.deallocated

    def __init__(self, session: Session, option: PluginOption) -> None:
        self.session = session
        self.arguments = option.arguments
        self.option = option

    def next_change(self, now: int) -> int | None:
        """Return when time alone changes what it says next (nanoseconds since 1970), None if never."""
        return None

    def by_node(self, task: Task) -> bool:
        """Return whether all answers about a node for such a task depend on that node alone.

        That is: on the node, the task's class and what is on the node, whatever else happens in the session.
        `own_scores` and `compared_scores` are asked only where it is so; their sum is `batch_node_order`.
        """
        return False

    def against(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return what its `predicate` has against a task by node, and leave nothing behind."""
        predicate: Callable[[Task, Rows], dict[int, Refusals]] = self.predicate  # type: ignore[attr-defined]
        return predicate(task, rows)

    def class_part(self, task: Task) -> object:
        """Return what else than its spec tells such a task from others in this plugin's answers by node."""
        return None

    # What a node is asked alone says the same as the functions for many, in plain numbers where that is
    # quicker. Asked only where answers are by node, once for a class of tasks.

    def predicate_of(self, task: Task) -> Callable[[int], bool]:
        """Return how one node is asked whether it fits."""
        predicate: Callable[[Task, Rows], object] = self.predicate  # type: ignore[attr-defined]
        return lambda node: not predicate(task, self._alone(node))

    def node_order_of(self, task: Task) -> Callable[[int], float]:
        """Return how one node is asked for its `node_order`."""
        node_order: Callable[[Task, Rows], Floats] = self.node_order  # type: ignore[attr-defined]
        return lambda node: node_order(task, self._alone(node)).item(0)

    def own_score_of(self, task: Task) -> Callable[[int], float]:
        """Return how one node is asked for its `own_scores`."""
        return lambda node: self.own_scores(task, self._alone(node)).item(0)

    def _alone(self, node: int) -> Rows:
        return self.session.nodes.all[node : node + 1]

    def own_scores(self, task: Task, rows: Rows) -> Floats:
        """Return the part of a batch's scores that depends on each node alone; NaN where it fails."""
        return np.zeros(len(rows))

    def compared_scores(self, task: Task, rows: Rows) -> Floats | None:
        """Return the part that compares the nodes with each other, None if there is none; NaN if it fails."""
        return None

    def drawn_from(self, candidate: Task) -> object:
        """Return what is the same of candidates for eviction of which it lets any go, as they come.

        Volcano goes through candidates in no order: of those that have this in common others may go.
        None where it looks at each candidate by itself.
        """
        return None

    def allocated(self, task: Task) -> str | None:
        """Hear that a task was given a node, or that its eviction was taken back; return an error."""
        return None

    def deallocated(self, task: Task) -> None:
        """Hear that a task was evicted, or that its node was taken back."""

    def close(self) -> None:
        """Hear that the session ends."""
