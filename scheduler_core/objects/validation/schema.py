"""Which versions and fields the kinds have that are read, and what these may hold: `schema.json`.

scripts/derive_schema.py derives it from Kubernetes' published OpenAPI, of several releases from 1.8 to 1.36,
and from Volcano's custom resource definitions. What any of these releases has is known.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.kinds import Kind

TIME = "Time"
"""The type of texts that are points in time."""
_LIST, _MAP = "[]", "{}"
_NOTHING: type = type(None)
_QUANTITY = "Quantity"
_LEAVES: dict[str, tuple[str, tuple[type, ...]]] = {
    "string": ("text", (str,)),
    "integer": ("a whole number", (int,)),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", (bool,)),
    _QUANTITY: ("a quantity", (str, int, float)),
    "IntOrString": ("a whole number or text", (int, str)),
}
"""What a value of a type must be, in words and as it is read. Times are looked at as a whole."""
_USUAL = 64
"""No object of an API server has more fields; what has is not remembered."""


class Value(NamedTuple):
    """What a value must be, in words and as it is read (`types`, None among them).

    items: what a list's items and a map's values must be; None where nothing is known of them, or where they
    are objects. choices: the texts that there are; empty where any may be.
    """

    words: str
    types: frozenset[type]
    items: "Value | None" = None
    choices: tuple[str, ...] = ()
    is_quantity: bool = False

    @property
    def is_plain(self) -> bool:
        """Tell whether a value of the right type is right, whatever it is."""
        return not (self.items or self.choices or self.is_quantity)


OBJECT = Value("an object", frozenset((dict, _NOTHING)))


class ObjectType(NamedTuple):
    """The fields that objects of a type have, and the types of those values that are told more of.

    `inner` is about the value itself or the items of a list, `mapped` about the values of a map;
    `values` says what values must be.
    """

    fields: frozenset[str]
    inner: dict[str, str]
    mapped: dict[str, str]
    values: dict[str, Value]


class Shape(NamedTuple):
    """What an object with certain fields is to be looked at for: field and type of each.

    unknown: fields that its type doesn't have. plain: those that are right if they are of the right type.
    """

    unknown: tuple[str, ...]
    times: tuple[str, ...]
    inner: tuple[tuple[str, str], ...]
    mapped: tuple[tuple[str, str], ...]
    plain: tuple[tuple[str, frozenset[type], Value], ...]
    values: tuple[tuple[str, Value], ...]


class _Table(msgspec.Struct):
    kinds: dict[str, str]
    versions: dict[str, str]
    types: dict[str, str]


def root_type(kind: Kind) -> str | None:
    """Return the name of the type of a kind's objects; None for a kind of which nothing is known."""
    return _kinds().get(kind)


def versions_of(kind: Kind) -> tuple[str, ...]:
    """Return the apiVersions that a kind has or had, the newest name first; none where nothing is known."""
    return _versions().get(kind, ())


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
    values = [(field, kind.values[field]) for field in fields if field in kind.values]
    return Shape(
        tuple(field for field in fields if field not in kind.fields),
        tuple(field for field, value in inner if value == TIME),
        tuple((field, value) for field, value in inner if value != TIME),
        tuple((field, kind.mapped[field]) for field in fields if field in kind.mapped),
        tuple((field, expected.types, expected) for field, expected in values if expected.is_plain),
        tuple((field, expected) for field, expected in values if not expected.is_plain),
    )


@cache
def _kinds() -> dict[Kind, str]:
    return {_kind_of(key): root for key, root in _table().kinds.items()}


@cache
def _versions() -> dict[Kind, tuple[str, ...]]:
    return {_kind_of(key): tuple(text.split()) for key, text in _table().versions.items()}


def _kind_of(key: str) -> Kind:
    group, _, name = key.rpartition("/")
    return Kind(group, name)


@cache
def _table() -> _Table:
    text = files("scheduler_core.objects.validation").joinpath("schema.json").read_bytes()
    return msgspec.json.decode(text, type=_Table)


def _read_type(text: str) -> ObjectType:
    """Read the fields of a type as the table has them: `name:string`, `list:[]Item`, `map:{}Value`."""
    known = {}
    for entry in text.split():
        field, _, value = entry.partition(":")
        known[field] = value
    told = {field: value for field, value in known.items() if value and _type_in(value)}
    return ObjectType(
        frozenset(known),
        {field: _type_in(value) for field, value in told.items() if not value.startswith(_MAP)},
        {field: _type_in(value) for field, value in told.items() if value.startswith(_MAP)},
        {field: expected for field, text in known.items() if (expected := _value(text)) is not None},
    )


def _type_in(value: str) -> str:
    """Return the type of objects that a value is or holds, or that of times; nothing for all others."""
    name = value.lstrip(_LIST + _MAP).partition("|")[0]
    return name if name not in _LEAVES else ""


@cache
def _value(text: str) -> Value | None:
    if not text:
        return None
    if text.startswith(_LIST):
        return Value("an array", frozenset((list, _NOTHING)), _items(text.removeprefix(_LIST)))
    if text.startswith(_MAP):
        return Value("an object", frozenset((dict, _NOTHING)), _items(text.removeprefix(_MAP)))
    name, *choices = text.split("|")
    if name == TIME:
        return None
    words, types = _LEAVES.get(name, ("an object", (dict,)))
    return Value(words, frozenset((*types, _NOTHING)), None, tuple(choices), name == _QUANTITY)


def _items(text: str) -> Value | None:
    return None if _type_in(text) == text != "" else _value(text)
