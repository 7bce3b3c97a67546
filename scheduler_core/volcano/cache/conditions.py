"""Since when the conditions of a pod group hold: its Job's controller heeds the newest.

Source: volcano v1.16 pkg/scheduler/framework/job_updater.go isPodGroupConditionsUpdated, where times alone
are no change.
"""

from __future__ import annotations

from msgspec.structs import replace

from scheduler_core.objects.timestamps import is_timestamp, parse_timestamp
from scheduler_core.volcano.model.custom_resources import PodGroupCondition
from scheduler_core.volcano.model.jobs import Job


def conditions_since(job: Job, instant: str | None) -> list[PodGroupCondition]:
    """Return a job's conditions; what the session wrote has its old time if it says nothing new."""
    written = job.written
    if written is None:
        return job.conditions
    stamped = replace(written, last_transition_time=_old_time(job, written) or instant)
    return [stamped if one is written else one for one in job.conditions]


def _old_time(job: Job, written: PodGroupCondition) -> str | None:
    """Return the time of a condition that was the newest already; None where something is new."""
    before = job.group.status.conditions or ()
    old = next((one for one in before if one.type == written.type), None)
    if old is None or _saying(old) != _saying(written):
        return None
    is_newest = all(_since(one) <= _since(old) for one in before if one is not old)
    return old.last_transition_time if is_newest else None


def _saying(condition: PodGroupCondition) -> tuple[str, str, str]:
    return condition.status, condition.reason, condition.message


def _since(condition: PodGroupCondition) -> int:
    text = condition.last_transition_time
    return parse_timestamp(text if is_timestamp(text) else None, absent=-(2**63))
