"""What two configurations of a scheduler differ in, value by value, each with the way to it in words."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_UNSAID = frozenset({"profiles", "pluginConfig", "args", "plugins", "default-scheduler"})
NO_SETTINGS = frozenset({"apiVersion", "kind", "name", "schedulerName"})
"""What names a thing and sets nothing."""
_NAMES = ("schedulerName", "name")
_LONGEST = 40
_MISSING = object()
_THERE = object()
"""Stands for a profile, and for an item of a list that only names a thing, such as a plugin."""
DEFAULT_PROFILE = "default-scheduler"
"""The profile that there is where a configuration names none."""


class Leaf(NamedTuple):
    """A value: the keys that lead to it, and what both configurations have there as text.

    Empty is what a configuration leaves to its default, or a value too long for a sentence.
    """

    path: tuple[str, ...]
    a: str
    b: str

    @property
    def name(self) -> str:
        """The way to it, without what every configuration has."""
        return " ".join(key for key in self.path if key not in _UNSAID)

    @property
    def is_of_scores(self) -> bool:
        """Whether it decides nothing but how nodes are scored."""
        return "scoringStrategy" in self.path or "score" in self.path


def differing_leaves(a: Any, b: Any) -> list[Leaf]:
    """Return the values that differ, in the order of the first configuration, then of the second."""
    one, other = (dict(_leaves(config or {}, ())) for config in (a, b))
    _forget_names_of_set(one, other)
    _forget_names_of_set(other, one)
    return [
        _leaf(path, one.get(path, _MISSING), other.get(path, _MISSING))
        for path in {**one, **other}
        if one.get(path, _MISSING) != other.get(path, _MISSING)
    ]


def _forget_names_of_set(one: dict[tuple[str, ...], Any], other: Mapping[tuple[str, ...], Any]) -> None:
    """Drop items that only name a thing for which the other configuration sets something: that is told."""
    ways = {path[:end] for path in other for end in range(len(path))}
    for path in [path for path, value in one.items() if value is _THERE and path in ways]:
        del one[path]


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_SETTINGS:
                yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for place, item in enumerate(value):
            name = name_of_item(item, place)
            if _is_other_profile(item) or only_names(item):
                yield (*path, name), _THERE
            yield from _leaves(item, (*path, name))
    else:
        yield path, value


def only_names(item: Any) -> bool:
    """Return whether an item of a list says only that there is a thing of its name."""
    if not _is_other_profile(item) and not (isinstance(item, dict) and item.get("name")):
        return False
    return not any(True for _ in _leaves(item, ()))


def _is_other_profile(item: Any) -> bool:
    return isinstance(item, dict) and item.get("schedulerName", DEFAULT_PROFILE) != DEFAULT_PROFILE


def name_of_item(item: Any, place: int) -> str:
    """Return by what an item of a list is found in another one: its name, else its place."""
    named = (item.get(key) for key in _NAMES) if isinstance(item, dict) else ()
    return next((str(name) for name in named if name), str(place + 1))


def _leaf(path: tuple[str, ...], one: Any, other: Any) -> Leaf:
    if _THERE in (one, other):
        return Leaf(path, *("there" if value is _THERE else "not there" for value in (one, other)))
    return Leaf(path, _text(one), _text(other))


def _text(value: Any) -> str:
    if value is _MISSING:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    if isinstance(value, bool):
        text = text.lower()
    return text if len(text) <= _LONGEST and "\n" not in text else ""
