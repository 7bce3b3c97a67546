"""What two configurations of a scheduler differ in, value by value, each with the way to it in words."""

from collections.abc import Iterator
from typing import Any, NamedTuple

_UNSAID = frozenset({"profiles", "pluginConfig", "args", "plugins", "default-scheduler"})
NO_SETTINGS = frozenset({"apiVersion", "kind", "name", "schedulerName"})
"""What names a thing and sets nothing."""
_NAMES = ("schedulerName", "name")
_LONGEST = 40
_MISSING = object()


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
    one, other = dict(_leaves(a or {}, ())), dict(_leaves(b or {}, ()))
    return [
        Leaf(path, _text(one.get(path, _MISSING)), _text(other.get(path, _MISSING)))
        for path in {**one, **other}
        if one.get(path, _MISSING) != other.get(path, _MISSING)
    ]


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_SETTINGS:
                yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for place, item in enumerate(value):
            yield from _leaves(item, (*path, name_of_item(item, place)))
    else:
        yield path, value


def name_of_item(item: Any, place: int) -> str:
    """Return by what an item of a list is found in another one: its name, else its place."""
    named = (item.get(key) for key in _NAMES) if isinstance(item, dict) else ()
    return next((str(name) for name in named if name), str(place + 1))


def _text(value: Any) -> str:
    if value is _MISSING:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _LONGEST and "\n" not in text else ""
