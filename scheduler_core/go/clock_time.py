"""Times of the day as Go's time.Parse reads them by the layout `15:04`.

Source: Go 1.26 time/format.go Parse, getnum, ParseError.Error.
"""

import re

from scheduler_core.go.quote import quote

_LAYOUT = "15:04"
_HOUR, _MINUTE = re.compile("[0-9]{1,2}"), re.compile("[0-9]{2}")


def parse_clock_time(text: str) -> int:
    """Return the minutes since midnight. Raises ValueError in Go's words.

    An hour may have one digit, a minute has two.
    """
    hour = _HOUR.match(text)
    if hour is None:
        raise _cannot(text, text, "15")
    if int(hour[0]) > 23:
        raise ValueError(f"parsing time {quote(text)}: hour out of range")
    rest = text[hour.end() :]
    if not rest.startswith(":"):
        raise _cannot(text, rest, ":")
    minute = _MINUTE.match(rest, 1)
    if minute is None:
        raise _cannot(text, rest[1:], "04")
    if int(minute[0]) > 59:
        raise ValueError(f"parsing time {quote(text)}: minute out of range")
    if extra := rest[minute.end() :]:
        raise ValueError(f"parsing time {quote(text)}: extra text: {quote(extra)}")
    return int(hour[0]) * 60 + int(minute[0])


def _cannot(text: str, rest: str, wanted: str) -> ValueError:
    return ValueError(
        f"parsing time {quote(text)} as {quote(_LAYOUT)}: cannot parse {quote(rest)} as {quote(wanted)}"
    )
