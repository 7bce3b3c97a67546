"""JSON as Go reads it into a type: keys whatever their case, null as nothing said, no fraction for a whole.

Where several keys are for one field, the last counts.

Source: Go 1.26 encoding/json decode.go object.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import inspect

from scheduler_core.go.json_types import field_of

Matching = Callable[[Any], Any]


@lru_cache(maxsize=64)
def matching_of(kind: Any) -> Matching | None:
    """Return what gives a value's keys the spelling of this type's fields, None for a type without any.

    What it returns raises ValueError where a whole number is written as a fraction, 1.0 or 1e0.
    """
    return _of_type(inspect.type_info(kind))


def _of_type(kind: inspect.Type) -> Matching | None:
    if isinstance(kind, inspect.UnionType):
        found = (_of_type(one) for one in kind.types)
        return next((matching for matching in found if matching is not None), None)
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return _of_items(_of_type(kind.item_type))
    if isinstance(kind, inspect.IntType):
        return _whole
    if isinstance(kind, inspect.StructType):
        return _of_fields({field.encode_name: _of_type(field.type) for field in kind.fields})
    return None


def _whole(value: Any) -> Any:
    if isinstance(value, float):
        raise ValueError(f"{value} is no whole number to Go")
    return value


def _of_items(matching: Matching | None) -> Matching | None:
    if matching is None:
        return None
    return lambda value: [matching(item) for item in value] if isinstance(value, list) else value


def _of_fields(fields: dict[str, Matching | None]) -> Matching:
    def matching(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        matched: dict[str, Any] = {}
        for key, item in value.items():
            name = field_of(key, fields)
            if name is not None and item is not None:
                inner = fields[name]
                matched[name] = item if inner is None else inner(item)
        return matched

    return matching
