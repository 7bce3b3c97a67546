"""Schedules in the form of cron, as the Go library reads and follows them that controllers use.

Python's libraries read more forms, and go over a change of the clocks in another way: a Job would come at
another time.

Source: github.com/robfig/cron v3.0.1 parser.go (ParseStandard), spec.go, constantdelay.go; Go's time.Date.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scheduler_core.go.duration import parse_duration

_SECOND = 10**9
_YEARS = 5
"""So far is searched for a time that fits."""
_NOON = 12
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - compared with local times
_NUMBER = re.compile(r"[+-]?[0-9]+")


class BadSchedule(Exception):
    """A text that is no schedule; the message says why."""


class Schedule(Protocol):
    """When something is to be done."""

    def next(self, after: int) -> int | None:
        """Return the next time after an instant, both in nanoseconds since the epoch; None if none comes."""


class _Field(NamedTuple):
    """What a field may hold: from the first to the last, or a name."""

    first: int
    last: int
    names: Mapping[str, int] = {}


def _named(first: int, names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names.split(), first)}


_MINUTE, _HOUR, _DAY = _Field(0, 59), _Field(0, 23), _Field(1, 31)
_MONTH = _Field(1, 12, _named(1, "jan feb mar apr may jun jul aug sep oct nov dec"))
_WEEKDAY = _Field(0, 6, _named(0, "sun mon tue wed thu fri sat"))
_FIELDS = (_MINUTE, _HOUR, _DAY, _MONTH, _WEEKDAY)
_DESCRIPTORS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_EVERY = "@every "


def read_schedule(text: str, zone: tzinfo = UTC) -> Schedule:
    """Return the schedule of a text of five fields or a descriptor. Raises BadSchedule.

    zone: the time zone of a schedule that names none itself by `TZ=` or `CRON_TZ=`.
    """
    if text.startswith(("TZ=", "CRON_TZ=")):
        name, _, text = text.partition("=")[2].partition(" ")
        zone, text = read_zone(name), text.strip()
    if text.startswith(_EVERY):
        return _Every(_interval(text.removeprefix(_EVERY)))
    if text.startswith("@") and text not in _DESCRIPTORS:
        raise BadSchedule(f"unrecognized descriptor: {text}")
    fields = _DESCRIPTORS.get(text, text).split()
    if len(fields) != len(_FIELDS):
        raise BadSchedule(f"expected exactly 5 fields, found {len(fields)}")
    read = [_read_field(part, field) for part, field in zip(fields, _FIELDS, strict=True)]
    (minutes, _), (hours, _), (days, all_days), (months, _), (weekdays, all_weekdays) = read
    return _Calendar(minutes, hours, days, months, weekdays, all_days or all_weekdays, zone)


def read_zone(name: str) -> tzinfo:
    """Return a time zone by its name in the time zone database; UTC for no name. Raises BadSchedule."""
    if name in ("", "UTC", "Local"):
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadSchedule(f"unknown time zone {name}") from None


# -- reading ---------------------------------------------------------------------------------------------


def _interval(text: str) -> int:
    """Return a duration in whole seconds, a second at least."""
    duration = parse_duration(text)
    if duration is None:
        raise BadSchedule(f"failed to parse duration {text}")
    return max(duration // _SECOND, 1)


def _read_field(text: str, field: _Field) -> tuple[frozenset[int], bool]:
    """Return the numbers that a field lets through, and whether it has a star that means all of them."""
    numbers, has_star = set[int](), False
    for part in filter(None, text.split(",")):
        chosen, is_star = _read_range(part, field)
        numbers.update(chosen)
        has_star = has_star or is_star
    return frozenset(numbers), has_star


def _read_range(text: str, field: _Field) -> tuple[range, bool]:
    bounds, *steps = text.split("/")
    low, *highs = bounds.split("-")
    is_star = low in ("*", "?")
    if is_star:
        first, last = field.first, field.last
    elif len(highs) > 1:
        raise BadSchedule(f"too many hyphens: {text}")
    else:
        first = _read_number(low, field.names)
        last = _read_number(highs[0], field.names) if highs else first
    if len(steps) > 1:
        raise BadSchedule(f"too many slashes: {text}")
    step = _read_number(steps[0], {}) if steps else 1
    if steps and not highs:
        last = field.last
    if first < field.first or last > field.last or first > last:
        raise BadSchedule(
            f"a range from {first} to {last} is not within {field.first} to {field.last}: {text}"
        )
    if step == 0:
        raise BadSchedule(f"step of range should be a positive number: {text}")
    return range(first, last + 1, step), is_star and step == 1


def _read_number(text: str, names: Mapping[str, int]) -> int:
    named = names.get(text.lower())
    if named is not None:
        return named
    if not _NUMBER.fullmatch(text) or int(text) < 0:
        raise BadSchedule(f"failed to parse int from {text}")
    return int(text)


# -- following -------------------------------------------------------------------------------------------


class _Every(NamedTuple):
    """Every so many seconds."""

    interval: int

    def next(self, after: int) -> int:
        """Return the time that is so many seconds later, on the second."""
        return (after // _SECOND + self.interval) * _SECOND


class _Calendar(NamedTuple):
    """The times that five fields let through.

    A day has to fit both its fields if one of them lets all through (`is_star`), else one is enough.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    is_star: bool
    zone: tzinfo

    def next(self, after: int) -> int | None:
        """Return the next time that fits; None where there is none for five years."""
        if not (self.minutes and self.hours and self.months):
            return None
        hand = _Hand(after // _SECOND + 1, self.zone)
        last = hand.local.year + _YEARS
        while hand.local.year <= last:
            if self._settle(hand):
                return hand.second * _SECOND
        return None

    def _settle(self, hand: _Hand) -> bool:
        """Move the hand on until it fits; False where a larger unit has turned, to be looked at again."""
        while hand.local.month not in self.months:
            hand.next_month()
            if hand.local.month == 1:
                return False
        while not self._is_day(hand.local):
            hand.next_day()
            if hand.local.day == 1:
                return False
        while hand.local.hour not in self.hours:
            hand.next_hour()
            if hand.local.hour == 0:
                return False
        while hand.local.minute not in self.minutes:
            hand.next_minute()
            if hand.local.minute == 0:
                return False
        if rest := hand.local.second:
            hand.move_to(hand.second + 60 - rest)
        return not rest

    def _is_day(self, local: datetime) -> bool:
        day, weekday = local.day in self.days, local.isoweekday() % 7 in self.weekdays
        return (day and weekday) if self.is_star else (day or weekday)


class _Hand:
    """An instant, in seconds since the epoch, that moves on by units of a time zone.

    The first unit that moves begins at its beginning, after that the smaller ones are there already.
    """

    def __init__(self, second: int, zone: tzinfo) -> None:
        self._zone = zone
        self._has_moved = False
        self.move_to(second)

    def move_to(self, second: int) -> None:
        """Move to an instant; `local` is its date and time in the zone."""
        self.second = second
        self.local = datetime.fromtimestamp(second, self._zone)

    def next_month(self) -> None:
        now = self._at_first(day=1, hour=0, minute=0)
        self._move_to_local(now + timedelta(days=calendar.monthrange(now.year, now.month)[1]))

    def next_day(self) -> None:
        """Move on by a day; where the clocks change at midnight, to that which is there."""
        self._move_to_local(self._at_first(hour=0, minute=0) + timedelta(days=1))
        hour = self.local.hour
        self.move_to(self.second + ((24 - hour) if hour > _NOON else -hour) * 3600)

    def next_hour(self) -> None:
        self._at_first(minute=0)
        self.move_to(self.second + 3600)

    def next_minute(self) -> None:
        if not self._has_moved:
            self._has_moved = True
            self.move_to(self.second - self.second % 60)
        self.move_to(self.second + 60)

    def _at_first(self, **units: int) -> datetime:
        """Return the local time without its zone, after the first move to where these units begin."""
        if not self._has_moved:
            self._has_moved = True
            self._move_to_local(self.local.replace(tzinfo=None, second=0, **units))
        return self.local.replace(tzinfo=None)

    def _move_to_local(self, local: datetime) -> None:
        """Move to a local time; of one that doesn't exist, or exists twice, to what Go takes for it."""
        unzoned = (local.replace(fold=0) - _EPOCH) // timedelta(seconds=1)
        if offset := self._offset(unzoned):
            offset = self._offset(unzoned - offset)
        self.move_to(unzoned - offset)

    def _offset(self, second: int) -> int:
        offset = datetime.fromtimestamp(second, self._zone).utcoffset() or timedelta()
        return offset // timedelta(seconds=1)
