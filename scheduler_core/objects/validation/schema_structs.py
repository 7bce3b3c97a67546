"""The types of `schema` as msgspec reads them: a quick look at whether an object is right.

What fits has no unknown field and no value of a wrong type. What doesn't is looked at field by field by
`api_faults`, which says what is wrong; so these may be stricter than the table, and never laxer.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import GenericAlias
from typing import Annotated, Any, Literal, get_args

import msgspec

from scheduler_core.objects.validation.schema import TIME, Value, types

_DATE = r"[12]\d{3}-((0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
_TIME = re.compile(rf"^{_DATE}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ\Z", re.ASCII).pattern
_QUANTITY = re.compile(r"^[0-9]{1,15}(\.[0-9]{1,9})?(m|k|M|G|T|Ki|Mi|Gi|Ti)?\Z", re.ASCII).pattern
_LEAVES: dict[frozenset[type], Any] = {
    frozenset(leaves) | {type(None)}: expected
    for leaves, expected in (
        ((str,), str),
        ((int,), int),
        ((int, float), int | float),
        ((bool,), bool),
        ((int, str), int | str),
        ((dict,), dict[str, Any]),
    )
}


POD_SPEC = "core.PodSpec"
"""The type that most twins have: who holds one fits whatever it is, and it is looked at by itself."""

_AS_IT_IS = object()
THERE = object()
"""In place of a narrowed type: that of `schema`, of which no value may be absent or null."""
Narrowed = Mapping[tuple[str, str], Any]
"""By type and field what msgspec is to take there; but for Any, what has no None must be there."""


class Structs:
    """The types of `schema` as msgspec reads them; with `narrowed` fields a pod's spec is one of them."""

    def __init__(self, narrowed: Narrowed) -> None:
        self._narrowed = narrowed
        self._made: dict[str, Any] = {}

    def fits(self, name: str, value: Any) -> bool:
        """Tell whether the fields of an object of a type are surely right."""
        try:
            msgspec.convert(value, self._struct(name))
        except msgspec.ValidationError:
            return False
        return True

    def _struct(self, name: str) -> Any:
        if name not in self._made:
            fields = sorted(types()[name].fields)
            names = {f"field_{number}": field for number, field in enumerate(fields)}
            expected = [(own, *self._type_of(name, field)) for own, field in names.items()]
            self._made[name] = msgspec.defstruct(
                "Shape", expected, rename=names, forbid_unknown_fields=True, gc=False, kw_only=True
            )
        return self._made[name]

    def _type_of(self, name: str, field: str) -> tuple[Any, Any]:
        """Return the type of a field and its default."""
        narrowed = self._narrowed.get((name, field), _AS_IT_IS)
        if narrowed is THERE:
            return self._struct(types()[name].inner[field]), msgspec.NODEFAULT
        if narrowed is not _AS_IT_IS:
            may_lack = narrowed in (Any, None) or type(None) in get_args(narrowed)
            return narrowed, None if may_lack else msgspec.NODEFAULT
        kind = types()[name]
        value = kind.values.get(field)
        is_one = value is not None and len(value.types) == 2
        holder = next(iter(value.types - {type(None)})) if value is not None and is_one else None
        inner = kind.inner.get(field) or kind.mapped.get(field)
        if inner == POD_SPEC and not self._narrowed:
            return dict[str, Any] | None, None
        if inner is None:
            return Any if value is None else _plain(value) | None, None
        of_items: Any = Annotated[str, msgspec.Meta(pattern=_TIME)] if inner == TIME else self._struct(inner)
        if field in kind.mapped:
            return dict[str, of_items] | None, None
        return (list[of_items] if holder is list else of_items) | None, None


@cache
def _as_in_schema() -> Structs:
    return Structs({})


def fits(name: str, value: Any) -> bool:
    """Tell whether the fields of an object of a type are surely right, but for pods' specs within."""
    return _as_in_schema().fits(name, value)


def _plain(value: Value) -> Any:
    if value.is_quantity:
        return Annotated[str, msgspec.Meta(pattern=_QUANTITY)]
    if value.choices:
        return Literal[(*value.choices, "")]
    if list in value.types:
        return GenericAlias(list, (Any if value.items is None else _plain(value.items),))
    if dict in value.types and value.items is not None:
        return GenericAlias(dict, (str, _plain(value.items)))
    return _LEAVES[value.types]
