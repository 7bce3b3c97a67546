"""What a job flow's status says of its Jobs: by phase, one by one with their histories, and as conditions.

A Job that is gone keeps its line in `jobStatusList`; it has no condition any more.

Source: volcano v1.16 pkg/controllers/jobflow/jobflow_controller_action.go getAllJobStatus,
getRunningHistories.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.go.duration import parse_duration
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp
from scheduler_core.volcano.controllers.kinds import Object, phase_of_state

LISTS = {
    "Pending": "pendingJobs",
    "Running": "runningJobs",
    "Failed": "failedJobs",
    "Completed": "completedJobs",
    "Terminated": "terminatedJobs",
}
"""Where the status lists Jobs of a phase."""
_UNLISTED = ("Completing", "Terminating")
UNKNOWN = "unKnowJobs"
Lists = dict[str, list[str]]


def status_of(before: Object, jobs: Iterable[Object], lists: Lists, phase: str, now: int) -> Object:
    """Return a flow's status after the one before, with its Jobs as they are and in these lists.

    now: nanoseconds since the epoch.
    """
    jobs = list(jobs)
    known = {one["name"]: one for one in before.get("jobStatusList") or ()}
    for job in jobs:
        name = job["metadata"]["name"]
        known[name] = _line(job, (known.get(name) or {}).get("runningHistories") or [], format_timestamp(now))
    parts = {
        "jobStatusList": list(known.values()),
        "conditions": {job["metadata"]["name"]: _condition(job) for job in jobs},
    }
    return {"state": {"phase": phase}} | {name: part for name, part in (lists | parts).items() if part}


def lists_of(jobs: Iterable[Object]) -> Lists:
    """Return the names of Jobs by their phase."""
    lists: Lists = {name: [] for name in (*LISTS.values(), UNKNOWN)}
    for job in jobs:
        phase = phase_of_state(job)
        if phase not in _UNLISTED:
            lists[LISTS.get(phase, UNKNOWN)].append(job["metadata"]["name"])
    return lists


def _line(job: Object, histories: list[Object], now: str) -> Object:
    created, status = job["metadata"].get("creationTimestamp"), job.get("status") or {}
    told: dict[str, Any] = {
        "name": job["metadata"]["name"],
        "state": phase_of_state(job),
        "startTimestamp": created,
        "endTimestamp": _ended(created, status),
        "restartCount": status.get("retryCount"),
        "runningHistories": _histories(histories, phase_of_state(job), now),
    }
    return {name: value for name, value in told.items() if value}


def _ended(created: str | None, status: Mapping[str, Any]) -> str | None:
    """Return the creation and the time that a Job has run for, None for one that doesn't say how long."""
    if not created or status.get("runningDuration") is None:
        return None
    lasted = parse_duration(str(status["runningDuration"])) or 0
    return format_timestamp(parse_timestamp(created, 0) + lasted)


def _histories(before: list[Object], phase: str, now: str) -> list[Object]:
    """Return a Job's phases one after the other; the last has no end."""
    if not before:
        return [{"startTimestamp": now, "state": phase}] if phase else []
    last = before[-1]
    if (last.get("state") or "") == phase:
        return before
    begun = {"startTimestamp": now, "state": phase}
    return [
        *before[:-1],
        last | {"endTimestamp": now},
        {name: value for name, value in begun.items() if value},
    ]


def _condition(job: Object) -> Object:
    status = job.get("status") or {}
    told = {
        "phase": phase_of_state(job),
        "createTime": job["metadata"].get("creationTimestamp"),
        "runningDuration": status.get("runningDuration"),
        "taskStatusCount": status.get("taskStatusCount"),
    }
    return {name: value for name, value in told.items() if value}
