"""The JSON patch (RFC 6902) between two objects, as the library of HAMi's webhook makes it.

Lists of one length are compared item by item; what else a list has more is added where it stands, what it
has no longer is removed.

Source: gomodules.xyz/jsonpatch v2 CreatePatch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Operation = dict[str, Any]


def make_patch(old: Any, new: Any) -> list[Operation]:
    """Return the operations, sorted by path and then by kind."""
    return sorted(_changes(old, new, ""), key=lambda operation: (operation["path"], operation["op"]))


def _changes(old: Any, new: Any, path: str) -> Iterator[Operation]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _of_objects(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _of_lists(old, new, path)
    else:
        yield {"op": "replace", "path": path, "value": new}


def _of_objects(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[Operation]:
    for key, value in new.items():
        where = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
        if key in old:
            yield from _changes(old[key], value, where)
        else:
            yield {"op": "add", "path": where, "value": value}
    for key in old.keys() - new.keys():
        yield {"op": "remove", "path": f"{path}/{key.replace('~', '~0').replace('/', '~1')}"}


def _of_lists(old: list[Any], new: list[Any], path: str) -> Iterator[Operation]:
    if len(old) == len(new):
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _changes(before, after, f"{path}/{place}")
        return
    for place in _unmatched(old, new):
        yield {"op": "remove", "path": f"{path}/{place}"}
    for place in _unmatched(new, old):
        yield {"op": "add", "path": f"{path}/{place}", "value": new[place]}


def _unmatched(items: list[Any], others: list[Any]) -> Iterator[int]:
    """Yield the places of items that have no equal left among the others."""
    left = list(others)
    for place, item in enumerate(items):
        if item in left:
            left.remove(item)
        else:
            yield place
