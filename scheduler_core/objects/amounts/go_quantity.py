"""Quantities as Go holds them: what becomes of an amount that 64 bits cannot hold.

Go keeps most amounts as a 64-bit integer and a power of ten (here: short), all others as a decimal of any
length. Which of the two it is decides how a conversion overflows, and so how a scheduler counts `1E` of cpu.

Source: k8s.io/apimachinery v0.36 resource quantity.go ParseQuantity, Add, ScaledValue; amount.go; math.go;
scale_int.go.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from scheduler_core.objects.amounts.quantity import MAX_INT64, MIN_INT64, Parts, parse_quantity, parts_of

_NANO = -9
_DIGITS_OF_INT64 = 18
_WRAPPING = (0, 1, 2, 3, 6, 9)
"""By these powers of ten Go multiplies at once, and keeps what is left; by others digit by digit."""


def wrapped(number: int) -> int:
    """Return what 64 bits keep of a number."""
    return (number + 2**63) % 2**64 - 2**63


@dataclass(frozen=True)
class GoQuantity:
    """`digits` times ten to the `power`; `short` as a 64-bit integer, else as a decimal."""

    digits: int
    power: int
    short: bool

    def __add__(self, other: GoQuantity) -> GoQuantity:
        if self.short and other.short:
            if other.digits == 0:
                return self
            if self.digits == 0:
                return other
        return self._sum(other)

    def _sum(self, other: GoQuantity) -> GoQuantity:
        mine, theirs, power = self._aligned(other)
        fits = all(MIN_INT64 <= number <= MAX_INT64 for number in (mine, theirs, mine + theirs))
        return GoQuantity(mine + theirs, power, self.short and other.short and fits)

    def __gt__(self, other: GoQuantity) -> bool:
        mine, theirs, _ = self._aligned(other)
        return mine > theirs

    def _aligned(self, other: GoQuantity) -> tuple[int, int, int]:
        """Return both digits for the smaller of the two powers, and that power."""
        power = min(self.power, other.power)
        return self.digits * 10 ** (self.power - power), other.digits * 10 ** (other.power - power), power

    def in_units_of(self, power: int) -> int:
        """Return the 64-bit integer that Go counts in units of ten to the `power`."""
        shift = self.power - power
        if shift < 0:
            return wrapped(_divided(self.digits, 10**-shift))
        exact = self.digits * 10**shift
        if not self.short:
            return wrapped(wrapped(self.digits) * 10**shift)
        if MIN_INT64 <= exact <= MAX_INT64 or shift in _WRAPPING:
            return wrapped(exact)
        return 0


def _divided(digits: int, divisor: int) -> int:
    """Divide and round away from zero."""
    return -(-digits // divisor) if digits > 0 else digits // divisor


@lru_cache(maxsize=65_536, typed=True)
def resource_amount(resource_name: str, text: str | int | float | None) -> int:
    """Return what the scheduler counts for a resource: milli-CPU for `cpu`, whole units for all others."""
    return go_quantity(text).in_units_of(unit_of(resource_name))


def unit_of(resource_name: str) -> int:
    """Return the power of ten by which the scheduler counts a resource."""
    return -3 if resource_name == "cpu" else 0


def go_quantity(text: str | int | float | None) -> GoQuantity:
    """Read a quantity as Go does. Raises QuantityError."""
    return _of_text(text) if isinstance(text, str) else _read(text)


@lru_cache(maxsize=65_536)
def _of_text(text: str) -> GoQuantity:
    return _read(text)


def text_of(text: str | int | float | None) -> str:
    """Return a quantity's text as Go hands it on. Raises QuantityError.

    Short ones whose digits look canonical keep the text that they were read from: `2e0`, `+5`, `1.500`.
    """
    parts = parts_of(text)
    if _short(parts) is not None and _looks_canonical(parts):
        return text.strip() if isinstance(text, str) else repr(text)
    return str(parse_quantity(text))


def _looks_canonical(parts: Parts) -> bool:
    digits = (parts.whole.lstrip("0") or "0") + parts.decimals
    if parts.base == 2:
        return int(digits) % 8 != 0
    power = parts.exponent - len(parts.decimals)
    return power % 3 == 0 and not digits.endswith("000") and not digits.startswith("0")


def _read(text: str | int | float | None) -> GoQuantity:
    return _short(parts_of(text)) or GoQuantity(parse_quantity(text).nanos, _NANO, False)


def _short(parts: Parts) -> GoQuantity | None:
    """Return the quantity as an integer and a power of ten, None where Go makes it a decimal."""
    places = len(parts.whole.lstrip("0") or "0") + len(parts.decimals)
    if parts.base == 10:
        room, factor, power = _DIGITS_OF_INT64 - places, 1, parts.exponent - len(parts.decimals)
    else:
        room, factor, power = 15 - places - parts.exponent * 3 // 10 - 1, 2**parts.exponent, 0
    if room < 0 or power < _NANO or (parts.base == 2 and parts.decimals):
        return None
    digits = int(parts.whole + parts.decimals or "0") * factor
    return GoQuantity(-digits if parts.negative else digits, power, True) if digits <= MAX_INT64 else None


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
