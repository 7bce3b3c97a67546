"""What a plugin of a session is: a name, and those of the session's functions that it has (`functions.py`).

Source: volcano v1.16 pkg/scheduler/framework/interface.go.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from scheduler_core.volcano.configuration import PluginOption
from scheduler_core.volcano.nodes import Floats, Rows
from scheduler_core.volcano.session import Session
from scheduler_core.volcano.tasks import Task


class Plugin:
    """Base. `session` is the one that it was made for; `switched_off` it has but doesn't offer."""

    name: ClassVar[str]
    switched_off: frozenset[str] = frozenset()

    def __init__(self, session: Session, option: PluginOption) -> None:
        self.session = session
        self.arguments = option.arguments
        self.option = option

    def by_node(self, task: Task) -> bool:
        """Return whether all answers about a node for such a task depend on that node alone.

        That is: on the node, the task's class and what is on the node, whatever else happens in the session.
        `own_scores` and `compared_scores` are asked only where it is so; their sum is `batch_node_order`.
        """
        return False

    def own_scores(self, task: Task, rows: Rows) -> Floats:
        """Return the part of a batch's scores that depends on each node alone; NaN where it fails."""
        return np.zeros(len(rows))

    def compared_scores(self, task: Task, rows: Rows) -> Floats | None:
        """Return the part that compares the nodes with each other, None if there is none; NaN if it fails."""
        return None

    def allocated(self, task: Task) -> str | None:
        """Hear that a task was given a node, or that its eviction was taken back; return an error."""
        return None

    def deallocated(self, task: Task) -> None:
        """Hear that a task was evicted, or that its node was taken back."""

    def close(self) -> None:
        """Hear that the session ends."""
