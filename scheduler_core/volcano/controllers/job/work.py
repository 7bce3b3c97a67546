"""What syncing and killing jobs is done with: the API server, the informers, and the cache."""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.job_cache import JobCache


class Workshop(NamedTuple):
    """The controller's tools."""

    api: Api
    informers: Informers
    cache: JobCache

    @property
    def now(self) -> str:
        """The time as it stands in a status."""
        return format_timestamp(self.api.now)

    def write_status(self, job: Job) -> Job:
        """Write a job's status, put what was stored into the cache, and return it.

        Raises ApiError, StaleJob.
        """
        stored = Job.read(self.api.update_status(job.written()))
        self.cache.update(stored)
        return stored

    def warn(self, job: Job, reason: str, message: str) -> None:
        """Record a warning of a job."""
        self.api.tell(job.item, "Warning", reason, message)
