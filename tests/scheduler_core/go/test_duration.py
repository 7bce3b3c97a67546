"""Durations are read and written as Go's time package does."""

import pytest

from scheduler_core.go.duration import duration_text, parse_duration

SECOND = 10**9


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("0", 0),
        ("1s", SECOND),
        ("1.5h", 5400 * SECOND),
        ("1h15m30.918273645s", 4530918273645),
        ("-20ms", -20 * 10**6),
        ("+.5us", 500),
        ("3µs", 3000),
    ],
)
def test_a_duration_is_read(text, nanoseconds):
    assert parse_duration(text) == nanoseconds


@pytest.mark.parametrize("text", ["", "5", "s", ".s", "1d", "1s ", "-", "1h-5m"])
def test_what_is_no_duration_is_not_read(text):
    assert parse_duration(text) is None


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0, "0s"),
        (SECOND, "1s"),
        (300 * SECOND, "5m0s"),
        (3600 * SECOND + 1, "1h0m0.000000001s"),
        (1_500_000, "1.5ms"),
        (1100, "1.1µs"),
        (7, "7ns"),
        (-90 * SECOND, "-1m30s"),
    ],
)
def test_a_duration_is_written(nanoseconds, text):
    assert duration_text(nanoseconds) == text
    assert parse_duration(text) == nanoseconds
