"""Numbers as HAMi's Go code has them: 32-bit floats, quotients and decimal quantities."""

from __future__ import annotations

import struct

import numpy as np

from scheduler_core.objects.amounts.go_quantity import canonical, wrapped

MAX_INT32 = 2**31 - 1
_FLOAT = struct.Struct("f")


def float32(number: float) -> float:
    """Round to the nearest 32-bit float."""
    rounded: float = _FLOAT.unpack(_FLOAT.pack(number))[0]
    return rounded


def fewest_digits(number: float) -> float:
    """Return a 32-bit float as it is written with the fewest digits that mean it."""
    return float(str(np.float32(number)))


def quotient(numerator: int, denominator: int) -> int:
    """Divide as Go does: truncated towards zero."""
    result = abs(numerator) // abs(denominator)
    return result if (numerator < 0) == (denominator < 0) else -result


def go_decimal(number: int) -> str:
    """Return the canonical text of a decimal quantity made of a whole number, as much as 64 bits keep."""
    return canonical(str(wrapped(number)))
