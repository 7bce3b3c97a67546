"""Reading clusters: the JSON or YAML that kubectl prints becomes a flat list of objects.

In comes the text of one file, out go its objects in order: Lists (also typed ones such as PodList, also
nested) are opened, several YAML documents are joined. Nothing is decided here about what the objects mean;
`check_objects` does that. YAML is read as kubectl reads it (sigs.k8s.io/yaml on YAML 1.1): `yes` and `on` are
true, `010` is eight, a timestamp stays text, numbers with colons stay text.

Everything is bounded: YAML is built from the parser's stream of events, which costs a fifth of PyYAML's own
loader, cannot overflow the stack and prices every alias before it is followed; JSON comes by `json_text`.
What exceeds a bound, or is broken, raises `BadInput`; so does a key that stands twice, unless the caller
takes note of them.
"""

from typing import Any

import yaml

from scheduler_core.objects.checks.cluster_checks import Limits, check_objects
from scheduler_core.objects.kinds import READ_KINDS
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.exports import exported_objects
from scheduler_core.objects.reading.internal_form import internal_items
from scheduler_core.objects.reading.json_text import (
    MAX_DEPTH,
    MAX_REPEATED_KEYS,
    Path,
    decode_json,
    repeated_keys,
    too_deep,
)
from scheduler_core.objects.reading.kindless import Type, type_of_list
from scheduler_core.objects.reading.misspelt_kinds import UNKNOWN_KIND
from scheduler_core.objects.reading.repeated_keys import RepeatedKey, find_object, refuse
from scheduler_core.objects.reading.yaml_scalars import resolve_plain
from scheduler_core.objects.server_version import server_version_object

__all__ = [
    "Limits",
    "NoObjects",
    "NothingInIt",
    "check_objects",
    "flatten",
    "read_json",
    "read_yaml",
]

MAX_YAML_NODES = 50_000_000
MAX_ALIAS_GROWTH = 1_000_000
"""How many nodes (and blocks of 64 characters) aliases may add to a YAML text."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Object = dict[str, Any]


class NothingInIt(BadInput):
    """A text without any document: empty, or nothing but comments."""


class NoObjects(BadInput):
    """A document that can be read, and of which no part has the form of an object."""


class NotAllObjects(BadInput):
    """Some items of Lists are no objects, such as null; `objects` has an empty one in the place of each."""

    def __init__(self, problems: list[Problem], objects: list[Object]) -> None:
        super().__init__(problems)
        self.objects = objects


def read_json(data: bytes, repeated: list[RepeatedKey] | None = None) -> list[Object]:
    """Return the objects of a JSON text: one object, a List, or an array. Raises BadInput.

    repeated: takes the keys that stand twice, of which the last counts; without it they are refused.
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    document = decode_json(data)
    _tell([find_object(document, path) for path in repeated_keys(data, document)], repeated)
    return _flatten(document, "")


def read_yaml(data: bytes, repeated: list[RepeatedKey] | None = None) -> list[Object]:
    """Return the objects of a YAML text with any number of documents. Raises BadInput.

    repeated: as for `read_json`.
    """
    builder = _Builder()
    try:
        builder.read(data)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise _unreadable(f"not readable as YAML: {_sentence(error)}") from None
    documents = builder.documents
    _tell([find_object(documents[place], path, line) for place, path, line in builder.repeated], repeated)
    several = len(documents) > 1
    objects: list[Object] = []
    odd: list[Problem] = []
    for number, document in enumerate(documents, start=1):
        if document is not None:  # an empty document, as between two separators
            try:
                objects.extend(_flatten(document, f"document {number}" if several else ""))
            except NotAllObjects as error:
                objects += error.objects
                odd += error.problems
    if odd:
        raise NotAllObjects(odd, objects)
    if not objects and all(document is None for document in documents):
        raise NothingInIt([Problem("", "", "there is nothing in it")])
    return objects


def _tell(found: list[RepeatedKey], repeated: list[RepeatedKey] | None) -> None:
    if repeated is None:
        refuse(found)
    else:
        repeated.extend(found)


def _unreadable(message: str, place: str = "") -> BadInput:
    return BadInput([Problem("", place, message)])


def _sentence(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and "end of stream" in str(error) and error.problem_mark:
        return f"it ends in the middle, in line {error.problem_mark.line + 1}: it was cut off"
    return " ".join(str(error).replace('in "<byte string>",', "at").split())[:500]


# Lists

_LISTS = {kind.lower(): kind for kind in ("List", *(f"{read.name}List" for read in READ_KINDS))}


def flatten(document: Any) -> list[Object]:
    """Return the objects of a document that was read elsewhere, Lists opened. Raises BadInput."""
    return _flatten(document, "")


def _flatten(document: Any, place: str) -> list[Object]:
    """Return the objects of a document in order, Lists opened. Raises BadInput with every faulty place."""
    objects: list[Object] = []
    problems: list[Problem] = []
    odd = 0
    waiting: list[tuple[Any, str]] = [(document, place)]
    while waiting:
        item, path = waiting.pop()
        if isinstance(item, list) and path == place:
            waiting.extend(_children(item, path, None))
        elif not isinstance(item, dict):
            odd += 1
            objects.append({})
            problems.append(Problem(path, "", f"expected a Kubernetes object, found {_type_name(item)}"))
        elif (exported := exported_objects(item)) is not None:
            waiting.extend(reversed(exported))
        elif (version := server_version_object(item)) is not None:
            objects.append(version)
        elif (internal := internal_items(item)) is not None:
            waiting.extend(_children(internal[0], path, type_of_list(internal[1])))
        elif meant := _misspelt_list(item):
            problems.append(Problem(path, "kind", f"{item['kind']} {UNKNOWN_KIND}; did you mean {meant}?"))
        elif not _is_list(item):
            objects.append(item)
        elif not isinstance(item.get("items") or [], list):
            problems.append(Problem(path, "items", "must be an array of objects"))
        else:
            waiting.extend(_children(item.get("items") or [], path, type_of_list(item)))
    if problems:
        if not any(objects):
            raise NoObjects(problems)
        raise NotAllObjects(problems, objects) if odd == len(problems) else BadInput(problems)
    return objects


def is_plain_object(item: Any) -> bool:
    """Tell whether an item of a List is an object by itself, and nothing that holds others."""
    if not isinstance(item, dict) or _misspelt_list(item):
        return False
    return exported_objects(item) is None and internal_items(item) is None and not _is_list(item)


def _is_list(item: Object) -> bool:
    kind = item.get("kind")
    if not kind:
        return isinstance(item.get("items"), list) and not _names_itself(item)
    return kind == "List" or (isinstance(kind, str) and kind.endswith("List") and "items" in item)


def _misspelt_list(item: Object) -> str | None:
    """Return how the kind of a List is spelt whose capitals are wrong, None for anything else."""
    kind = item.get("kind")
    if not isinstance(kind, str) or not isinstance(item.get("items"), list) or _names_itself(item):
        return None
    meant = _LISTS.get(kind.lower())
    return meant if meant != kind else None


def _names_itself(item: Object) -> bool:
    """Tell whether a document has a name, as objects have and Lists don't."""
    metadata = item.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("name"))


def _children(items: list[Any], path: str, meant: Type | None) -> list[tuple[Any, str]]:
    """Return the items with their places, last first, each as what its list says that they are."""
    prefix = f"{path} items" if path else "items"
    children = []
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if meant and isinstance(item, dict) and not item.get("kind"):
            item = {**meant._asdict(), **item, "kind": meant.kind}
        children.append((item, f"{prefix}[{index}]"))
    return children


def _type_name(value: Any) -> str:
    names = {str: "text", int: "a number", float: "a number", bool: "true or false", list: "an array"}
    return "nothing" if value is None else names.get(type(value), "something else")


# YAML

_TAG = "tag:yaml.org,2002:"
_KNOWN_TAGS = frozenset(_TAG + name for name in ("str", "bool", "int", "float", "null", "timestamp"))


class _Merge:
    """The key `<<`."""


class _Part:
    """A mapping or sequence under construction; `height` counts the levels in it, its own included."""

    __slots__ = ("anchor", "height", "key", "merged", "size_before", "value")

    def __init__(self, value: Object | list[Any], anchor: str | None, size_before: int) -> None:
        self.value = value
        self.anchor = anchor
        self.size_before = size_before
        self.height = 1
        self.key: Any = None
        self.merged: set[str] = set()


class _Builder:
    """Builds documents from the parser's events, within the bounds of this module.

    repeated: the number of the document, the place in it, and the line of each key that stands twice.
    """

    def __init__(self) -> None:
        self.documents: list[Any] = []
        self.repeated: list[tuple[int, Path, int]] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.parts: list[_Part] = []
        self.size = 0
        self.growth = 0

    def read(self, data: bytes) -> None:
        """Build all documents of a YAML text. Raises BadInput or yaml.YAMLError."""
        event: Any
        for event in yaml.parse(data, Loader=yaml.CSafeLoader):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.scalar(event)
            elif kind is yaml.MappingStartEvent:
                self.open(event, {})
            elif kind is yaml.SequenceStartEvent:
                self.open(event, [])
            elif kind in (yaml.MappingEndEvent, yaml.SequenceEndEvent):
                self.close(event)
            elif kind is yaml.AliasEvent:
                self.alias(event)
            elif kind is yaml.DocumentStartEvent:
                self.anchors.clear()

    def scalar(self, event: yaml.ScalarEvent) -> None:
        weight = 1 + len(event.value) // 64
        self._grow(weight)
        value = _scalar_value(event)
        if event.anchor:
            self.anchors[event.anchor] = (value, weight, 0)
        self._place(value, 0, event)

    def open(self, event: yaml.CollectionStartEvent, value: Object | list[Any]) -> None:
        if event.tag not in (None, "!", _TAG + "map", _TAG + "seq"):
            raise _unreadable(f"the tag {event.tag} is not known ({_line(event)})")
        self._bound_depth(1, event)
        if self.parts and isinstance(self.parts[-1].value, dict) and self.parts[-1].key is None:
            raise _unreadable(f"a key must be text ({_line(event)})")
        if event.anchor:
            self.anchors.pop(event.anchor, None)
        self.parts.append(_Part(value, event.anchor, self.size))
        self._grow(1)

    def close(self, event: yaml.Event) -> None:
        part = self.parts.pop()
        if part.anchor:
            self.anchors[part.anchor] = (part.value, self.size - part.size_before, part.height)
        self._place(part.value, part.height, event)

    def alias(self, event: yaml.AliasEvent) -> None:
        anchor = event.anchor
        if anchor not in self.anchors:
            raise _unreadable(f"the alias *{anchor} stands before or within what it refers to", _line(event))
        value, size, height = self.anchors[anchor]
        self.growth += size
        if self.growth > MAX_ALIAS_GROWTH:
            raise _unreadable("its aliases would grow it beyond any cluster's size", _line(event))
        self._bound_depth(height, event)
        self._grow(size)
        self._place(value, height, event)

    def _bound_depth(self, height: int, event: yaml.Event) -> None:
        if len(self.parts) + height > MAX_DEPTH:
            raise _unreadable(f"{too_deep(MAX_DEPTH)} ({_line(event)})")

    def _grow(self, size: int) -> None:
        self.size += size
        if self.size > MAX_YAML_NODES:
            raise _unreadable(f"more than {MAX_YAML_NODES:,} values")

    def _place(self, value: Any, height: int, event: yaml.Event) -> None:
        """Put a finished value where it belongs: a document, an item, a key or a key's value."""
        if not self.parts:
            self.documents.append(None if value is _Merge else value)
            return
        part = self.parts[-1]
        part.height = max(part.height, height + 1)
        if isinstance(part.value, list):
            part.value.append("<<" if value is _Merge else value)
        elif part.key is None:
            part.key = _key(value)
            self._note_repeated(part, event)
        elif part.key is _Merge:
            part.merged.update(_merge(part.value, value))
            part.key = None
        else:
            part.value[part.key] = "<<" if value is _Merge else value
            part.key = None

    def _note_repeated(self, part: _Part, event: yaml.Event) -> None:
        """Note a key that its mapping has already, unless it is one that only came by a merge."""
        if part.key not in part.value:
            return
        if part.key in part.merged:
            part.merged.remove(part.key)
        elif len(self.repeated) < MAX_REPEATED_KEYS:
            path = tuple(map(_step, self.parts))
            self.repeated.append((len(self.documents), path, _line_number(event)))


def _scalar_value(event: yaml.ScalarEvent) -> Any:
    """Return a scalar's value; an explicit tag must agree with it."""
    if event.tag is None:
        if not event.implicit[0]:  # quoted, or a block of text
            return event.value
        kind, value = resolve_plain(event.value)
        if kind == "str":
            return value
    elif event.tag in ("!", _TAG + "str", _TAG + "timestamp"):
        return event.value
    elif event.tag in _KNOWN_TAGS:
        kind, value = resolve_plain(event.value)
        wanted = event.tag.removeprefix(_TAG)
        if kind == "int" and wanted == "float":
            return float(value)
        if kind != wanted:
            raise _unreadable(f"{event.value[:80]!r} is no {wanted} ({_line(event)})")
    else:
        raise _unreadable(f"the tag {event.tag} is not known ({_line(event)})")
    if kind == "merge":
        return _Merge
    if kind == "float" and isinstance(value, str):
        raise _unreadable(f"{event.value} is no number ({_line(event)})")
    return value


def _line(event: yaml.Event) -> str:
    return f"line {_line_number(event) or 'unknown'}"


def _line_number(event: yaml.Event) -> int:
    """Return the line in which an event begins, counted from 1; 0 where the parser does not know."""
    return event.start_mark.line + 1 if event.start_mark else 0


def _step(part: _Part) -> str | int:
    """Return the key or place at which a part is being filled."""
    if isinstance(part.value, list):
        return len(part.value)
    return "<<" if part.key is _Merge else str(part.key)


def _key(value: Any) -> Any:
    """Return the text of a key: JSON has no others. Raises BadInput."""
    if isinstance(value, str) or value is _Merge:
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, int):
        return str(value)
    raise _unreadable("a key must be text")


def _merge(target: Object, source: Any) -> set[str]:
    """Take over the entries of a mapping, or of several, of which the first counts most; return new keys."""
    before = set(target)
    for mapping in reversed(source if isinstance(source, list) else [source]):
        if not isinstance(mapping, dict):
            raise _unreadable("only mappings can be merged with <<")
        target.update(mapping)
    return target.keys() - before
