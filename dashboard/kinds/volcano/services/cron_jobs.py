"""What a CronJob of Volcano's in a snapshot says of its starts, and the Jobs that it has made.

Source: volcano v1.16 pkg/controllers/cronjob/cronjob_controller.go (`active` has the Jobs that have not
ended; the limits say how many of the others stay).
"""

from __future__ import annotations

from dashboard.kinds.volcano.queries.objects import objects_of
from dashboard.models import Snapshot, VolcanoObject
from scheduler_core.volcano.api_kinds import VOLCANO_JOB

_TIMES = {"Last start": "lastScheduleTime", "Last success": "lastSuccessfulTime"}
_LIMITS = {
    "Completed Jobs that stay": "successfulJobsHistoryLimit",
    "Failed Jobs that stay": "failedJobsHistoryLimit",
}
_ACTIVE = "active"


def said_of_starts(cron_job: VolcanoObject) -> list[tuple[str, str]]:
    """Return what its status and its limits say, each with a word for it; what they don't say is left out."""
    spec, status = cron_job.object.get("spec") or {}, cron_job.object.get("status") or {}
    said = [(word, status.get(field)) for word, field in _TIMES.items()]
    said += [(word, spec.get(field)) for word, field in _LIMITS.items()]
    return [(word, str(value)) for word, value in said if value is not None]


def jobs_of_cron_job(snapshot: Snapshot, cron_job: VolcanoObject) -> dict[str, str]:
    """Return by name the phases of the Jobs that it has made and of those that its status calls active."""
    rows = objects_of(snapshot, VOLCANO_JOB).filter(owner=f"{cron_job.kind}/{cron_job}")
    phases = {row.name: row.phase or "Pending" for row in rows}
    active = (cron_job.object.get("status") or {}).get("active") or ()
    return dict(sorted(({str(one.get("name", "")): _ACTIVE for one in active} | phases).items()))
