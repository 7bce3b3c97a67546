"""Numbers as HAMi's Go code has them: 32-bit integers and floats, and quantities as integers."""

from __future__ import annotations

import struct
from functools import lru_cache

import numpy as np

from scheduler_core.objects.amounts.go_quantity import go_quantity, text_of, wrapped
from scheduler_core.objects.amounts.quantity import MAX_INT64, MIN_INT64

MAX_INT32 = 2**31 - 1
_FLOAT = struct.Struct("f")


def float32(number: float) -> float:
    """Round to the nearest 32-bit float."""
    rounded: float = _FLOAT.unpack(_FLOAT.pack(number))[0]
    return rounded


def fewest_digits(number: float) -> float:
    """Return a 32-bit float as it is written with the fewest digits that mean it."""
    return float(str(np.float32(number)))


def int32(number: int) -> int:
    """Return what 32 bits keep of a number."""
    return (number + 2**31) % 2**32 - 2**31


def quotient(numerator: int, denominator: int) -> int:
    """Divide as Go does: truncated towards zero."""
    result = abs(numerator) // abs(denominator)
    return result if (numerator < 0) == (denominator < 0) else -result


@lru_cache(maxsize=65_536)
def as_int64(text: str | int | float) -> int | None:
    """Return a quantity as an integer, None for `1500m` and for more digits than Go's short form has.

    Go reads what an API server hands on, so that `3000m` is 3.
    """
    amount = go_quantity(canonical(text))
    if not amount.short or amount.power < 0:
        return None
    number = amount.digits * 10**amount.power
    return number if MIN_INT64 <= number <= MAX_INT64 else None


@lru_cache(maxsize=65_536)
def whole(text: str | int | float) -> int:
    """Return a quantity in whole units, rounded away from zero; what overflows wraps around as in Go."""
    return wrapped(go_quantity(text).in_units_of(0))


@lru_cache(maxsize=65_536)
def canonical(text: str | int | float) -> str:
    """Return a quantity's text as an API server hands it on: nearly always the canonical one."""
    return text_of(text)


def go_decimal(number: int) -> str:
    """Return the canonical text of a decimal quantity made of a whole number, as much as 64 bits keep."""
    return canonical(str(wrapped(number)))
