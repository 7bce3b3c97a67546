"""A cron job as its controller reads and writes it.

Source: volcano.sh/apis v1.16 batch/v1alpha1 job.go (CronJob).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, tzinfo

from scheduler_core.go.cron import BadSchedule, Schedule, read_schedule, read_zone
from scheduler_core.objects.timestamps import format_timestamp, is_timestamp, parse_timestamp
from scheduler_core.objects.types import convert
from scheduler_core.volcano.controllers.kinds import Object, key_of, split
from scheduler_core.volcano.model.job_objects import CronJobSpec

_SECOND = 10**9


class ActiveJobs:
    """References to a cron job's Jobs that have not ended.

    Taking one out moves the others up in place, as in the controller's: who goes through the list meanwhile
    may pass one over and meet the last one twice.
    """

    def __init__(self, references: list[Object]) -> None:
        self._places = list(references)
        self._number = len(references)

    def __len__(self) -> int:
        return self._number

    @property
    def references(self) -> list[Object]:
        """The references that are in the list."""
        return self._places[: self._number]

    def walk(self) -> Iterator[Object]:
        """Go through the list, of which references may be taken out meanwhile."""
        places, number = self._places, self._number
        for place in range(number):
            yield places[place]

    def has(self, uid: str) -> bool:
        """Return whether the list has a Job."""
        return bool(uid) and any(one.get("uid") == uid for one in self.references)

    def add(self, reference: Object) -> None:
        """Put a reference at the end."""
        self._places = [*self.references, reference]
        self._number = len(self._places)

    def take_out(self, uid: str) -> None:
        """Take a Job out of the list."""
        kept = [one for one in self.references if one.get("uid") != uid]
        self._places[: len(kept)] = kept
        self._number = len(kept)


@dataclass
class CronJob:
    """A cron job, of which the status is changed and then written. `item` is it as it was read."""

    item: Object
    spec: CronJobSpec
    active: ActiveJobs
    last_schedule: int | None
    last_success: int | None

    @classmethod
    def read(cls, item: Object) -> CronJob:
        """Return a cron job as the API server has it."""
        status = item.get("status") or {}
        return cls(
            item,
            convert(item.get("spec") or {}, CronJobSpec),
            ActiveJobs(status.get("active") or []),
            _instant(status.get("lastScheduleTime")),
            _instant(status.get("lastSuccessfulTime")),
        )

    @property
    def template(self) -> Object:
        """What its Jobs are made of, to be read only."""
        return (self.item.get("spec") or {}).get("jobTemplate") or {}

    @property
    def namespace(self) -> str:
        return split(key_of(self.item))[0]

    @property
    def name(self) -> str:
        return str(self.item["metadata"]["name"])

    @property
    def uid(self) -> str:
        return str(self.item["metadata"]["uid"])

    @property
    def since(self) -> int:
        """From when on starts count: the last one, or the creation."""
        if self.last_schedule is not None:
            return self.last_schedule
        return _instant(self.item["metadata"].get("creationTimestamp")) or 0

    @property
    def deadline(self) -> int | None:
        """How much later than its time a Job may start, in nanoseconds."""
        seconds = self.spec.starting_deadline_seconds
        return None if seconds is None else seconds * _SECOND

    def zone(self) -> tzinfo:
        """Return the time zone of its field. Raises BadSchedule."""
        return read_zone(self.spec.time_zone or "")

    def schedule(self) -> Schedule:
        """Return the schedule; a zone in its text counts before the field, which may be none. Raises
        BadSchedule."""
        try:
            zone = self.zone()
        except BadSchedule:
            zone = UTC
        return read_schedule(self.spec.schedule, zone)

    def with_status(self) -> Object:
        """Return it as it is to be written."""
        status: Object = {}
        if references := self.active.references:
            status["active"] = references
        times = {"lastScheduleTime": self.last_schedule, "lastSuccessfulTime": self.last_success}
        status |= {name: format_timestamp(at) for name, at in times.items() if at is not None}
        return self.item | {"status": status}


def _instant(text: str | None) -> int | None:
    """Return an instant; None for a text that is none, as API servers write none."""
    return parse_timestamp(text, 0) if text and is_timestamp(text) else None
