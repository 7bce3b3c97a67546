"""What a session asks of the devices of one node.

Source: volcano v1.16 pkg/scheduler/api/shared_device_pool.go.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from scheduler_core.volcano.model.tasks import Task


class CannotAllocate(Exception):
    """A device could not be given to a pod that a filter had let in."""


class NodeDevices(ABC):
    """The devices of one kind on one node.

    A node counts what the annotations of its pods say (`add`, `remove`). What a session hands out
    (`allocate`) stands in no annotation yet, so that `release` does not always give it back.
    """

    score: float = 0.0
    """What the last filter found that a pod passed, whichever pod it was."""

    @abstractmethod
    def asked_by(self, task: Task) -> bool:
        """Return whether a pod asks for such a device."""

    @abstractmethod
    def add(self, task: Task) -> None:
        """Count a pod that holds a node, by its annotations."""

    @abstractmethod
    def remove(self, task: Task) -> None:
        """Count it no more, by its annotations."""

    @abstractmethod
    def refusal(self, task: Task, policy: str) -> str:
        """Return why the devices do not suffice, empty where they do."""

    @abstractmethod
    def allocate(self, task: Task, policy: str) -> dict[str, str]:
        """Take devices for a pod; return the annotations of its bind. Raises CannotAllocate."""

    @abstractmethod
    def release(self, task: Task) -> tuple[str, ...]:
        """Hear that a pod has its node no more; return the annotations that its bind does not carry then."""

    @abstractmethod
    def copied(self) -> NodeDevices:
        """Return a copy on which something may be tried."""

    def held_by(self, task: Task) -> Mapping[str, float]:
        """Return by resource what a pod holds for its queue's status, in thousandths."""
        return {}
