"""What Go 1.26's time.Parse answered to these texts by the layout time.RFC3339."""

import pytest

from scheduler_core.go.rfc3339 import NoMoment, parse_rfc3339

SECOND = 10**9
LAYOUT = "2006-01-02T15:04:05Z07:00"


@pytest.mark.parametrize(("text", "seconds", "nanoseconds"), [
    ("1970-01-01T00:00:00Z", 0, 0),
    ("2026-08-21T06:20:00Z", 1_787_293_200, 0),
    ("2026-08-21T6:20:00Z", 1_787_293_200, 0),
    ("2026-08-21T06:20:00,5Z", 1_787_293_200, 500_000_000),
    ("2024-02-29T23:59:59.1234567891+05:30", 1_709_231_399, 123_456_789),
    ("1970-01-02T00:00:00+24:60", -3600, 0),
    ("0000-02-29T00:00:00Z", -62_162_121_600, 0),
])  # fmt: skip
def test_what_go_takes(text, seconds, nanoseconds):
    assert parse_rfc3339(text) == seconds * SECOND + nanoseconds


@pytest.mark.parametrize(("text", "why"), [
    ("", f' as "{LAYOUT}": cannot parse "" as "2006"'),
    ("2026-08-21t06:20:00Z", f' as "{LAYOUT}": cannot parse "t06:20:00Z" as "T"'),
    ("2026-08-21T06:20:00z", f' as "{LAYOUT}": cannot parse "z" as "Z07:00"'),
    ("2026-8-21T06:20:00Z", f' as "{LAYOUT}": cannot parse "8-21T06:20:00Z" as "01"'),
    ("2026-08-21T06:60:00Z", ": minute out of range"),
    ("2026-13-21T06:20:00Z", ": month out of range"),
    ("2023-02-29T06:20:00Z", ": day out of range"),
    ("2026-08-21T06:20:00-25:6x", ": time zone offset hour out of range"),
    ("2026-08-21T06:20:00Z0", ': extra text: "0"'),
    ('2026-08-21T06:20:00é"', f' as "{LAYOUT}": cannot parse "\\xc3\\xa9\\"" as "Z07:00"'),
])  # fmt: skip
def test_what_go_refuses_and_why(text, why):
    shown = text.replace('"', '\\"').replace("é", "\\xc3\\xa9")
    with pytest.raises(NoMoment) as error:
        parse_rfc3339(text)
    assert str(error.value) == f'parsing time "{shown}"{why}'
