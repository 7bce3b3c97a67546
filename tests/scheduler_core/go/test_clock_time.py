"""Times of the day: what Go's time.Parse said of each by the layout 15:04."""

import pytest

from scheduler_core.go.clock_time import parse_clock_time

AS_LAYOUT = ' as "15:04": cannot parse '


@pytest.mark.parametrize(("text", "minutes"), [("00:00", 0), ("7:05", 425), ("23:59", 1439)])
def test_a_time_is_read(text, minutes):
    assert parse_clock_time(text) == minutes


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", AS_LAYOUT + '"" as "15"'),
        ("noon", AS_LAYOUT + '"noon" as "15"'),
        (" 8:00", AS_LAYOUT + '" 8:00" as "15"'),
        ("8", AS_LAYOUT + '"" as ":"'),
        ("123:00", AS_LAYOUT + '"3:00" as ":"'),
        ("8:5", AS_LAYOUT + '"5" as "04"'),
        ("8:", AS_LAYOUT + '"" as "04"'),
        ("24:00", ": hour out of range"),
        ("8:60", ": minute out of range"),
        ("8:00 ", ': extra text: " "'),
        ("08:000", ': extra text: "0"'),
    ],
)
def test_what_is_no_time_is_refused_in_gos_words(text, fault):
    with pytest.raises(ValueError, match="parsing time") as caught:
        parse_clock_time(text)
    assert str(caught.value) == f'parsing time "{text}"{fault}'
