"""What a plugin of a session is: a name, and those of the session's functions that it has (`functions.py`).

Source: volcano v1.16 pkg/scheduler/framework/interface.go.
"""

from __future__ import annotations

from typing import ClassVar

from scheduler_core.volcano.configuration import PluginOption
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

    def allocated(self, task: Task) -> str | None:
        """Hear that a task was given a node, or that its eviction was taken back; return an error."""
        return None

    def deallocated(self, task: Task) -> None:
        """Hear that a task was evicted, or that its node was taken back."""

    def close(self) -> None:
        """Hear that the session ends."""
