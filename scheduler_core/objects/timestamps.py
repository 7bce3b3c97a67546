"""RFC 3339 timestamps as nanoseconds since the epoch, and back."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))\Z"
)
_PLAIN = re.compile(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
)
"""As API servers write moments, but for those that need a calendar."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 10**9
_FARTHEST = (2**63 - 10**15) // _SECOND
"""The seconds that are counted in nanoseconds; what 64 bits hold beyond is for all moments further away."""
NANOSECONDS_END = _FARTHEST * _SECOND
"""From its negative to just before it, moments are counted in nanoseconds."""
_LAST = (datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - _EPOCH) // timedelta(seconds=1)
_FIRST = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(seconds=1)
"""The first and the last second that can be written."""
_UNZONED_EPOCH = _EPOCH.replace(tzinfo=None)


def parse_timestamp(text: str | None, absent: int) -> int:
    """Return nanoseconds since 1970-01-01T00:00:00Z; `absent` for None. Raises ValueError for other text.

    Moments before 1678 and after 2262, which 64 bits cannot hold, keep their order, each second by one step.
    """
    if not text:
        return absent
    if _PLAIN.fullmatch(text):
        moment = datetime.fromisoformat(text[:-1])
        return _count((moment - _UNZONED_EPOCH) // timedelta(seconds=1), 0)
    match = _TIMESTAMP.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no RFC 3339 timestamp, as in 2026-06-01T00:00:00Z")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    whole = (moment - _EPOCH) // timedelta(seconds=1) + max(0, second - 59)
    if match[8]:
        offset = int(match[9]) * 3600 + int(match[10]) * 60
        whole -= offset if match[8] == "+" else -offset
    return _count(whole, int((match[7] or "0").ljust(9, "0")))


def is_timestamp(value: Any) -> bool:
    """Tell whether a value is a text that `parse_timestamp` can read."""
    if not isinstance(value, str) or not value:
        return False
    if _PLAIN.fullmatch(value):
        return True
    try:
        parse_timestamp(value, 0)
    except (ValueError, OverflowError):
        return False
    return True


def _count(seconds: int, nanoseconds: int) -> int:
    if seconds >= _FARTHEST:
        return NANOSECONDS_END + seconds - _FARTHEST
    if seconds < -_FARTHEST:
        return -NANOSECONDS_END + seconds + _FARTHEST
    return seconds * _SECOND + nanoseconds


def _seconds(counted: int) -> int:
    """Return the whole seconds that `_count` has counted."""
    if counted >= NANOSECONDS_END:
        return counted - NANOSECONDS_END + _FARTHEST
    if counted < -NANOSECONDS_END:
        return counted + NANOSECONDS_END - _FARTHEST
    return counted // _SECOND


def unix_nano(counted: int) -> int:
    """Return Go's time.UnixNano of a moment that parse_timestamp has read: beyond 64 bits it wraps around."""
    if -NANOSECONDS_END <= counted < NANOSECONDS_END:
        return counted
    return (_seconds(counted) * _SECOND + 2**63) % 2**64 - 2**63


@lru_cache(maxsize=4096)
def format_timestamp(nanoseconds: int) -> str:
    """Return the UTC timestamp as Kubernetes writes it: whole seconds, `Z`."""
    moment = _UNZONED_EPOCH + timedelta(seconds=max(_FIRST, min(_seconds(nanoseconds), _LAST)))
    return moment.isoformat() + "Z"
