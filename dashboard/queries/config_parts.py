"""What two configurations of a scheduler differ in, in parts that can be changed one at a time.

A part is what is set together: the arguments of a plugin, the plugins at an extension point, a plugin of
Volcano's, else a field of the configuration.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from dashboard.queries.config_differences import NO_SETTINGS, Leaf, differing_leaves, name_of_item, only_names

Path = tuple[str, ...]
_TOGETHER = ("pluginConfig", "plugins")
"""Keys below which each entry is a part."""
_ABSENT = object()


def differing_parts(a: Any, b: Any) -> dict[Path, list[Leaf]]:
    """Return the values that differ, by the way to the part that they belong to; no part is in another."""
    leaves = differing_leaves(a, b)
    ways = {_part_of(leaf.path) for leaf in leaves}
    parts: dict[Path, list[Leaf]] = {}
    for leaf in leaves:
        own = _part_of(leaf.path)
        whole = next(own[:end] for end in range(1, len(own) + 1) if own[:end] in ways)
        parts.setdefault(whole, []).append(leaf)
    return parts


def _part_of(path: Path) -> Path:
    for key in _TOGETHER:
        if key in path:
            return path[: path.index(key) + 2]
    return path[:1]


def with_part(a: Any, b: Any, path: Path) -> Any:
    """Return the first configuration with one part as the second has it; null where nothing is left."""
    found = _put({} if a is None and b is None else _begun(a, b), b or {}, path)
    return found if any(True for _ in _settings(found)) else None


def _begun(a: Any, b: Any) -> Any:
    """Return a configuration to put parts into: the first one, or what names the second one's kind."""
    return a if a is not None else _skeleton(b)


def _skeleton(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: deepcopy(inner) for key, inner in value.items() if key in NO_SETTINGS}
    return []


def _put(one: Any, other: Any, path: Path) -> Any:
    """Return `one` with what the way leads to as it is in `other`: absent where it is absent there."""
    if not path:
        return deepcopy(other)
    if isinstance(one, list) or isinstance(other, list):
        return _put_item(list(one), list(other), path)
    inner = other.get(path[0], _ABSENT) if isinstance(other, dict) else _ABSENT
    put = _put_below(one.get(path[0], _ABSENT), inner, path[1:])
    rest = {key: value for key, value in one.items() if key != path[0]}
    return rest if put is _ABSENT else {**one, path[0]: put}


def _put_item(one: list[Any], other: list[Any], path: Path) -> list[Any]:
    here, there = dict(_named(one)), dict(_named(other))
    put = _put_below(here.get(path[0], _ABSENT), there.get(path[0], _ABSENT), path[1:])
    if put is not _ABSENT and path[0] in here:
        return [put if name == path[0] else item for name, item in _named(one)]
    kept = [item for name, item in _named(one) if name != path[0]]
    return kept if put is _ABSENT else [*kept, put]


def _put_below(one: Any, other: Any, path: Path) -> Any:
    if not path:
        return _ABSENT if other is _ABSENT else deepcopy(other)
    if one is _ABSENT:
        if other is _ABSENT:
            return _ABSENT
        one = _skeleton(other)
    return _put(one, ([] if isinstance(one, list) else {}) if other is _ABSENT else other, path)


def _named(items: list[Any]) -> Iterator[tuple[str, Any]]:
    return ((name_of_item(item, place), item) for place, item in enumerate(items))


def _settings(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_SETTINGS:
                yield from _settings(inner)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for item in value:
            yield from [item] if only_names(item) else _settings(item)
    else:
        yield value
