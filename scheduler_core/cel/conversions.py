"""Conversions between types.

Source: cel-spec doc/langdef.md "Conversions"; cel-go common/types ConvertToType.
"""

from __future__ import annotations

import math
import re
from typing import Any

from scheduler_core.cel.semantic_versions import Version
from scheduler_core.cel.values import EvaluationError, Unsigned, no_such_overload, type_name
from scheduler_core.objects.amounts.quantity import Quantity

_MIN_INT64, _MAX_INT64, _MAX_UINT64 = -(2**63), 2**63 - 1, 2**64 - 1
_INTEGER = re.compile(r"[+-]?[0-9]{1,30}", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_TRUE, _FALSE = ("true", "True", "TRUE", "t", "1"), ("false", "False", "FALSE", "f", "0")


def to_int(value: Any) -> int:
    """Return `int(value)`. Raises EvaluationError."""
    if type(value) is float:
        if not math.isfinite(value) or not -(2.0**63) < value < 2.0**63:
            raise EvaluationError("integer overflow")
        return int(value)
    if type(value) in (int, Unsigned):
        if value > _MAX_INT64:
            raise EvaluationError("integer overflow")
        return int(value)
    if type(value) is str and _INTEGER.fullmatch(value) and _MIN_INT64 <= int(value) <= _MAX_INT64:
        return int(value)
    raise _no_conversion(value, "int")


def to_uint(value: Any) -> Unsigned:
    """Return `uint(value)`. Raises EvaluationError."""
    if type(value) in (int, Unsigned, float):
        if not math.isfinite(value) or not 0 <= value <= _MAX_UINT64:
            raise EvaluationError("unsigned integer overflow")
        return Unsigned(int(value))
    if type(value) is str and value.isascii() and value.isdigit() and int(value[:30]) <= _MAX_UINT64:
        return Unsigned(int(value))
    raise _no_conversion(value, "uint")


def to_double(value: Any) -> float:
    """Return `double(value)`. Raises EvaluationError."""
    if type(value) in (int, Unsigned, float):
        return float(value)
    if type(value) is str and _FLOAT.fullmatch(value):
        return float(value)
    raise _no_conversion(value, "double")


def to_bool(value: Any) -> bool:
    """Return `bool(value)`. Raises EvaluationError."""
    if type(value) is bool:
        return value
    if type(value) is str and value in (*_TRUE, *_FALSE):
        return value in _TRUE
    raise _no_conversion(value, "bool")


def to_string(value: Any) -> str:
    """Return `string(value)`. Raises EvaluationError."""
    if type(value) in (str, bool, int, Unsigned, float):
        return text_of(value)
    raise _no_conversion(value, "string")


def text_of(value: Any) -> str:
    """Return how a value is written. Raises EvaluationError."""
    if type(value) is str:
        return value
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is float:
        return _float_text(value)
    if isinstance(value, int | Quantity):
        return str(value)
    raise no_such_overload()


def _float_text(value: float) -> str:
    """Return the shortest text that is the same number, as Go's %g writes it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    mantissa, _, exponent = f"{value!r}".partition("e")
    if value == 0 or (not exponent and 1e-4 <= abs(value) < 1e21):
        return mantissa.removesuffix(".0")
    digits = f"{value:.17e}" if not exponent else f"{mantissa}e{exponent}"
    front, _, power = digits.partition("e")
    return f"{front.removesuffix('.0')}e{int(power):+03d}"


def _no_conversion(value: Any, target: str) -> EvaluationError:
    if isinstance(value, Version | Quantity) or type(value) in (bool, type(None), tuple, dict, str):
        return EvaluationError(f"type conversion error from '{type_name(value)}' to '{target}'")
    return no_such_overload()


FUNCTIONS = {"int": to_int, "uint": to_uint, "double": to_double, "bool": to_bool, "string": to_string}
