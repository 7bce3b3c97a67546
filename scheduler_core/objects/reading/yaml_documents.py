"""YAML as kubectl reads it: the documents of a text as plain values, within bounds.

As sigs.k8s.io/yaml does on YAML 1.1: `yes` and `on` are true, `010` is eight, a timestamp stays text, numbers
with colons stay text. Documents are built from the parser's stream of events, which costs a fifth of PyYAML's
own loader, cannot overflow the stack and prices every alias before it is followed.
"""

from typing import Any

import yaml

from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.json_text import MAX_DEPTH, MAX_REPEATED_KEYS, Path, too_deep
from scheduler_core.objects.reading.yaml_scalars import resolve_plain

MAX_YAML_NODES = 50_000_000
MAX_ALIAS_GROWTH = 1_000_000
"""How many nodes (and blocks of 64 characters) aliases may add to a YAML text."""

Object = dict[str, Any]
Twice = tuple[int, Path, int]
"""A key that stands twice: the number of its document, the place in it, and the line."""

_TAG = "tag:yaml.org,2002:"
_KNOWN_TAGS = frozenset(_TAG + name for name in ("str", "bool", "int", "float", "null", "timestamp"))


def yaml_documents(data: bytes) -> tuple[list[Any], list[Twice]]:
    """Return the documents of a YAML text, None for an empty one, and the keys that stand twice.

    Raises BadInput for what is no YAML, or exceeds a bound.
    """
    builder = _Builder()
    try:
        builder.read(data)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise _unreadable(f"not readable as YAML: {_sentence(error)}") from None
    return builder.documents, builder.repeated


def _unreadable(message: str, place: str = "") -> BadInput:
    return BadInput([Problem("", place, message)])


def _sentence(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and "end of stream" in str(error) and error.problem_mark:
        return f"it ends in the middle, in line {error.problem_mark.line + 1}: it was cut off"
    return " ".join(str(error).replace('in "<byte string>",', "at").split())[:500]


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
    """Builds documents from the parser's events, within the bounds of this module."""

    def __init__(self) -> None:
        self.documents: list[Any] = []
        self.repeated: list[Twice] = []
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
