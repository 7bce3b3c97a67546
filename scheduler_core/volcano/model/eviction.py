"""For what gangs are evicted: what the plugins are asked that may keep pods from it.

Source: volcano v1.16 pkg/scheduler/api/types.go EvictionContext.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from scheduler_core.volcano.model.jobs import Job


class Eviction(NamedTuple):
    """A job makes room within its queue (`gangpreempt`), or takes it back from others (`gangreclaim`)."""

    action: Literal["gangpreempt", "gangreclaim"]
    job: Job
