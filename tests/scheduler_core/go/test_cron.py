"""Schedules as the library robfig/cron v3.0.1 follows them, which was asked about each of these."""

from datetime import UTC, datetime

import pytest

from scheduler_core.go.cron import BadSchedule, read_schedule

ASKED = [
    ("* * * * *", "2026-06-01T00:00:00+00:00", "2026-06-01T00:01"),
    ("*/15 8-18/2 * * mon-FRI", "2026-06-05T18:50:00+00:00", "2026-06-08T08:00"),
    ("0 0 13 * 5", "2026-06-01T00:00:00+00:00", "2026-06-05T00:00"),
    ("0 0 */2 * 1", "2026-06-01T00:00:00+00:00", "2026-06-03T00:00"),
    ("0 0 * * 1", "2026-06-02T00:00:00+00:00", "2026-06-08T00:00"),
    ("30 2 * * *", "2026-03-28T12:00:00+00:00", "2026-03-29T02:30"),
    ("TZ=Europe/Berlin 30 2 * * *", "2026-03-28T12:00:00+00:00", "2026-03-30T00:30"),
    ("TZ=Europe/Berlin 30 2 * * *", "2026-10-24T12:00:00+00:00", "2026-10-25T00:30"),
    ("TZ=Europe/Berlin 30 2 * * *", "2026-10-25T00:30:00+00:00", "2026-10-25T01:30"),
    ("TZ=America/Sao_Paulo 0 0 4 11 *", "2018-11-01T00:00:00+00:00", "2019-11-04T03:00"),
    ("CRON_TZ=America/Havana 15 0 * 3 0", "2026-03-07T12:00:00+00:00", "2026-03-15T04:15"),
    ("TZ=Australia/Lord_Howe */20 2 * * *", "2026-10-03T14:00:00+00:00", "2026-10-03T15:40"),
    ("59 23 31 2 *", "2026-06-01T00:00:00+00:00", None),
    ("0 0 29 feb ?", "2026-06-01T00:00:00+00:00", "2028-02-29T00:00"),
    ("5/20 * * * *", "2026-06-01T00:46:00+00:00", "2026-06-01T01:05"),
    (", * * * *", "2026-06-01T00:00:00+00:00", None),
    ("* , * * *", "2026-06-01T00:00:00+00:00", None),
    ("@weekly", "2026-06-01T00:00:00+00:00", "2026-06-07T00:00"),
    ("@yearly", "2026-06-01T00:00:00+00:00", "2027-01-01T00:00"),
    ("TZ=Asia/Kathmandu @hourly", "2026-06-01T00:00:00+00:00", "2026-06-01T00:15"),
    ("+5 05 * * *", "2026-06-01T00:00:00+00:00", "2026-06-01T05:05"),
]
REFUSED = [
    "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7",
    "5-1 * * * *", "*/0 * * * *", "1-2-3 * * * *", "1/2/3 * * * *", "x * * * *", "1_0 * * * *", "-1 * * * *",
    "@never", "@every x", "@every", "TZ=Nowhere/X * * * * *", "CRON_TZ=../x * * * * *",
]  # fmt: skip


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 10**9


@pytest.mark.parametrize(("schedule", "after", "then"), ASKED)
def test_the_next_time_is_that_of_the_library(schedule: str, after: str, then: str | None) -> None:
    found = read_schedule(schedule).next(instant(after))
    told = None if found is None else datetime.fromtimestamp(found // 10**9, UTC).isoformat()[:16]
    assert told == then


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_library_refuses_is_refused(text: str) -> None:
    with pytest.raises(BadSchedule):
        read_schedule(text)


def test_an_interval_is_counted_from_the_second_on() -> None:
    assert read_schedule("@every 90s").next(10**9 + 1) == 91 * 10**9
    assert read_schedule("@every 1.7s").next(0) == read_schedule("@every 10ms").next(0) == 10**9
