"""The controller of cron jobs: it looks at each when something changes, and whenever its time has come.

Work that fails comes again after a growing delay, without end.

Source: volcano v1.16 pkg/controllers/cronjob/cronjob_controller.go, cronjob_controller_handler.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.go.cron import BadSchedule
from scheduler_core.volcano.controllers.api_client import ApiError, WatchEvent
from scheduler_core.volcano.controllers.cron.cron_job import CronJob
from scheduler_core.volcano.controllers.cron.start_times import next_look
from scheduler_core.volcano.controllers.cron.sync import CronSync, SyncFailed, is_of
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import (
    CRON_JOB,
    JOB,
    Object,
    controller_of,
    is_leaving,
    join,
    key_of,
    split,
)
from scheduler_core.volcano.controllers.later import retry_delay
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.request_controller import DelayingController


class CronRequest(NamedTuple):
    """A request: the cron job's `namespace/name`."""

    cron: str


class CronJobController(DelayingController[CronRequest]):
    """It makes Jobs at their times, and deletes those that have ended long ago."""

    name = "cronjob"

    def __init__(self, api: Noting, informers: Informers) -> None:
        super().__init__(api, informers, CronRequest)
        informers.listen(CRON_JOB, self._notice_cron)
        informers.listen(JOB, self._notice_job)

    def _notice_cron(self, event: WatchEvent) -> None:
        """Hear of a cron job; one with another schedule is looked at when that says so."""
        request = CronRequest(event.key)
        if event.old is None or event.new is None:
            self._queue.add(request)
            return
        old, new = CronJob.read(event.old), CronJob.read(event.new)
        if (old.spec.schedule, old.spec.time_zone) == (new.spec.schedule, new.spec.time_zone):
            self._queue.add(request)
            return
        try:
            schedule = new.schedule()
        except BadSchedule:
            message = f"unparseable schedule for cronjob: {new.spec.schedule}"
            self._api.tell(new.item, "Warning", "UnParseableCronJobSchedule", message)
            return
        again = next_look(schedule, new.since, self._api.now)
        self._look_at(request, self._api.now if again is None else again)

    def _notice_job(self, event: WatchEvent) -> None:
        """Hear of a Job of a cron job that is there, also of one that has changed hands or is gone."""
        crons = [self._cron_of(job) for job in (event.new, event.old) if job is not None]
        for key in dict.fromkeys(key for key in crons if key is not None):
            self._queue.add(CronRequest(key))

    def _cron_of(self, job: Object) -> str | None:
        owner = controller_of(job, CRON_JOB)
        if owner is None:
            return None
        key = join(split(key_of(job))[0], owner["name"])
        item = self._informers.find(CRON_JOB, key)
        return key if item is not None and is_of(job, CronJob.read(item)) else None

    def _look_at(self, request: CronRequest, instant: int) -> None:
        if instant <= self._api.now:
            self._queue.add(request)
        else:
            self._later.put(request, instant)

    def _see_to(self, request: CronRequest) -> Reconcile:
        item = self._informers.find(CRON_JOB, request.cron)
        if item is None or is_leaving(item):
            return self._api.noted(Reconcile(self.name, request, outcome="dropped"))
        sync = CronSync(CronJob.read(item), self._api, self._informers)
        try:
            again = sync.run()
        except (SyncFailed, ApiError, BadSchedule) as fault:
            self._later.put(request, self._api.now + retry_delay(self._queue.fail(request)))
            return self._api.noted(Reconcile(self.name, request, None, "", "requeued", error=str(fault)))
        if sync.changed:
            self._api.update_status(sync.cron.with_status())
        if again is not None:
            self._queue.forget(request)
            self._look_at(request, again)
        return self._api.noted(Reconcile(self.name, request))
