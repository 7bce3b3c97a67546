"""Kubernetes' own functions: of quantities and of semantic versions.

Source: kubernetes v1.36 apiserver/pkg/cel/library quantity.go, semverlib.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.cel.semantic_versions import Version, VersionError, normalized, parse_version
from scheduler_core.cel.values import EvaluationError, no_such_overload
from scheduler_core.objects.amounts.quantity import Quantity, QuantityError, parse_quantity

_NANOS = 10**9
_MIN_INT64, _MAX_INT64 = -(2**63), 2**63 - 1
_NO_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


def quantity(text: Any) -> Quantity:
    """Return a text as a quantity. Raises EvaluationError."""
    if type(text) is not str:
        raise no_such_overload()
    try:
        if not text or text != text.strip():
            raise QuantityError
        return parse_quantity(text)
    except QuantityError as error:
        raise EvaluationError(_NO_QUANTITY) from error


def semver(text: Any, normalize: Any = False) -> Version:
    """Return a text as a semantic version. Raises EvaluationError."""
    if type(text) is not str or type(normalize) is not bool:
        raise no_such_overload()
    try:
        return parse_version(normalized(text) if normalize else text)
    except VersionError as error:
        raise EvaluationError(str(error)) from error


def readable(make: Callable[..., Any]) -> Callable[..., bool]:
    """Return a function that says whether a text can be read by another one."""

    def is_readable(text: Any, *rest: Any) -> bool:
        if type(text) is not str or any(type(one) is not bool for one in rest):
            raise no_such_overload()
        try:
            make(text, *rest)
        except EvaluationError:
            return False
        return True

    return is_readable


def _is_integer(amount: Quantity) -> bool:
    return amount.nanos % _NANOS == 0 and _MIN_INT64 <= amount.nanos // _NANOS <= _MAX_INT64


def _as_integer(amount: Quantity) -> int:
    if not _is_integer(amount):
        raise EvaluationError("cannot convert value to integer")
    return amount.nanos // _NANOS


def _plus(amount: Quantity, other: Any, sign: int) -> Quantity:
    if type(other) is int:
        return Quantity(amount.nanos + sign * other * _NANOS, amount.format)
    if not isinstance(other, Quantity):
        raise no_such_overload()
    format_ = amount.format if amount.nanos else other.format
    return Quantity(amount.nanos + sign * other.nanos, format_)


def compare(a: Any, b: Any) -> int:
    """Return -1, 0 or 1 of two quantities or two versions. Raises EvaluationError."""
    if type(a) is not type(b) or not isinstance(a, Quantity | Version):
        raise no_such_overload()
    first, second = (a.nanos, b.nanos) if isinstance(a, Quantity) else (a.rank, b.rank)
    return int(first > second) - int(first < second)


FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "quantity": (quantity, (1,)),
    "isQuantity": (readable(quantity), (1,)),
    "semver": (semver, (1, 2)),
    "isSemver": (readable(semver), (1, 2)),
}
"""By name: what a function does, and how many arguments it may have."""
OF_QUANTITIES: dict[str, tuple[Callable[..., Any], int]] = {
    "sign": (lambda amount: (amount.nanos > 0) - (amount.nanos < 0), 0),
    "isInteger": (_is_integer, 0),
    "asInteger": (_as_integer, 0),
    "asApproximateFloat": (lambda amount: amount.nanos / _NANOS, 0),
    "add": (lambda amount, other: _plus(amount, other, 1), 1),
    "sub": (lambda amount, other: _plus(amount, other, -1), 1),
}
OF_VERSIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "major": (lambda version: version.major, 0),
    "minor": (lambda version: version.minor, 0),
    "patch": (lambda version: version.patch, 0),
}
OF_BOTH: dict[str, Callable[[Any, Any], Any]] = {
    "compareTo": compare,
    "isGreaterThan": lambda a, b: compare(a, b) > 0,
    "isLessThan": lambda a, b: compare(a, b) < 0,
}
