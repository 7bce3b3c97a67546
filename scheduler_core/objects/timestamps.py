"""RFC 3339 timestamps as nanoseconds since the epoch, and back."""

import re
from datetime import UTC, datetime, timedelta

_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))\Z"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FARTHEST = 2**63 - 10**15
"""Some days less than 64 bits hold, so that a run's clock can go on from there."""


def parse_timestamp(text: str | None, absent: int) -> int:
    """Return nanoseconds since 1970-01-01T00:00:00Z; `absent` for None. Raises ValueError for other text.

    Moments before 1678 and after 2262, which 64 bits cannot hold, count as the first and the last of them.
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
    return min(max(whole * 10**9 + int((match[7] or "0").ljust(9, "0")), -_FARTHEST), _FARTHEST)


def format_timestamp(nanoseconds: int) -> str:
    """Return the UTC timestamp as Kubernetes writes it: whole seconds, `Z`."""
    moment = _EPOCH + timedelta(seconds=nanoseconds // 10**9)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
