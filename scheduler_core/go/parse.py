"""Text as Go's strconv reads it."""

from __future__ import annotations

import re

_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")


def parse_bool(text: str) -> bool | None:
    """Return what strconv.ParseBool reads, None for an error."""
    if text in _TRUE:
        return True
    return False if text in _FALSE else None


def parse_int(text: str, bits: int = 64) -> int | None:
    """Return what strconv.ParseInt reads in base 10, None for an error (out of range, or no number)."""
    if not _INTEGER.match(text):
        return None
    number = int(text)
    return number if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1) else None
