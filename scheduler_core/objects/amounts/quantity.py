"""Kubernetes quantities: how `100m`, `1.5Gi`, `12e6` or the JSON number `2` become whole numbers.

In comes the text or number of a resource amount, out goes a `Quantity` or the integer that the scheduler
counts with: milli-CPU for `cpu`, bytes or whole units for everything else. The rule is that of
`resource.Quantity` in k8s.io/apimachinery: decimal, binary or exponent suffix, at most nine decimal places
(what is finer is rounded away from zero), binary amounts capped at 2^63-1, conversion to a coarser unit
rounded away from zero. Where the original silently overflows int64, `go_quantity.py` says what is left.

Text is bounded before it is converted, so that no input takes long.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

MAX_INT64 = 2**63 - 1
MIN_INT64 = -(2**63)
MAX_TEXT_LENGTH = 128
"""Longest text that is read at all; Kubernetes has no limit, no cluster has a longer one."""
MAX_EXPONENT = 400
"""Largest decimal exponent that is read."""

Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

_NANO_DIGITS = 9
_NANOS = 10**_NANO_DIGITS
_MILLI_NANOS = 10**6

_DECIMAL_EXPONENTS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_EXPONENTS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIXES = {exponent: suffix for suffix, exponent in _DECIMAL_EXPONENTS.items()}
_BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
_UNREADABLE_WITHOUT_DIGITS = {"Pi", "Ei"}
"""Kubernetes reads a bare suffix such as `Ki` as zero, but not these two."""

_QUANTITY = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)", re.ASCII)
_EXPONENT = re.compile(r"[eE]([+-]?)0*([0-9]{1,10})", re.ASCII)


class QuantityError(ValueError):
    """The text is no quantity, or the amount does not fit a 64-bit integer in the unit asked for."""


class Parts(NamedTuple):
    """A quantity's text, taken apart: digits before and after the point, times base to the exponent."""

    negative: bool
    whole: str
    decimals: str
    base: int
    exponent: int
    format: Format


class Quantity(NamedTuple):
    """An exact amount in units of 10^-9, and the kind of suffix that it was written with."""

    nanos: int
    format: Format

    def value(self) -> int:
        """Return the amount in whole units, rounded away from zero. Raises QuantityError beyond int64."""
        return self._in_units_of(_NANOS, "as a 64-bit integer")

    def milli_value(self) -> int:
        """Return the amount in thousandths, rounded away from zero. Raises QuantityError beyond int64."""
        return self._in_units_of(_MILLI_NANOS, "as a 64-bit integer of thousandths")

    def _in_units_of(self, nanos: int, target: str) -> int:
        amount = _divide_away_from_zero(self.nanos, nanos)
        if not MIN_INT64 <= amount <= MAX_INT64:
            raise QuantityError(f"{self} is too large to count {target}")
        return amount

    def __str__(self) -> str:
        """Return the canonical text, as kubectl prints it: `1500m`, `1536Mi`, `12e6`."""
        if self.nanos == 0:
            return "0"
        if self.format == "BinarySI" and abs(self.nanos) >= 1024 * _NANOS and self.nanos % _NANOS == 0:
            return _binary_text(self.nanos // _NANOS)
        return _decimal_text(self.nanos, exponent_form=self.format == "DecimalExponent")


def parse_quantity(text: str | int | float | None) -> Quantity:
    """Read a quantity as the API server does; null is zero. Raises QuantityError."""
    return _parse(text)


def counts_bytes(resource_name: str) -> bool:
    """Tell whether a resource's whole unit is the byte."""
    return resource_name in ("memory", "ephemeral-storage", "storage") or resource_name.startswith(
        "hugepages-"
    )


# A cluster repeats a few hundred texts tens of thousands of times. `typed` keeps 1 and True apart.
@lru_cache(maxsize=65_536, typed=True)
def _parse(text: str | int | float | None) -> Quantity:
    parts = parts_of(text)
    digits = int(parts.whole + parts.decimals or "0")
    nanos, format_ = _round_to_nanos(digits, len(parts.decimals), parts.base, parts.exponent), parts.format
    if format_ == "BinarySI":
        nanos = min(nanos, MAX_INT64 * _NANOS)
        if 0 < nanos < _NANOS:
            format_ = "DecimalSI"
    return Quantity(-nanos if parts.negative else nanos, format_)


def parts_of(text: str | int | float | None) -> Parts:
    """Take a quantity apart; null is zero. Raises QuantityError."""
    if text is None:
        return Parts(False, "0", "", 10, 0, "DecimalSI")
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise QuantityError(f"a quantity must be a string or a number, not {type(text).__name__}")
    if isinstance(text, int) and not -(10**30) < text < 10**30:
        raise QuantityError("the number is too large to be a quantity")
    return _parts_of_text(text.strip() if isinstance(text, str) else repr(text))


def _parts_of_text(text: str) -> Parts:
    if len(text) > MAX_TEXT_LENGTH:
        raise QuantityError(f"a quantity must not be longer than {MAX_TEXT_LENGTH} characters")
    match = _QUANTITY.fullmatch(text)
    if not text or match is None:
        raise QuantityError(
            f"{text!r} is no quantity: expected a number and a suffix, as in 100m, 2, 1.5Gi or 12e6"
        )
    sign, whole, decimals, suffix = match.group(1), match.group(2), match.group(3) or "", match.group(4)
    base, exponent, format_ = _interpret_suffix(text, suffix)
    if not whole + decimals and (suffix in _UNREADABLE_WITHOUT_DIGITS or exponent < -_NANO_DIGITS):
        raise QuantityError(f"{text!r} is no quantity: it has no digits")
    return Parts(sign == "-", whole, decimals, base, exponent, format_)


def _interpret_suffix(text: str, suffix: str) -> tuple[int, int, Format]:
    """Return base, exponent and format of a suffix. Raises QuantityError for one that does not exist."""
    if suffix in _DECIMAL_EXPONENTS:
        return 10, _DECIMAL_EXPONENTS[suffix], "DecimalSI"
    if suffix in _BINARY_EXPONENTS:
        return 2, _BINARY_EXPONENTS[suffix], "BinarySI"
    match = _EXPONENT.fullmatch(suffix)
    if match is None:
        raise QuantityError(f"{text!r} is no quantity: {suffix!r} is no suffix")
    exponent = int(match.group(2))
    if match.group(1) == "-":
        # With so few digits, everything below rounds to the same 1n.
        return 10, -min(exponent, MAX_EXPONENT), "DecimalExponent"
    if exponent > MAX_EXPONENT:
        raise QuantityError(f"{text!r} is too large to be a quantity")
    return 10, exponent, "DecimalExponent"


def _round_to_nanos(digits: int, decimals: int, base: int, exponent: int) -> int:
    """Return digits / 10^decimals * base^exponent in units of 10^-9, rounded up."""
    numerator = digits
    power_of_ten = _NANO_DIGITS - decimals
    if base == 2:
        numerator <<= exponent
    else:
        power_of_ten += exponent
    if power_of_ten >= 0:
        return int(numerator * 10**power_of_ten)
    return _divide_away_from_zero(numerator, 10**-power_of_ten)


def _divide_away_from_zero(amount: int, divisor: int) -> int:
    if amount < 0:
        return amount // divisor
    return -(-amount // divisor)


def _binary_text(amount: int) -> str:
    power = 0
    while amount % 1024 == 0 and power < len(_BINARY_SUFFIXES) - 1:
        amount //= 1024
        power += 1
    return f"{amount}{_BINARY_SUFFIXES[power]}"


def _decimal_text(nanos: int, *, exponent_form: bool) -> str:
    amount, exponent = nanos, -_NANO_DIGITS
    while amount % 1000 == 0 and (exponent_form or exponent < 18):
        amount //= 1000
        exponent += 3
    if exponent_form:
        return f"{amount}e{exponent}" if exponent else str(amount)
    return f"{amount}{_DECIMAL_SUFFIXES[exponent]}"
