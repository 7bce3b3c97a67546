"""Which fields the kinds have that are read: `schema.json`, which scripts/derive_schema.py derives.

It holds the fields of Kubernetes' published OpenAPI, of several releases from 1.8 to 1.36, and of Volcano's
custom resource definitions. A field that any of these releases has is known.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.kinds import Kind

TIME = "Time"
"""The type of texts that are points in time; all others are names of objects' types."""
_MAP = "{}"
_USUAL = 64
"""No object of an API server has more fields; what has is not remembered."""


class ObjectType(NamedTuple):
    """The fields that objects of a type have, and the types of those values that are told more of.

    `inner` is about the value itself or the items of a list, `mapped` about the values of a map.
    """

    fields: frozenset[str]
    inner: dict[str, str]
    mapped: dict[str, str]


class Shape(NamedTuple):
    """What an object with certain fields is to be looked at for: field and type of each.

    unknown: fields that its type doesn't have.
    """

    unknown: tuple[str, ...]
    times: tuple[str, ...]
    inner: tuple[tuple[str, str], ...]
    mapped: tuple[tuple[str, str], ...]


class _Table(msgspec.Struct):
    kinds: dict[str, str]
    types: dict[str, str]


def root_type(kind: Kind) -> str | None:
    """Return the name of the type of a kind's objects; None for a kind of which nothing is known."""
    return _kinds().get(kind)


@cache
def types() -> dict[str, ObjectType]:
    """Return all types by name."""
    return {name: _read_type(text) for name, text in _table().types.items()}


def shape_of(name: str, value: Mapping[str, Any]) -> Shape:
    """Return what to look at in an object of a type."""
    fields = tuple(value)
    return _shape(name, fields) if len(fields) <= _USUAL else _shape.__wrapped__(name, fields)


@lru_cache(maxsize=4096)
def _shape(name: str, fields: tuple[str, ...]) -> Shape:
    """Return what to look at in objects of a type that have these fields: most have the same few."""
    kind = types()[name]
    inner = [(field, kind.inner[field]) for field in fields if field in kind.inner]
    return Shape(
        tuple(field for field in fields if field not in kind.fields),
        tuple(field for field, value in inner if value == TIME),
        tuple((field, value) for field, value in inner if value != TIME),
        tuple((field, kind.mapped[field]) for field in fields if field in kind.mapped),
    )


@cache
def _kinds() -> dict[Kind, str]:
    names = ((key.rpartition("/"), root) for key, root in _table().kinds.items())
    return {Kind(group, name): root for (group, _, name), root in names}


@cache
def _table() -> _Table:
    text = files("scheduler_core.objects").joinpath("schema.json").read_bytes()
    return msgspec.json.decode(text, type=_Table)


def _read_type(text: str) -> ObjectType:
    """Read the fields of a type as the table has them: `name`, `list:Item`, `map:{}Value`."""
    known = {}
    for entry in text.split():
        field, _, value = entry.partition(":")
        known[field] = value
    return ObjectType(
        frozenset(known),
        {field: value for field, value in known.items() if value and not value.startswith(_MAP)},
        {field: value[len(_MAP) :] for field, value in known.items() if value.startswith(_MAP)},
    )
