"""A cron job is let in if its schedule and its time zone can be read and its Jobs' names are short enough.

That the name is a name of Kubernetes' the API server has looked at before.

Source: volcano v1.16 pkg/webhooks/admission/cronjobs/validate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scheduler_core.go.cron import BadSchedule, read_schedule, read_zone
from scheduler_core.objects import types
from scheduler_core.volcano.admission.answers import Denied, Fault, Question
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.job_objects import CronJob, CronJobSpec

_LONGEST_NAME = 63 - 11
_PART = re.compile(r"[A-Za-z._0-9+-]{1,14}")
_SCHEDULE, _ZONE = "spec.schedule", "spec.timeZone"


def validate_cron_job(question: Question, around: Surroundings) -> None:
    """Raise Denied for a cron job that its controller could not follow."""
    cron = types.convert(question.document, CronJob)
    of_spec = [*_of_schedule(cron.spec), *_of_zone(cron.spec)]
    faults, said = list(of_spec), "".join(_lead(fault) + fault.message for fault in of_spec).strip()
    if len(cron.metadata.name) > _LONGEST_NAME:
        limit = f"no more than {_LONGEST_NAME} characters to accommodate job name suffix (max 63 total)"
        faults.append(Fault("metadata.name", f"cronJob name must be {limit}"))
    if faults:
        messages = [said, *(fault.message for fault in faults[len(of_spec) :])]
        raise Denied("; ".join(filter(None, messages)), faults=faults)


def _lead(fault: Fault) -> str:
    """Return what stands before a fault of the spec: nothing before this one, by Volcano's oversight."""
    return "" if fault.message.startswith("schedule is not a valid") else " "


def _of_schedule(spec: CronJobSpec) -> Iterator[Fault]:
    if not spec.schedule:
        yield Fault(_SCHEDULE, "schedule is required, but got empty")
        return
    if "TZ" in spec.schedule:
        only = "TZ should only be set in the timeZone field"
        yield Fault(_SCHEDULE, f"schedule should not contain TZ or CRON_TZ, {only}")
        return
    try:
        read_schedule(spec.schedule)
    except BadSchedule:
        yield Fault(_SCHEDULE, "schedule is not a valid cron expression")


def _of_zone(spec: CronJobSpec) -> Iterator[Fault]:
    zone = spec.time_zone
    if zone is None:
        return
    if not zone:
        yield Fault(_ZONE, "timeZone must be nil or non-empty string, got empty string")
        return
    for part in zone.split("/"):
        if part in (".", "..") or part.startswith("-") or not _PART.fullmatch(part):
            yield Fault(_ZONE, "unknown timeZone")
    if zone.lower() == "local":
        where = "must be defined in https://www.iana.org/time-zones"
        yield Fault(_ZONE, f"timeZone can't be Local, and {where}")
        return
    try:
        read_zone(zone)
    except BadSchedule:
        yield Fault(_ZONE, "invalid timeZone")
