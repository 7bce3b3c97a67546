"""Fields: which fields of an object are kept, and of which of them only a part."""

from collections.abc import Callable
from operator import is_
from typing import Any, NamedTuple

from scheduler_core.objects.privacy.dropped import Dropped

Object = dict[str, Any]
Keep = Callable[[Any, str, Dropped], Any]
"""Returns what is kept of a value at a place, the value itself if that is all of it."""

MISPLACED = "text"
"""What the list of dropped fields says of a value where an object belongs."""
_NOTHING: tuple[Any, ...] = (None, "", [], {})
"""An empty value tells nothing, and null in a patch takes something away: both may stay anywhere."""

_PLANS, _PLANNED_LETTERS = 200, 1000
"""How many sets of fields are remembered, and of how many letters: names come from outside."""


class _Plan(NamedTuple):
    """Of an object's fields those of which a part is kept, and those that are dropped unless empty."""

    parts: list[tuple[str, Keep]]
    others: list[str]


class Fields:
    """The fields of an object, or of each object of a list, that are kept; all others are dropped."""

    def __init__(self, whole: str = "", place: str = "", /, **parts: Keep) -> None:
        """Take the names of fields that are kept as they are, divided by spaces, and what is kept of others.

        place: how the list of dropped fields names this object, instead of by its path.
        """
        self.whole = frozenset(whole.split())
        self.parts = parts
        self._place = place
        self._plans: dict[tuple[str, ...], _Plan] = {}

    def __call__(self, value: Any, place: str, dropped: Dropped) -> Any:
        """Return what is kept of an object or list; a text in its place is emptied."""
        if isinstance(value, dict):
            return self.keep_object(value, self._place or place, dropped)
        if isinstance(value, list):
            kept = [self(item, f"{place}[]", dropped) for item in value]
            return value if all(map(is_, kept, value)) else kept
        if isinstance(value, str) and value:
            dropped.count_field(self._place or place, MISPLACED)
            return ""  # still of the wrong type, so that the checks refuse it where they look
        return value

    def keep_object(self, value: Object, place: str, dropped: Dropped) -> Object:
        """Return the object without the fields that are not kept."""
        names = tuple(value)
        plan = self._plans.get(names) or self._plan(names)
        changed: Object = {}
        for name, keep in plan.parts:
            inner = value[name]
            if inner and (kept := keep(inner, f"{place}.{name}", dropped)) is not inner:
                changed[name] = kept
        gone = [name for name in plan.others if value[name] not in _NOTHING]
        if not changed and not gone:
            return value
        stripped = value | changed
        for name in gone:
            dropped.count_field(place, name)
            del stripped[name]
        return stripped

    def _plan(self, names: tuple[str, ...]) -> "_Plan":
        """Return what is to be done with an object that has these fields: most have those of some other."""
        parts = [(name, keep) for name in names if (keep := self.parts.get(name)) is not None]
        plan = _Plan(parts, [name for name in names if name not in self.parts and name not in self.whole])
        if len(self._plans) < _PLANS and len(names) + sum(map(len, names)) < _PLANNED_LETTERS:
            self._plans[names] = plan
        return plan
