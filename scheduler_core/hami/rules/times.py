"""The present moment in the forms in which HAMi writes it, and moments that it reads.

A clock is a function that returns nanoseconds since the epoch; HAMi's time zone is UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp

Clock = Callable[[], int]
SECOND = 10**9
_DATE_TIME = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\Z")


def unix(now: int) -> str:
    """Return the moment as whole seconds."""
    return str(now // SECOND)


def rfc3339(now: int) -> str:
    """Return the moment as Kubernetes writes it."""
    return format_timestamp(now)


def date_time(now: int) -> str:
    """Return the moment as a handshake has it: `2006-01-02 15:04:05`."""
    return format_timestamp(now).replace("T", " ").removesuffix("Z")


def read_date_time(text: str) -> int | None:
    """Return the moment of a handshake, None for text that is none."""
    match = _DATE_TIME.match(text)
    if match is None:
        return None
    try:
        return parse_timestamp(f"{match[1]}T{match[2]}Z", 0)
    except ValueError:
        return None
