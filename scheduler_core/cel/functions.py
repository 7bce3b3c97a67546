"""Which function a call means, by its name and by the types of what it gets.

Source: cel-spec doc/langdef.md "Functions"; cel-go ext; kubernetes v1.36 apiserver/pkg/cel/environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.cel import conversions, lists, quantities, strings
from scheduler_core.cel.semantic_versions import Version
from scheduler_core.cel.values import NONE, EvaluationError, Optional, no_such_overload, type_name
from scheduler_core.objects.amounts.quantity import Quantity

_OPTIONAL = ("hasValue", "value", "or", "orValue")
KNOWN_FUNCTIONS = {
    *conversions.FUNCTIONS, *quantities.FUNCTIONS, *lists.SETS, "size", "type", "dyn", "matches",
    "optional.of", "optional.none", "optional.ofNonZeroValue",
}  # fmt: skip
KNOWN_METHODS = {
    *strings.METHODS, *lists.METHODS, *quantities.OF_QUANTITIES, *quantities.OF_VERSIONS, *quantities.OF_BOTH,
    *_OPTIONAL, "size",
}  # fmt: skip


def call(function: str, arguments: list[Any]) -> Any:
    """Return what a function says. Raises EvaluationError."""
    if function in conversions.FUNCTIONS:
        return conversions.FUNCTIONS[function](*_so_many(arguments, 1))
    if function in quantities.FUNCTIONS:
        made, numbers = quantities.FUNCTIONS[function]
        return made(*_so_many(arguments, *numbers))
    if function in lists.SETS:
        return lists.SETS[function](*_so_many(arguments, 2))
    match function, arguments:
        case "size", [value]:
            return size(value)
        case "dyn", [value]:
            return value
        case "type", [value]:
            return type_name(value)
        case "matches", [str(text), str(pattern)]:
            return strings.matches(text, pattern)
        case "optional.of", [value]:
            return Optional((value,))
        case "optional.none", []:
            return NONE
        case "optional.ofNonZeroValue", [value]:
            return NONE if _is_zero(value) else Optional((value,))
    raise no_such_overload()


def method(function: str, target: Any, arguments: list[Any]) -> Any:
    """Return what a method of a value says. Raises EvaluationError."""
    if function == "size" and not arguments:
        return size(target)
    if isinstance(target, Optional):
        return _of_optional(function, target, arguments)
    if isinstance(target, Quantity | Version):
        return _of_kubernetes(function, target, arguments)
    if type(target) is tuple and function in lists.METHODS:
        wanted = 1 if function in ("indexOf", "lastIndexOf") else 0
        return lists.METHODS[function](target, *_so_many(arguments, wanted))
    if function in strings.METHODS:
        does, shapes = strings.METHODS[function]
        if tuple(type(value) for value in (target, *arguments)) in shapes:
            return does(target, *arguments)
    raise no_such_overload()


def size(value: Any) -> int:
    """Return how many letters, items or entries a value has. Raises EvaluationError."""
    if type(value) in (str, tuple) or isinstance(value, Mapping):
        return len(value)
    raise no_such_overload()


def _of_kubernetes(function: str, target: Any, arguments: list[Any]) -> Any:
    if function in quantities.OF_BOTH:
        return quantities.OF_BOTH[function](target, *_so_many(arguments, 1))
    known = quantities.OF_QUANTITIES if isinstance(target, Quantity) else quantities.OF_VERSIONS
    if function not in known:
        raise no_such_overload()
    does, wanted = known[function]
    return does(target, *_so_many(arguments, wanted))


def _of_optional(function: str, target: Optional, arguments: list[Any]) -> Any:
    match function, arguments:
        case "hasValue", []:
            return target.present
        case "value", []:
            if not target.present:
                raise EvaluationError("optional.none() dereference")
            return target.values[0]
        case "or", [Optional() as other]:
            return target if target.present else other
        case "orValue", [other]:
            return target.values[0] if target.present else other
    raise no_such_overload()


def _is_zero(value: Any) -> bool:
    if value is None or type(value) in (bool, str, int, float, tuple, dict):
        return not value
    return False


def _so_many(arguments: list[Any], *numbers: int) -> list[Any]:
    if len(arguments) not in numbers:
        raise no_such_overload()
    return arguments
