"""What a plugin of a session is: a name, and those of the session's functions that it has.

A plugin has a function if its class has a method of that name; `configuration.FLAGS` lists all there are
with the flags that switch them off. Orders return below, at or above 0; votes return PERMIT, ABSTAIN or REJECT.

Source: volcano v1.16 pkg/scheduler/framework/interface.go, session_plugins.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scheduler_core.volcano.configuration import FLAGS, PluginOption

if TYPE_CHECKING:
    from scheduler_core.volcano.session import Session
    from scheduler_core.volcano.tasks import Task

PERMIT, ABSTAIN, REJECT = 1, 0, -1


class Plugin:
    """Base. `session` is the one that it was made for; `switched_off` are functions that it has but doesn't offer."""

    name: ClassVar[str]
    switched_off: frozenset[str] = frozenset()

    def __init__(self, session: Session, option: PluginOption) -> None:
        self.session = session
        self.arguments = option.arguments
        self.option = option

    def allocated(self, task: Task) -> str | None:
        """Hear that a task was given a node, or that its eviction was taken back; return an error if it can't be."""
        return None

    def deallocated(self, task: Task) -> None:
        """Hear that a task was evicted, or that its node was taken back."""

    def close(self) -> None:
        """Hear that the session ends."""


def functions_of(plugin: type[Plugin]) -> frozenset[str]:
    """Return the session's functions that a plugin has."""
    return frozenset(name for name in FLAGS if hasattr(plugin, name))


def compare(left: float, right: float) -> int:
    """Return below 0 if the left is less, above 0 if it is more."""
    return (left > right) - (left < right)
