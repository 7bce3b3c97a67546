"""RFC 3339 timestamps as nanoseconds since the epoch, and back."""

import re
from datetime import UTC, datetime, timedelta

_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))\Z"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 10**9
_FARTHEST = (2**63 - 10**15) // _SECOND
"""The seconds that are counted in nanoseconds; what 64 bits hold beyond is for all moments further away."""
_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_FIRST = datetime(1, 1, 1, tzinfo=UTC)


def parse_timestamp(text: str | None, absent: int) -> int:
    """Return nanoseconds since 1970-01-01T00:00:00Z; `absent` for None. Raises ValueError for other text.

    Moments before 1678 and after 2262, which 64 bits cannot hold, keep their order, each second by one step.
    """
    if not text:
        return absent
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


def _count(seconds: int, nanoseconds: int) -> int:
    if seconds >= _FARTHEST:
        return _FARTHEST * _SECOND + seconds - _FARTHEST
    if seconds < -_FARTHEST:
        return -_FARTHEST * _SECOND + seconds + _FARTHEST
    return seconds * _SECOND + nanoseconds


def _seconds(counted: int) -> int:
    """Return the whole seconds that `_count` has counted."""
    if counted >= _FARTHEST * _SECOND:
        return counted - _FARTHEST * _SECOND + _FARTHEST
    if counted < -_FARTHEST * _SECOND:
        return counted + _FARTHEST * _SECOND - _FARTHEST
    return counted // _SECOND


def unix_nano(counted: int) -> int:
    """Return Go's time.UnixNano of a moment that parse_timestamp has read: beyond 64 bits it wraps around."""
    if -_FARTHEST * _SECOND <= counted < _FARTHEST * _SECOND:
        return counted
    return (_seconds(counted) * _SECOND + 2**63) % 2**64 - 2**63


def format_timestamp(nanoseconds: int) -> str:
    """Return the UTC timestamp as Kubernetes writes it: whole seconds, `Z`."""
    last, first = (int((end - _EPOCH).total_seconds()) for end in (_LAST, _FIRST))
    moment = _EPOCH + timedelta(seconds=max(first, min(_seconds(nanoseconds), last)))
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
