"""Bringing a cron job's Jobs and its status to what its spec and the clock say.

Source: volcano v1.16 pkg/controllers/cronjob/cronjob_controller.go syncCronJob,
cronjob_controller_handler.go.
"""

from __future__ import annotations

from datetime import datetime

from scheduler_core.go.cron import BadSchedule, Schedule
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.controllers.api_client import AlreadyExists, Api, ApiError
from scheduler_core.volcano.controllers.cron.cron_job import CronJob
from scheduler_core.volcano.controllers.cron.start_times import next_look, start_to_make_up
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job.job import FINISHED, Job
from scheduler_core.volcano.controllers.kinds import (
    CRON_JOB,
    JOB,
    Object,
    api_version,
    controller_of,
    controller_reference,
    join,
    key_of,
    new_object,
    split,
)

SCHEDULED_AT = "volcano.sh/cronjob-scheduled-timestamp"
_SECOND = 10**9
_MINUTE = 60 * _SECOND
_WARNING, _NORMAL = "Warning", "Normal"


class SyncFailed(Exception):
    """The cron job could not be brought up to date; its status is not written."""


class CronSync:
    """One look at a cron job. `changed` says whether its status is to be written."""

    def __init__(self, cron: CronJob, api: Api, informers: Informers) -> None:
        self.cron = cron
        self.changed = False
        self._api = api
        self._informers = informers

    def run(self) -> int | None:
        """Do what is due, and return when to look again; None for not until something changes.

        Raises SyncFailed, ApiError, BadSchedule.
        """
        jobs = jobs_of(self.cron, self._informers)
        self._see_finished(jobs)
        self._see_active(jobs)
        if self.cron.spec.suspend:
            return None
        schedule = self._schedule()
        start = self._start(schedule)
        if start is not None and not self._was_made(start) and self._may_start():
            self._make_job(start)
        return next_look(schedule, self.cron.since, self._api.now)

    def _tell(self, type_: str, reason: str, message: str) -> None:
        self._api.tell(self.cron.item, type_, reason, message)

    # -- Jobs that are there -------------------------------------------------------------------------

    def _see_finished(self, jobs: list[Job]) -> None:
        """Take finished Jobs out of the list, note the last success, and delete Jobs beyond the limits."""
        cron, ended = self.cron, [job for job in jobs if job.status.phase in FINISHED]
        for job in ended:
            if cron.active.has(job.uid):
                cron.active.take_out(job.uid)
                self._tell(_NORMAL, "SawCompletedJob", f"Saw completed job: {job.name} in active, remove")
                self.changed = True
            if job.status.phase == "Completed":
                self._note_success(job)
        for phase, limit in (
            ("Completed", cron.spec.successful_jobs_history_limit),
            ("Failed", cron.spec.failed_jobs_history_limit),
        ):
            if limit is not None:
                self._delete_oldest([job for job in ended if job.status.phase == phase], limit)

    def _note_success(self, job: Job) -> None:
        since = parse_timestamp(job.status.since, 0) if job.status.since else None
        last = self.cron.last_success
        if since is not None and (last is None or since > last):
            self.cron.last_success = since
            self.changed = True

    def _delete_oldest(self, jobs: list[Job], limit: int) -> None:
        oldest = sorted(jobs, key=lambda job: (_created(job), job.name))
        for job in oldest[: max(len(jobs) - limit, 0)]:
            if self._delete(job):
                self.changed = True

    def _delete(self, job: Job) -> bool:
        try:
            self._api.delete(JOB, job.key)
        except ApiError as error:
            self._tell(_WARNING, "FailedDelete", f'Error deleting job "{job.name}": {error}')
            return False
        self.cron.active.take_out(job.uid)
        self._tell(_NORMAL, "SuccessfulDelete", f'Deleted job "{job.name}"')
        return True

    def _see_active(self, jobs: list[Job]) -> None:
        """Tell of Jobs that run and are not in the list, and take those out of it that are no more."""
        active, cron = self.cron.active, self.cron
        for job in jobs:
            if job.status.phase in FINISHED or active.has(job.uid):
                continue
            stored = CronJob.read(self._api.get(CRON_JOB, key_of(cron.item)))
            if stored.active.has(job.uid):
                active = stored.active
                continue
            message = "Detected orphaned job forgotten or not managed by controller"
            self._tell(_WARNING, "OrphanedJob", f"{message}: {job.name} (UID: {job.uid})")
        ours = {job.uid for job in jobs}
        for reference in active.walk():
            if reference.get("uid") not in ours and (gone := self._why_stale(reference)):
                self._tell(_WARNING, "StaleReference", gone)
                active.take_out(reference.get("uid") or "")
                self.changed = True

    def _why_stale(self, reference: Object) -> str:
        """Return why a reference leads nowhere, empty if it does lead to its Job."""
        name, uid = reference.get("name") or "", reference.get("uid")
        found = self._informers.find(JOB, _key(reference))
        if found is None:
            return f'Active job "{name}" no longer exists (UID: {uid})'
        actual = found["metadata"]["uid"]
        if actual == uid:
            return ""
        return f'Active job reference "{name}" points to a different UID (expected: {uid}, actual: {actual})'

    # -- the next Job --------------------------------------------------------------------------------

    def _schedule(self) -> Schedule:
        cron = self.cron
        try:
            cron.zone()
        except BadSchedule as error:
            self._tell(_WARNING, "InvalidTimeZone", f'Invalid time zone "{cron.spec.time_zone}": {error}')
            raise
        if "TZ" in cron.spec.schedule:
            meant = f'CRON_TZ or TZ in the schedule "{cron.spec.schedule}" is not officially supported. '
            effect = "If set, the TimeZone field will be ignored during execution."
            self._tell(_WARNING, "UnsupportedSchedule", meant + effect)
        return cron.schedule()

    def _start(self, schedule: Schedule) -> int | None:
        """Return the start whose Job is due, None if none is."""
        cron = self.cron
        try:
            start, are_many = start_to_make_up(schedule, cron.since, cron.deadline, self._api.now)
        except BadSchedule as error:
            self._tell(_WARNING, "InvalidSchedule", f"Error getting schedule time: {error}")
            raise
        if start is not None and are_many:
            advice = "Set or decrease .spec.startingDeadlineSeconds or check clock skew"
            self._tell(_WARNING, "TooManyMissedTimes", f"too many missed start times. {advice}")
        return start

    def _was_made(self, start: int) -> bool:
        active = {(one.get("namespace"), one.get("name")) for one in self.cron.active.references}
        return self.cron.last_schedule == start or (self.cron.namespace, _name(self.cron, start)) in active

    def _may_start(self) -> bool:
        """Return whether a Job may start beside those that run; such as are to be replaced are deleted."""
        cron, policy = self.cron, self.cron.spec.concurrency_policy
        if not len(cron.active):
            return True
        if policy == "Forbid":
            message = "Skipping job creation because another job is already running"
            self._tell(_WARNING, "ForbidConcurrent", message)
            return False
        if policy == "Replace":
            self._tell(_WARNING, "ReplaceConcurrent", "Replacing active job for CronJob")
            for reference in cron.active.walk():
                self._replace(reference)
        return True

    def _replace(self, reference: Object) -> None:
        try:
            job = Job.read(self._api.get(JOB, _key(reference)))
        except ApiError as error:
            self._tell(_WARNING, "FailedGet", f"Get job: {error}")
            raise
        if not self._delete(job):
            raise SyncFailed(f"could not replace job {job.key}")
        self.changed = True

    def _make_job(self, start: int) -> None:
        """Make the Job of a start and put it into the list."""
        cron = self.cron
        try:
            job = self._api.create(_new_job(cron, start))
        except AlreadyExists as error:
            # The controller looks for the Job of that name without a namespace, and finds none.
            raise SyncFailed(f"{error}, and it can't be looked at") from None
        except ApiError as error:
            self._tell(_WARNING, "FailedCreate", f"Failed to create job: {error}")
            raise
        message = f"Created job {job['metadata']['name']} for CronJob {key_of(cron.item)}"
        self._tell(_NORMAL, "SuccessfulCreate", message)
        cron.active.add(_reference(job))
        cron.last_schedule = start
        self.changed = True


def jobs_of(cron: CronJob, informers: Informers) -> list[Job]:
    """Return the Jobs that a cron job controls, by key."""
    return [
        Job.read(item)
        for item in informers.list(JOB)
        if split(key_of(item))[0] == cron.namespace and is_of(item, cron)
    ]


def is_of(job: Object, cron: CronJob) -> bool:
    """Return whether a cron job controls a Job."""
    owner = controller_of(job, CRON_JOB)
    return owner is not None and (owner.get("name"), owner.get("uid")) == (cron.name, cron.uid)


def _name(cron: CronJob, start: int) -> str:
    return f"{cron.name}-{start // _MINUTE}"


def _new_job(cron: CronJob, start: int) -> Object:
    job = new_object(
        JOB, cron.namespace, _name(cron, start), controller_reference(CRON_JOB, cron.name, cron.uid)
    )
    metadata = cron.template.get("metadata") or {}
    at = datetime.fromtimestamp(start // _SECOND, cron.zone()).isoformat().replace("+00:00", "Z")
    annotations = (metadata.get("annotations") or {}) | {SCHEDULED_AT: at}
    job["metadata"] |= {"labels": dict(metadata.get("labels") or {}), "annotations": annotations}
    return job | {"spec": cron.template.get("spec") or {}}


def _key(reference: Object) -> str:
    return join(reference.get("namespace") or "", reference.get("name") or "")


def _reference(job: Object) -> Object:
    metadata = job["metadata"]
    names = {field: metadata[field] for field in ("name", "namespace", "uid", "resourceVersion")}
    return {"apiVersion": api_version(JOB), "kind": JOB.name} | names


def _created(job: Job) -> int:
    return parse_timestamp(job.item["metadata"].get("creationTimestamp"), absent=2**63)
