"""When a cron job's next Job is due, and which one it has missed.

Instants are nanoseconds since the epoch.

Source: volcano v1.16 pkg/controllers/cronjob/cronjob_controller_util.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.go.cron import BadSchedule, Schedule

_SECOND = 10**9
_LATE = 10**8
"""So long after its time a cron job is looked at."""
_MANY = 100


class Missed(NamedTuple):
    """The instant from which on starts count, the last start that is past (None if there is none), and how
    many are past about."""

    since: int
    last: int | None
    number: int


def missed_starts(schedule: Schedule, since: int, now: int) -> Missed:
    """Return which starts since an instant are past. Raises BadSchedule where the schedule has no two."""
    first = schedule.next(since)
    if first is not None and now < first:
        return Missed(since, None, 0)
    second = None if first is None else schedule.next(first)
    if first is None or second is None:
        raise BadSchedule("time difference between two schedules is less than 1 second")
    if now < second:
        return Missed(since, first, 0)
    between = (second - first) // _SECOND
    number = (now - first) // _SECOND // between + 1
    # Schedules are not even: it is counted on from a little before where an even one would be.
    last, coming = None, schedule.next(first + (number - 2) * between * _SECOND)
    while coming is not None and coming <= now:
        last, coming = coming, schedule.next(coming)
    return Missed(since, last, number)


def start_to_make_up(
    schedule: Schedule, since: int, deadline: int | None, now: int
) -> tuple[int | None, bool]:
    """Return the start whose Job is due now, None if none is, and whether very many were missed.

    deadline: a Job may start so much later than its time. Raises BadSchedule.
    """
    missed = missed_starts(schedule, since if deadline is None else max(since, now - deadline), now)
    return missed.last, missed.number > _MANY


def next_look(schedule: Schedule, since: int, now: int) -> int | None:
    """Return when the cron job is to be looked at again, None for never."""
    try:
        missed = missed_starts(schedule, since, now)
    except BadSchedule:
        missed = Missed(since, now, 0)
    last = missed.last
    if last is None:
        last = now if missed.number else missed.since
    coming = schedule.next(last)
    return None if coming is None else coming + _LATE
