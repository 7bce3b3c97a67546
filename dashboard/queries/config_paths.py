"""A value in a configuration, or in another document, by the keys that lead to it.

Items of a list are found by their names, else by their places from 1, as `config_differences` tells them; a
profile without a name is the default one.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from dashboard.queries.config_differences import DEFAULT_PROFILE, name_of_item

Path = Sequence[str]
_PROFILES = "profiles"


def value_at(document: Any, path: Path) -> Any:
    """Return what stands there; None where nothing does."""
    below = ""
    for key in path:
        if isinstance(document, list):
            place = _place(document, key, below)
            document = None if place is None else document[place]
        else:
            document = document.get(key) if isinstance(document, dict) else None
        below = key
    return document


def with_value(document: Any, path: Path, value: Any, begun: Mapping[str, list[Any]]) -> Any:
    """Return a document with a value there, made if it is not; an object is laid over the one that is there.

    None takes the value away. begun: by key, what lists of named items begin with where there is none.
    Raises ValueError where a key leads into a plain value, or by a place that a list doesn't have.
    """
    whole = [deepcopy(document)]
    _set(whole, 0, list(path), value, begun, "")
    return whole[0]


def _set(
    holder: Any, at: Any, path: list[str], value: Any, begun: Mapping[str, list[Any]], below: str
) -> None:
    if not path:
        holder[at] = {**holder[at], **value} if isinstance(value, dict) and holder[at] else value
        return
    key, *rest = path
    inside = holder[at]
    if isinstance(inside, list):
        _set(inside, _found_or_made(inside, key, below), rest, value, begun, key)
    elif isinstance(inside, dict):
        if value is None and not rest:
            inside.pop(key, None)
            return
        if inside.get(key) is None:
            inside[key] = deepcopy(begun[key]) if key in begun and rest else {} if rest else None
        _set(inside, key, rest, value, begun, key)
    else:
        raise ValueError(f"{below} is a plain value, which has no {key}")


def _found_or_made(items: list[Any], key: str, below: str) -> int:
    place = _place(items, key, below)
    if place is not None:
        return place
    if key.isdecimal():
        raise ValueError(f"{below or 'the list'} has {len(items)} entries, no {key}")
    items.append({"schedulerName" if below == _PROFILES else "name": key})
    return len(items) - 1


def _place(items: list[Any], key: str, below: str) -> int | None:
    names = (name_of_item(item, place) for place, item in enumerate(items))
    found = next((place for place, name in enumerate(names) if name == key), None)
    if found is None and below == _PROFILES and key == DEFAULT_PROFILE:
        unnamed = (place for place, item in enumerate(items) if "schedulerName" not in item)
        return next(unnamed, None)
    return found
