"""The values that Python's types do not have, and the names of all types.

An `int` is int, `Unsigned` uint, `float` double, `str` string, `bool` bool, `None` null_type; lists are
tuples, maps dicts. Source: cel-spec doc/langdef.md "Values"; kubernetes v1.36 apiserver/pkg/cel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.cel.semantic_versions import Version
from scheduler_core.objects.amounts.quantity import Quantity


class EvaluationError(Exception):
    """The expression has no value; the text is cel-go's."""


NO_SUCH_OVERLOAD = "no such overload"


def no_such_overload() -> EvaluationError:
    """Return the error of values that an operator or function does not take."""
    return EvaluationError(NO_SUCH_OVERLOAD)


class Unsigned(int):
    """A uint."""


@dataclass(frozen=True)
class Optional:
    """A value that may be missing."""

    values: tuple[Any, ...] = ()

    @property
    def present(self) -> bool:
        """Whether there is a value."""
        return bool(self.values)


NONE = Optional()


class WithDefault(dict[str, Any]):
    """A map in which looking a key up finds an empty map where nothing was put in; `in` tells the truth.

    Source: kubernetes v1.36 dynamic-resource-allocation/cel mapper, which overrides Find and not Contains.
    """


def found(whole: Mapping[Any, Any], key: Any) -> tuple[Any, ...]:
    """Return what a map has under a key: nothing or one value."""
    if key in whole:
        return (whole[key],)
    return ({},) if isinstance(whole, WithDefault) else ()


_TYPE_NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Unsigned: "uint",
    float: "double",
    str: "string",
    type(None): "null_type",
    tuple: "list",
    dict: "map",
    WithDefault: "map",
    Optional: "optional_type",
    Quantity: "kubernetes.Quantity",
    Version: "kubernetes.Semver",
}


def type_name(value: Any) -> str:
    """Return the name of a value's type."""
    return _TYPE_NAMES[type(value)]


def is_number(value: Any) -> bool:
    """Return whether a value is int, uint or double."""
    return type(value) in (int, Unsigned, float)
