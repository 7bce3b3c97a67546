"""A queue as a session sees it.

Source: volcano v1.16 pkg/scheduler/api/queue_info.go.
"""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.model.custom_resources import Queue as QueueObject
from scheduler_core.volcano.model.tasks import NO_TIME

ROOT = "root"


@dataclass(eq=False)
class Queue:
    """A queue; `created` is nanoseconds since the epoch."""

    name: str
    created: int
    source: QueueObject

    @classmethod
    def of(cls, source: QueueObject) -> Queue:
        """Return the queue that an object describes."""
        return cls(source.metadata.name, parse_timestamp(source.metadata.creation_timestamp, NO_TIME), source)

    @property
    def is_open(self) -> bool:
        """Whether it takes jobs and hands out resources."""
        return self.source.status.state == "Open"

    @property
    def weight(self) -> int:
        """By which what is left is shared out."""
        return self.source.spec.weight

    @property
    def priority(self) -> int:
        """The higher comes first."""
        return self.source.spec.priority

    @property
    def parent(self) -> str:
        """The queue above it."""
        return self.source.spec.parent or ROOT

    @property
    def reclaimable(self) -> bool:
        """Whether other queues may take from it."""
        return self.source.spec.reclaimable is not False
