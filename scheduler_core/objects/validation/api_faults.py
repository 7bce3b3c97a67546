"""What an API server refuses to take although a scheduler could read on: misspelt fields above all.

Such an object of a file is read as if the faulty part were not there, so the answer is about another cluster
than was meant. What new objects have of it is refused; of an import it is told. Faults that make an object
unreadable are `checks`' business. Looked at are the kinds of which `schema` knows the fields; those of other
custom resources are none of our business.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.checks.cluster_checks import check_objects, object_name
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.privacy.dropped import shown_name
from scheduler_core.objects.problems import Problem, dotted
from scheduler_core.objects.reading.misspelt_kinds import UNKNOWN_GROUP, UNKNOWN_KIND
from scheduler_core.objects.suggestions import VERY_CLOSE, closest
from scheduler_core.objects.timestamps import is_timestamp
from scheduler_core.objects.validation.object_rules import object_faults
from scheduler_core.objects.validation.rule_books import Book, book_of, key_of_spec
from scheduler_core.objects.validation.schema import (
    OBJECT,
    TIME,
    ObjectType,
    Value,
    root_type,
    shape_of,
    types,
)
from scheduler_core.objects.validation.schema_structs import POD_SPEC, fits

Object = dict[str, Any]
Place = tuple[Any, ...]
"""Where a value stands: its key or index after the place of what holds it; the object's own is empty."""

MAX_FAULTS = 50
"""How many faults of one object are listed."""
UNKNOWN = "is an unknown field"
"""How the message about a misspelt field begins."""
UNREAD = (UNKNOWN, UNKNOWN_KIND, UNKNOWN_GROUP)
"""How the messages begin about what is read as if it were not there."""
_OF_METADATA = ("namespace", "labels", "annotations", "generateName", "ownerReferences", "finalizers")
"""Fields of metadata that are looked for elsewhere."""
_WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "an array",
}
_NO_TIME = "is no RFC 3339 timestamp, as in 2026-06-01T00:00:00Z"


def api_faults(document: Object) -> list[Problem]:
    """Return what an API server would refuse in an object that `check_objects` finds readable, by field."""
    walk = _Walk(document, book_of(is_new=not _was_stored(document)))
    for field, message in object_faults(document):
        walk.add((), field, message)
    return walk.problems_by_field()


def _was_stored(document: Object) -> bool:
    """Tell whether an API server has given an object its version."""
    metadata = document.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("resourceVersion"))


def all_faults(document: Object) -> list[Problem]:
    """Return what `check_objects` cannot read in an object, and what an API server would refuse besides."""
    unreadable = check_objects([document])
    if not unreadable:
        return api_faults(document)
    places = {problem.field for problem in unreadable}
    return [*unreadable, *(fault for fault in _faults_beside(document) if fault.field not in places)]


def _faults_beside(document: Object) -> list[Problem]:
    """Return what an API server would refuse in an object with parts that cannot be read."""
    metadata, kind, version = (document.get(field) for field in ("metadata", "kind", "apiVersion"))
    if not isinstance(metadata, dict) or not isinstance(kind, str) or not isinstance(version, str):
        return []
    try:
        return api_faults(document)
    except Exception:  # a rule has met what cannot be read
        return unknown_fields(document)


def unknown_fields(document: Object) -> list[Problem]:
    """Return the fields that a kind doesn't have, and values of another type than theirs.

    The document is an object or a patch of one, in which null takes away.
    """
    return _Walk(document, book_of(None)).problems_by_field()


class _Walk:
    """Goes through an object beside the types of its fields, and notes what is wrong."""

    def __init__(self, document: Object, book: Book) -> None:
        self._problems: list[Problem] = []
        self._document = document
        self._book = book
        self._types = types()
        self._root = root_type(kind_of(document))
        if self._root is not None:
            # Most objects have nothing but right fields, so that the rules are all that is left.
            look = self._ask if fits(self._root, document) else self._enter
            look(document, self._root, ())

    def problems_by_field(self) -> list[Problem]:
        return sorted(self._problems, key=lambda problem: problem.field)

    def _ask(self, value: Any, name: str, place: Place) -> None:
        """Ask the rules about what fits its type."""
        if isinstance(value, list):
            for index, item in enumerate(value):
                self._ask(item, name, (index, place))
        elif name == POD_SPEC:
            self._ask_about_spec(value, place)
        else:
            self._ask_about(value, name, place)

    def _ask_about_spec(self, spec: Object, place: Place) -> None:
        """Look at a pod's spec, unless one like it was found to be right: most have many twins."""
        key, known = key_of_spec(spec), len(self._problems)
        if key not in self._book.sound_specs:
            look = self._ask_about if fits(POD_SPEC, spec) else self._enter
            look(spec, POD_SPEC, place)
            if len(self._problems) == known < MAX_FAULTS:
                self._book.sound_specs.add(key)

    def _ask_about(self, value: Object, name: str, place: Place) -> None:
        for rule in self._book.rules.get(name, ()):
            for field, message in rule(value):
                self.add(place, field, message)
        for field, inner in self._book.inner[name]:
            if (held := value.get(field)) is not None:
                self._ask(held, inner, (field, place))
        for field, inner in self._book.mapped[name]:
            for key, held in (value.get(field) or {}).items():
                self._ask(held, inner, (key, (field, place)))

    def _enter(self, value: Any, name: str, place: Place) -> None:
        """Look at an object of a type, or at each of a list of such."""
        if isinstance(value, dict):
            found = shape_of(name, value)
            for field in found.unknown:
                self._note_unknown(field, value[field], self._types[name], place)
            for field, right, expected in found.plain:
                if type(value[field]) not in right:
                    self._check_value(value[field], expected, field, place)
            for field, expected in found.values:
                self._check_value(value[field], expected, field, place)
            for rule in self._book.rules.get(name, ()):
                for field, message in rule(value):
                    self.add(place, field, message)
            for field in found.times:
                self._check_time(value[field], (field, place))
            for field, inner in found.inner:
                self._enter(value[field], inner, (field, place))
            for field, inner in found.mapped:
                self._enter_map(value[field], inner, (field, place))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    self._enter(item, name, (index, place))
                else:
                    self._check_value(item, OBJECT, "", (index, place))

    def _enter_map(self, value: Any, name: str, place: Place) -> None:
        for key, item in value.items() if isinstance(value, dict) else ():
            if name == TIME:
                self._check_time(item, (key, place))
            elif isinstance(item, dict):
                self._enter(item, name, (key, place))
            else:
                self._check_value(item, OBJECT, "", (key, place))

    def _check_value(self, value: Any, expected: Value, field: str, place: Place) -> None:
        if type(value) not in expected.types:
            self.add(place, field, f"must be {expected.words}, not {_WORDS.get(type(value), 'that')}")
        elif expected.is_quantity and (fault := _quantity_fault(value)):
            self.add(place, field, fault)
        elif expected.choices and value and value not in expected.choices:
            self.add(place, field, f"must be one of {', '.join(expected.choices)}, not {value[:80]!r}")
        elif expected.items is not None and value:
            self._check_items(value, expected.items, (field, place))

    def _check_items(self, value: Any, expected: Value, place: Place) -> None:
        is_map = isinstance(value, dict)
        items = value.values() if is_map else value
        are_right = expected.types.issuperset(map(type, items))
        if are_right and (
            expected.is_plain or (expected.is_quantity and not any(map(_quantity_fault, items)))
        ):
            return
        for key, item in value.items() if is_map else enumerate(value):
            self._check_value(item, expected, "", (key, place))

    def _check_time(self, value: Any, place: Place) -> None:
        if value is not None and not is_timestamp(value):
            self.add(place, "", _NO_TIME)

    def _note_unknown(self, field: str, value: Any, kind: ObjectType, place: Place) -> None:
        if value is not None and len(self._problems) < MAX_FAULTS:
            guess = self._meant(field, kind, place)
            message = f"{UNKNOWN}{f'; did you mean {guess}?' if guess else ''}"
            self.add(place, shown_name(field), message)

    def _meant(self, field: str, kind: ObjectType, place: Place) -> str | None:
        """Return the field that was meant: one that is spelt alike, or of this name above or below."""
        alike = closest(field, kind.fields, VERY_CLOSE) or self._in_metadata(field, place)
        if alike:
            return alike
        for holder, inner in kind.inner.items():
            if inner != TIME and field in self._types[inner].fields:
                return f"{holder}.{field}"
        return self._above(field, place) or closest(field, kind.fields)

    def _in_metadata(self, field: str, place: Place) -> str | None:
        """Return the path of a field of this name in the nearest metadata above."""
        keys = list(_keys(place))
        if field not in _OF_METADATA or "metadata" in keys:
            return None
        types = self._types_along(keys)
        holders = [depth for depth, name in enumerate(types) if "metadata" in self._types[name].fields]
        if not holders:
            return None
        above = [] if holders[-1] == len(keys) else keys[: holders[-1]]
        return dotted([*above, "metadata", field])

    def _above(self, field: str, place: Place) -> str | None:
        """Return the path of a field of this name in what holds the object at `place`."""
        keys = list(_keys(place))
        known = [
            depth
            for depth, name in enumerate(self._types_along(keys)[: len(keys)])
            if depth and field in self._types[name].fields
        ]
        return dotted([*keys[: known[-1]], field]) if known else None

    def _types_along(self, keys: list[str | int]) -> list[str]:
        """Return the type of the whole object, and that of what stands at each of the keys in turn."""
        types: list[str] = []
        name = self._root
        for key in [*keys, ""]:
            if name is None or name == TIME:
                break
            types.append(name)
            if isinstance(key, str):
                name = self._types[name].inner.get(key)
        return types

    def add(self, place: Place, field: str, message: str) -> None:
        """Note a fault of a field of what stands at a place."""
        if len(self._problems) < MAX_FAULTS:
            path = ".".join(part for part in (dotted(_keys(place)), field) if part)
            self._problems.append(Problem(object_name(self._document), path, message))


@lru_cache(maxsize=16_384)
def _quantity_fault(text: str | int | float | None) -> str | None:
    if text is None:
        return None
    try:
        parse_quantity(text)
    except QuantityError as error:
        return str(error)
    return None


def _keys(place: Place) -> Iterable[str | int]:
    keys: list[str | int] = []
    while place:
        key, place = place
        keys.append(key)
    return reversed(keys)
