"""Deleting finished jobs when their time to live is over.

Source: volcano v1.16 pkg/controllers/garbagecollector/garbagecollector.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.controllers.api_client import ApiError, NotFound, WatchEvent
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job.job import FINISHED, Job
from scheduler_core.volcano.controllers.kinds import JOB
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.request_controller import DelayingController

_SECOND = 10**9


class TtlRequest(NamedTuple):
    """A request: the job's `namespace/name`."""

    job: str


class TtlController(DelayingController[TtlRequest]):
    """It looks at jobs that have finished, and at each again when its time has come."""

    name = "ttl"

    def __init__(self, api: Noting, informers: Informers) -> None:
        super().__init__(api, informers, TtlRequest)
        informers.listen(JOB, self._notice)

    def _notice(self, event: WatchEvent) -> None:
        if event.new is not None and _expiry(Job.read(event.new)) is not None:
            self._queue.add(TtlRequest(event.key))

    def _see_to(self, request: TtlRequest) -> Reconcile:
        """Delete a job in the foreground if its time is over, else come again then."""
        try:
            phase, action = self._look(request.job)
        except NotFound:
            return self._api.noted(Reconcile(self.name, request, outcome="dropped"))
        except ApiError as error:
            self._queue.again(request)
            return self._api.noted(Reconcile(self.name, request, outcome="requeued", error=str(error)))
        self._queue.forget(request)
        return self._api.noted(Reconcile(self.name, request, phase, action))

    def _look(self, key: str) -> tuple[str, str]:
        """Return the job's phase, and what was done. The copy may be old: the API server is asked, too."""
        known = Job.read(self._informers.get(JOB, key))
        if not self._is_over(known):
            return known.status.phase, ""
        fresh = Job.read(self._api.get(JOB, key))
        if not self._is_over(fresh):
            return fresh.status.phase, ""
        self._api.delete(JOB, key, foreground=True, uid=fresh.uid)
        return fresh.status.phase, "Delete"

    def _is_over(self, job: Job) -> bool:
        """Return whether a job's time is over; where it is still to come, the job is looked at then."""
        expiry = _expiry(job)
        if expiry is not None and expiry > self._api.now:
            self._later.put(TtlRequest(job.key), expiry)
        return expiry is not None and expiry <= self._api.now


def _expiry(job: Job) -> int | None:
    """Return when a finished job's time to live is over, in nanoseconds; None where it has none."""
    seconds = job.spec.ttl_seconds_after_finished
    if seconds is None or job.status.phase not in FINISHED or job.leaving:
        return None
    if job.status.since is None:
        return None
    return parse_timestamp(job.status.since, absent=0) + seconds * _SECOND
