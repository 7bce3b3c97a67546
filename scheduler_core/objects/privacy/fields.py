"""Fields: which fields of an object are kept, and of which of them only a part."""

from collections.abc import Callable
from operator import is_
from typing import Any

from scheduler_core.objects.privacy.dropped import Dropped

Object = dict[str, Any]
Keep = Callable[[Any, str, Dropped], Any]
"""Returns what is kept of a value at a place, the value itself if that is all of it."""

MISPLACED = "text"
"""What the list of dropped fields says of a value where an object belongs."""
_NOTHING: tuple[Any, ...] = (None, "", [], {})
"""An empty value tells nothing, and null in a patch takes something away: both may stay anywhere."""


class Fields:
    """The fields of an object, or of each object of a list, that are kept; all others are dropped."""

    def __init__(self, whole: str = "", place: str = "", /, **parts: Keep) -> None:
        """Take the names of fields that are kept as they are, divided by spaces, and what is kept of others.

        place: how the list of dropped fields names this object, instead of by its path.
        """
        self.whole = frozenset(whole.split())
        self.parts = parts
        self._place = place

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
        changed: Object = {}
        gone: list[str] = []
        for name, inner in value.items():
            keep = self.parts.get(name)
            if keep is None:
                if name not in self.whole and inner not in _NOTHING:
                    gone.append(name)
            elif inner and (kept := keep(inner, f"{place}.{name}", dropped)) is not inner:
                changed[name] = kept
        if not changed and not gone:
            return value
        stripped = value | changed
        for name in gone:
            dropped.count_field(place, name)
            del stripped[name]
        return stripped
