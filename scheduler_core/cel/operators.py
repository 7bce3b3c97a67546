"""What the operators mean.

Source: cel-spec doc/langdef.md "List of Standard Definitions"; cel-go common/types; kubernetes v1.36
apiserver/pkg/cel (CrossTypeNumericComparisons).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scheduler_core.cel.semantic_versions import Version
from scheduler_core.cel.values import EvaluationError, Optional, Unsigned, is_number, no_such_overload
from scheduler_core.objects.amounts.quantity import Quantity

_MIN_INT64, _MAX_INT64, _MAX_UINT64 = -(2**63), 2**63 - 1, 2**64 - 1


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are the same; numbers compare across types, other types are distinct."""
    if is_number(a) and is_number(b):
        return bool(a == b)
    if isinstance(a, tuple) and isinstance(b, tuple) and type(a) is type(b) is tuple:
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return len(a) == len(b) and all(key in b and equal(a[key], b[key]) for key in a)
    if type(a) is not type(b):
        return False
    if isinstance(a, Version):
        return bool(a.rank == b.rank)
    if isinstance(a, Quantity):
        return bool(a.nanos == b.nanos)
    if isinstance(a, Optional):
        return len(a.values) == len(b.values) and all(map(equal, a.values, b.values))
    return bool(a == b)


def ordered(operator: str, a: Any, b: Any) -> bool:
    """Return `a < b` and the like. Raises EvaluationError."""
    alike = type(a) is type(b) and type(a) in (str, bool)
    if not alike and not (is_number(a) and is_number(b)):
        raise no_such_overload()
    match operator:
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case ">":
            return bool(a > b)
    return bool(a >= b)


def contained(item: Any, whole: Any) -> bool:
    """Return `item in whole`. Raises EvaluationError."""
    if type(whole) is tuple:
        return any(equal(item, one) for one in whole)
    if isinstance(whole, Mapping):
        return key_of(item) in whole
    raise no_such_overload()


def key_of(index: Any) -> Any:
    """Return a map's key as Python keeps it apart: true is not 1, but 1.0 is.

    Raises EvaluationError for what is no key.
    """
    if type(index) is float:
        return int(index) if index.is_integer() else index
    if type(index) is bool:
        return (index,)
    if type(index) in (int, Unsigned, str):
        return index
    raise EvaluationError(f"unsupported key type: {type(index).__name__}")


def arithmetic(operator: str, a: Any, b: Any) -> Any:
    """Return a + b and the like. Raises EvaluationError."""
    if type(a) is not type(b):
        raise no_such_overload()
    if operator == "+" and type(a) in (str, tuple):
        return a + b
    if type(a) is float:
        return _of_floats(operator, a, b)
    if type(a) not in (int, Unsigned):
        raise no_such_overload()
    return _within(_of_integers(operator, int(a), int(b)), type(a))


def negated(a: Any) -> Any:
    """Return -a. Raises EvaluationError."""
    if type(a) is float:
        return -a
    if type(a) is not int:
        raise no_such_overload()
    return _within(-a, int)


def _within(result: int, kind: type) -> Any:
    if kind is Unsigned:
        if not 0 <= result <= _MAX_UINT64:
            raise EvaluationError("unsigned integer overflow")
        return Unsigned(result)
    if not _MIN_INT64 <= result <= _MAX_INT64:
        raise EvaluationError("integer overflow")
    return result


def _of_integers(operator: str, a: int, b: int) -> int:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    if b == 0:
        raise EvaluationError("division by zero" if operator == "/" else "modulus by zero")
    quotient = abs(a) // abs(b)
    quotient = quotient if (a < 0) == (b < 0) else -quotient
    return quotient if operator == "/" else a - b * quotient


def _of_floats(operator: str, a: float, b: float) -> float:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            if b == 0:
                sign = math.copysign(1.0, a) * math.copysign(1.0, b)
                return math.nan if a == 0 or math.isnan(a) else sign * math.inf
            return a / b
    raise no_such_overload()
