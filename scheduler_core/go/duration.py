"""Durations as Go's time package reads and writes them, in nanoseconds."""

from __future__ import annotations

import re

_UNITS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_PART = re.compile(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|ms|s|m|h)")


def parse_duration(text: str) -> int | None:
    """Return what time.ParseDuration reads, in nanoseconds; None for an error."""
    sign, rest = (-1 if text[:1] == "-" else 1), text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0
    total, place = 0, 0
    while place < len(rest):
        match = _PART.match(rest, place)
        if match is None or not (match[1] or match[2]):
            return None
        unit, decimals = _UNITS[match[3]], match[2] or ""
        total += int(match[1] or "0") * unit + int(decimals or "0") * unit // 10 ** len(decimals)
        place = match.end()
    return sign * total if rest else None


def duration_text(nanoseconds: int) -> str:
    """Return Duration.String of so many nanoseconds: `5m0s`, `1.5s`, `20ms`."""
    if nanoseconds == 0:
        return "0s"
    sign, rest = ("-" if nanoseconds < 0 else ""), abs(nanoseconds)
    for unit, name in ((10**3, "ns"), (10**6, "µs"), (10**9, "ms")):
        if rest < unit:
            return f"{sign}{_decimal(rest, unit // 1000)}{name}"
    minutes, rest = divmod(rest, _UNITS["m"])
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(rest, _UNITS['s'])}s"
    if hours:
        return f"{sign}{hours}h{minutes}m{text}"
    return f"{sign}{minutes}m{text}" if minutes else sign + text


def _decimal(amount: int, unit: int) -> str:
    whole, rest = divmod(amount, unit)
    if not rest:
        return str(whole)
    return f"{whole}.{str(rest).rjust(len(str(unit)) - 1, '0').rstrip('0')}"
