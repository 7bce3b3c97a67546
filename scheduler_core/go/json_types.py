"""JSON into Go's types, as far as an answer is read, with the words of json.UnmarshalTypeError.

A reader takes a value of `json_syntax` and the place it is for, and returns what Go would hold there. Keys
are matched whatever their case, those that a type does not know are passed over, null changes nothing.

Source: Go 1.26 encoding/json decode.go.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from scheduler_core.go.json_syntax import GoJsonError, Members, Number

_LONGEST = len(str(-(2**63)))
_LEAST, _GREATEST = -(2**63), 2**63 - 1


class Place(NamedTuple):
    """Where a value goes: the innermost struct around it, and the fields that lead there."""

    struct: str = ""
    fields: tuple[str, ...] = ()

    def refuse(self, value: str, kind: str) -> GoJsonError:
        """Return Go's complaint that a kind of value does not go into a type."""
        into = f"Go struct field {self.struct}.{'.'.join(self.fields)}" if self.struct else "Go value"
        return GoJsonError(f"json: cannot unmarshal {value} into {into} of type {kind}")


Reader = Callable[[Any, Place], Any]


def text(value: Any, place: Place) -> str:
    """Read a string."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Number):
        return value
    raise place.refuse(_kind(value), "string")


def whole_number(value: Any, place: Place) -> int:
    """Read an int64."""
    if value is None:
        return 0
    if not isinstance(value, Number):
        raise place.refuse(_kind(value), "int64")
    is_whole = value.removeprefix("-").isdecimal() and len(value) <= _LONGEST
    if not is_whole or not _LEAST <= int(value) <= _GREATEST:
        raise place.refuse(f"number {value}", "int64")
    return int(value)


def list_of(item: Reader, kind: str) -> Reader:
    """Return a reader of slices; None is Go's nil."""

    def read(value: Any, place: Place) -> list[Any] | None:
        if value is None:
            return None
        if not isinstance(value, list) or isinstance(value, Members):
            raise place.refuse(_kind(value), kind)
        return [item(one, place) for one in value]

    return read


def map_of(item: Reader, kind: str) -> Reader:
    """Return a reader of maps with strings for keys; nil is an empty one."""

    def read(value: Any, place: Place) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, Members):
            raise place.refuse(_kind(value), kind)
        return {key: item(one, place) for key, one in value}

    return read


def struct(name: str, fields: Mapping[str, Reader], *, package: str = "v1", pointer: bool = False) -> Reader:
    """Return a reader of structs by the names of their fields; of a pointer, null is None."""

    def read(value: Any, place: Place) -> dict[str, Any] | None:
        found: dict[str, Any] = {field: reader(None, place) for field, reader in fields.items()}
        if value is None:
            return None if pointer else found
        if not isinstance(value, Members):
            raise place.refuse(_kind(value), f"{package}.{name}")
        for key, one in value:
            field = field_of(key, fields)
            if field is not None and (one is not None or fields[field](None, place) is None):
                found[field] = fields[field](one, Place(name, (*place.fields, field)))
        return found

    return read


def field_of(key: str, fields: Collection[str]) -> str | None:
    """Return the field that a key is for: the one of its name, else the first whatever the case."""
    if key in fields:
        return key
    return next((field for field in fields if field.casefold() == key.casefold()), None)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, Members):
        return "object"
    if isinstance(value, Number):
        return "number"
    return "array" if isinstance(value, list) else "string"
