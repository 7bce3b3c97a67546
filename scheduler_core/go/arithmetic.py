"""Go's division, and its natural logarithm to the last bit.

The C library's logarithm differs from Go's in the last place for one integer in a hundred, and a score is
rounded.

Source: Go 1.26 math.Log, which is the method of FreeBSD's e_log.c: x = 2**k * (1 + f) with 1 + f between
sqrt(2)/2 and sqrt(2), and a polynomial in s = f / (2 + f); the Go specification, integer operators.
"""

import math

import numpy as np
from numpy.typing import NDArray

_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_COEFFICIENTS = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


def go_divide(numerator: NDArray[np.int64], denominator: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Divide int64 as Go does: the quotient is truncated towards zero. The denominator must not be 0."""
    if not _any_negative(denominator) and not _any_negative(numerator):
        return numerator // denominator  # Where nothing is negative, all divide alike.
    quotient = np.abs(numerator) // np.abs(denominator)
    return np.where((numerator < 0) == (np.asarray(denominator) < 0), quotient, -quotient)


def _any_negative(numbers: NDArray[np.int64] | int) -> bool:
    # The sign is a bit as any other: to gather all bits costs less than to look for the least number.
    return (numbers if isinstance(numbers, int) else int(np.bitwise_or.reduce(numbers, axis=None))) < 0


def int32(number: int) -> int:
    """Return what 32 bits keep of a number."""
    return (number + 2**31) % 2**32 - 2**31


def wrap_int64(value: int) -> int:
    """Return what an int64 holds after arithmetic that came to this."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def go_log(x: float) -> float:
    """Return math.Log(x) for a finite x > 0."""
    fraction, exponent = math.frexp(x)
    if fraction < math.sqrt(2) / 2:
        fraction, exponent = fraction * 2, exponent - 1
    f, k = fraction - 1, float(exponent)
    s = f / (2 + f)
    s2 = s * s
    s4 = s2 * s2
    c1, c2, c3, c4, c5, c6, c7 = _COEFFICIENTS
    odd = s2 * (c1 + s4 * (c3 + s4 * (c5 + s4 * c7)))
    even = s4 * (c2 + s4 * (c4 + s4 * c6))
    half_square = 0.5 * f * f
    return k * _LN2_HIGH - ((half_square - (s * (half_square + (odd + even)) + k * _LN2_LOW)) - f)
