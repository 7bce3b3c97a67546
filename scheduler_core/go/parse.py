"""Text as Go's strconv reads it."""

from __future__ import annotations

import re
from math import inf, isinf

from scheduler_core.go.quote import quote

_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_MOST_DIGITS = 20
"""More than 64 bits hold; Python itself refuses to read some thousands."""
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
_HEXADECIMAL = re.compile(r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+\Z")
_UNDERSCORE = re.compile(r"(?<=[0-9])_(?=[0-9])")
_HEXADECIMAL_UNDERSCORE = re.compile(r"(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])")
_INFINITY = re.compile(r"[+-]?inf(inity)?\Z", re.IGNORECASE)


def parse_bool(text: str) -> bool | None:
    """Return what strconv.ParseBool reads, None for an error."""
    if text in _TRUE:
        return True
    return False if text in _FALSE else None


def parse_int(text: str, bits: int = 64) -> int | None:
    """Return what strconv.ParseInt reads in base 10, None for an error (out of range, or no number)."""
    if not _INTEGER.match(text) or len(text.lstrip("+-0")) > _MOST_DIGITS:
        return None
    number = int(text)
    return number if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1) else None


def atoi(text: str) -> int:
    """Return what strconv.Atoi reads. Raises ValueError in its words."""
    number = parse_int(text)
    if number is None:
        raise ValueError(_fault("Atoi", text, _INTEGER.match(text) is not None))
    return number


def parse_float(text: str) -> float:
    """Return what strconv.ParseFloat reads as 64 bits. Raises ValueError in its words."""
    if _INFINITY.match(text) or text.lower() in ("nan", "+nan", "-nan"):
        return float(text)
    hexadecimal = "x" in text.lower()
    digits = (_HEXADECIMAL_UNDERSCORE if hexadecimal else _UNDERSCORE).sub("", text)
    if not (_DECIMAL.match(digits) or _HEXADECIMAL.match(digits)):
        raise ValueError(_fault("ParseFloat", text, False))
    try:
        number = float.fromhex(digits) if hexadecimal else float(digits)
    except OverflowError:
        number = inf
    if isinf(number):
        raise ValueError(_fault("ParseFloat", text, True))
    return number


def _fault(function: str, text: str, is_number: bool) -> str:
    reason = "value out of range" if is_number else "invalid syntax"
    return f"strconv.{function}: parsing {quote(text)}: {reason}"
