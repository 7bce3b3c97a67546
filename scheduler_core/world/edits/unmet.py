"""Which fields of an object are not as an edit asked, by what another picture of the cluster says of it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.world.edits.operations.taints import SICK

Object = dict[str, Any]
_LEFT_OUT = ("apiVersion", "kind", "status")
"""What says whose an object is, and what controllers write. Of nodes the status counts: `allocatable`."""
_OF_METADATA = ("labels", "annotations")


class Field(NamedTuple):
    """A field that an edit changes: where it is, what was asked, what is there; None where it is absent.

    Of a list of things without names, each thing that was added or taken away is a field.
    """

    path: str
    asked: Any
    found: Any
    is_met: bool


class _Four(NamedTuple):
    """A value before and after an edit, as all edits leave it, and as it was found."""

    before: Any
    after: Any
    last: Any
    found: Any

    def at(self, name: str) -> "_Four":
        """Return what each has under a name; None where it has nothing."""
        return _Four(*(one.get(name) if isinstance(one, dict) else None for one in self))

    def by_name(self) -> "_Four":
        """Return lists of things with names as dicts."""
        return _Four(*(_by_name(one) for one in self))

    def names(self) -> list[str]:
        """Return the names under which an edit may change something."""
        return sorted({*(self.before or ()), *(self.after or ())})


def fields(before: Object | None, after: Object, last: Object, found: Object) -> list[Field]:
    """Return the fields that an edit changes from before to after, as they are in the object that was found.

    last: the object as all edits leave it, which is what was asked in the end. What the API server fills in
    beside is no difference.
    """
    four = _Four(before, after, last, found)
    met: list[Field] = []
    for name in four.names():
        if name not in _LEFT_OUT and name != "metadata":
            met += _walk(four.at(name), name)
    for part in _OF_METADATA if before is not None else _OF_METADATA[:1]:
        met += _walk(four.at("metadata").at(part), f"metadata.{part}")
    if after.get("kind") == "Node":
        met += _walk(four.at("status").at("allocatable"), "status.allocatable")
    return met


def _walk(four: _Four, path: str) -> Iterator[Field]:
    before, after, last, found = four
    if _is_same(before, after):
        return
    if _is_dict(before) and _is_dict(after):
        for name in four.names():
            yield from _walk(four.at(name), f"{path}.{name}")
    elif _are_named(before) and _are_named(after):
        named = four.by_name()
        for name in named.names():
            yield from _walk(named.at(name), f"{path}[{name}]")
    elif isinstance(before or [], list) and isinstance(after or [], list):
        yield from _of_list(*(one if isinstance(one, list) else [] for one in four), path=path)
    else:
        yield Field(path, last, found, _is_same(last, found))


def _of_list(
    before: list[Any], after: list[Any], last: list[Any], found: list[Any], *, path: str
) -> Iterator[Field]:
    for one in after:
        if one not in before and one in last and not _is_of_a_controller(one, path):
            has = any(_has(it, one) for it in found)
            yield Field(path, one, one if has else None, has)
    for one in before:
        if one not in after and one not in last and not _is_of_a_controller(one, path):
            has = any(_has(it, one) for it in found)
            yield Field(path, None, one if has else None, not has)


def _is_of_a_controller(one: Any, path: str) -> bool:
    """Tell whether a thing of a list is a taint by which the node controller says how a node is."""
    return path == "spec.taints" and str(one.get("key")).startswith(SICK)


def _by_name(value: Any) -> dict[str, Any]:
    return {one["name"]: one for one in value or () if isinstance(one, dict) and "name" in one}


def _has(found: Any, asked: Any) -> bool:
    """Tell whether something has all that was asked of it; it may have more, as filled in."""
    if isinstance(asked, dict) and isinstance(found, dict):
        return all(_has(found.get(name), value) for name, value in asked.items())
    if isinstance(asked, list) and isinstance(found, list):
        return all(any(_has(it, one) for it in found) for one in asked)
    return _is_same(asked, found)


def _is_dict(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _are_named(value: Any) -> bool:
    return value is None or (
        isinstance(value, list) and all(isinstance(one, dict) and "name" in one for one in value)
    )


def _is_same(one: Any, other: Any) -> bool:
    """Tell whether two values mean the same: `1` and `1000m`, absent and false, absent and empty."""
    if one == other or (_is_empty(one) and _is_empty(other)):
        return True
    if isinstance(one, dict | list | bool) or isinstance(other, dict | list | bool) or None in (one, other):
        return False
    try:
        return parse_quantity(one).nanos == parse_quantity(other).nanos
    except QuantityError:
        return False


def _is_empty(value: Any) -> bool:
    return value is None or value is False or value in ("", [], {})
