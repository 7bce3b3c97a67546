"""Reading clusters: the JSON or YAML that kubectl prints becomes a flat list of objects.

In comes the text of one file, out go its objects in order: Lists (also typed ones such as PodList, also
nested) are opened, several YAML documents are joined. Nothing is decided here about what the objects mean;
`check_objects` does that. YAML is read as kubectl reads it (sigs.k8s.io/yaml on YAML 1.1): `yes` and `on` are
true, `010` is eight, a timestamp stays text, numbers with colons stay text.

Everything is bounded: YAML is built from the parser's stream of events, which costs a fifth of PyYAML's own
loader, cannot overflow the stack and prices every alias before it is followed; JSON's depth is bounded by its
decoder and by a scan of its brackets. What exceeds a bound, or is broken, raises `BadInput`.
"""

import re
from typing import Any

import msgspec
import yaml

from scheduler_core.objects.checks import Limits, check_objects
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.yaml_scalars import resolve_plain

__all__ = [
    "Limits",
    "NothingInIt",
    "check_objects",
    "drop_repeats",
    "flatten",
    "read_json",
    "read_manifest",
    "read_yaml",
]

MAX_DEPTH = 100
"""Deepest nesting that is read; a Pod needs about 15, the schema of a custom resource about 50."""
MAX_YAML_NODES = 50_000_000
MAX_ALIAS_GROWTH = 1_000_000
"""How many nodes (and blocks of 64 characters) aliases may add to a YAML text."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Object = dict[str, Any]


class NothingInIt(BadInput):
    """A text without any document: empty, or nothing but comments."""


def read_json(data: bytes) -> list[Object]:
    """Return the objects of a JSON text: one object, a List, or an array. Raises BadInput."""
    try:
        document = msgspec.json.decode(data.removeprefix(_BYTE_ORDER_MARK))
    except RecursionError:
        raise _unreadable(f"nested deeper than {MAX_DEPTH} levels") from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise _unreadable(f"not readable as JSON: {_sentence(error)}") from None
    if _bracket_depth_exceeds(data, MAX_DEPTH):
        raise _unreadable(f"nested deeper than {MAX_DEPTH} levels")
    return _flatten(document, "")


def read_yaml(data: bytes) -> list[Object]:
    """Return the objects of a YAML text with any number of documents. Raises BadInput."""
    try:
        documents = _build_documents(data)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise _unreadable(f"not readable as YAML: {_sentence(error)}") from None
    several = len(documents) > 1
    objects: list[Object] = []
    for number, document in enumerate(documents, start=1):
        if document is not None:  # an empty document, as between two separators
            objects.extend(_flatten(document, f"document {number}" if several else ""))
    if not objects and all(document is None for document in documents):
        raise NothingInIt([Problem("", "", "there is nothing in it")])
    return objects


def drop_repeats(objects: list[Object]) -> tuple[list[Object], int]:
    """Leave out objects that are equal to an earlier one, as when two files overlap; say how many."""
    kept: list[Object] = []
    seen: dict[tuple[str, str, str, str], list[Object]] = {}
    for document in objects:
        metadata = document.get("metadata")
        names = metadata if isinstance(metadata, dict) else {}
        identity = (
            str(document.get("kind")),
            str(names.get("namespace")),
            str(names.get("name")),
            str(names.get("uid")),
        )
        earlier = seen.setdefault(identity, [])
        if document not in earlier:
            earlier.append(document)
            kept.append(document)
    return kept, len(objects) - len(kept)


def _unreadable(message: str, place: str = "") -> BadInput:
    return BadInput([Problem(place, "", message)])


def _sentence(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


# Lists


def flatten(document: Any) -> list[Object]:
    """Return the objects of a document that was read elsewhere, Lists opened. Raises BadInput."""
    return _flatten(document, "")


def read_manifest(manifest: Object | str) -> list[Object]:
    """Return the objects of an edit's manifest: YAML or JSON text, or an object. Raises BadInput."""
    if not isinstance(manifest, str):
        return flatten(manifest)
    try:
        data = manifest.encode()
    except UnicodeEncodeError:
        raise _unreadable("is no readable text") from None
    return read_yaml(data)


def _flatten(document: Any, place: str) -> list[Object]:
    """Return the objects of a document in order, Lists opened. Raises BadInput with every faulty place."""
    objects: list[Object] = []
    problems: list[Problem] = []
    waiting: list[tuple[Any, str]] = [(document, place)]
    while waiting:
        item, path = waiting.pop()
        if isinstance(item, list) and path == place:
            waiting.extend(_children(item, path, {}))
        elif not isinstance(item, dict):
            problems.append(Problem(path, "", f"expected a Kubernetes object, found {_type_name(item)}"))
        elif not _is_list(item):
            objects.append(item)
        elif not isinstance(item.get("items") or [], list):
            problems.append(Problem(path, "items", "must be an array of objects"))
        else:
            waiting.extend(_children(item.get("items") or [], path, _type_of_items(item)))
    if problems:
        raise BadInput(problems)
    return objects


def _is_list(item: Object) -> bool:
    kind = item.get("kind")
    return kind == "List" or (isinstance(kind, str) and kind.endswith("List") and "items" in item)


def _type_of_items(item: Object) -> dict[str, str]:
    """Return kind and apiVersion for the items of a typed List, which carry none of their own."""
    kind = item["kind"].removesuffix("List")
    version = item.get("apiVersion")
    return {"apiVersion": version, "kind": kind} if kind and isinstance(version, str) else {}


def _children(items: list[Any], path: str, defaults: dict[str, str]) -> list[tuple[Any, str]]:
    """Return the items with their places, last first, each with the kind that its List gives it."""
    prefix = f"{path} items" if path else "items"
    children = []
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if defaults and isinstance(item, dict) and not item.get("kind"):
            item = {**defaults, **item, "kind": defaults["kind"]}
        children.append((item, f"{prefix}[{index}]"))
    return children


def _type_name(value: Any) -> str:
    names = {str: "text", int: "a number", float: "a number", bool: "true or false", list: "an array"}
    return "nothing" if value is None else names.get(type(value), "something else")


# JSON

_JSON_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def _bracket_depth_exceeds(data: bytes, depth: int) -> bool:
    """Tell whether a valid JSON text nests deeper, by taking innermost pairs away one level at a time."""
    brackets = _JSON_STRING.sub(b"", data).translate(None, _NOT_BRACKETS)
    for _ in range(depth):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


# YAML

_TAG = "tag:yaml.org,2002:"
_KNOWN_TAGS = frozenset(_TAG + name for name in ("str", "bool", "int", "float", "null", "timestamp"))


class _Merge:
    """The key `<<`."""


class _Part:
    """A mapping or sequence under construction."""

    __slots__ = ("anchor", "key", "size_before", "value")

    def __init__(self, value: Object | list[Any], anchor: str | None, size_before: int) -> None:
        self.value = value
        self.anchor = anchor
        self.size_before = size_before
        self.key: Any = None


def _build_documents(data: bytes) -> list[Any]:
    """Return the documents of a YAML text. Raises BadInput or yaml.YAMLError."""
    builder = _Builder()
    event: Any
    for event in yaml.parse(data, Loader=yaml.CSafeLoader):
        kind = type(event)
        if kind is yaml.ScalarEvent:
            builder.scalar(event)
        elif kind is yaml.MappingStartEvent:
            builder.open(event, {})
        elif kind is yaml.SequenceStartEvent:
            builder.open(event, [])
        elif kind in (yaml.MappingEndEvent, yaml.SequenceEndEvent):
            builder.close()
        elif kind is yaml.AliasEvent:
            builder.alias(event.anchor)
        elif kind is yaml.DocumentStartEvent:
            builder.anchors.clear()
    return builder.documents


class _Builder:
    """Builds documents from the parser's events, within the bounds of this module."""

    def __init__(self) -> None:
        self.documents: list[Any] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.parts: list[_Part] = []
        self.size = 0
        self.growth = 0

    def scalar(self, event: yaml.ScalarEvent) -> None:
        weight = 1 + len(event.value) // 64
        self._grow(weight)
        value = _scalar_value(event)
        if event.anchor:
            self.anchors[event.anchor] = (value, weight)
        self._place(value)

    def open(self, event: yaml.CollectionStartEvent, value: Object | list[Any]) -> None:
        if event.tag not in (None, "!", _TAG + "map", _TAG + "seq"):
            raise _unreadable(f"the tag {event.tag} is not known ({_line(event)})")
        if len(self.parts) == MAX_DEPTH:
            raise _unreadable(f"nested deeper than {MAX_DEPTH} levels")
        if self.parts and isinstance(self.parts[-1].value, dict) and self.parts[-1].key is None:
            raise _unreadable(f"a key must be text ({_line(event)})")
        if event.anchor:
            self.anchors.pop(event.anchor, None)
        self.parts.append(_Part(value, event.anchor, self.size))
        self._grow(1)

    def close(self) -> None:
        part = self.parts.pop()
        if part.anchor:
            self.anchors[part.anchor] = (part.value, self.size - part.size_before)
        self._place(part.value)

    def alias(self, anchor: str | None) -> None:
        if anchor not in self.anchors:
            raise _unreadable(f"the alias *{anchor} stands before or within what it refers to")
        value, size = self.anchors[anchor]
        self.growth += size
        if self.growth > MAX_ALIAS_GROWTH:
            raise _unreadable("its aliases would grow it beyond any cluster's size")
        self._grow(size)
        self._place(value)

    def _grow(self, size: int) -> None:
        self.size += size
        if self.size > MAX_YAML_NODES:
            raise _unreadable(f"more than {MAX_YAML_NODES:,} values")

    def _place(self, value: Any) -> None:
        """Put a finished value where it belongs: a document, an item, a key or a key's value."""
        if not self.parts:
            self.documents.append(None if value is _Merge else value)
            return
        part = self.parts[-1]
        if isinstance(part.value, list):
            part.value.append("<<" if value is _Merge else value)
        elif part.key is None:
            part.key = _key(value)
        elif part.key is _Merge:
            _merge(part.value, value)
            part.key = None
        else:
            part.value[part.key] = "<<" if value is _Merge else value
            part.key = None


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
    return f"line {event.start_mark.line + 1}" if event.start_mark else "line unknown"


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


def _merge(target: Object, source: Any) -> None:
    """Take over a mapping's entries, or those of several mappings, of which the first counts most."""
    for mapping in reversed(source if isinstance(source, list) else [source]):
        if not isinstance(mapping, dict):
            raise _unreadable("only mappings can be merged with <<")
        target.update(mapping)
