"""Reading clusters: the JSON or YAML that kubectl prints becomes a flat list of objects.

In comes the text of one file, out go its objects in order: Lists (also typed ones such as PodList, also
nested) are opened, several YAML documents are joined. Nothing is decided here about what the objects mean;
`check_objects` does that. YAML is read as kubectl reads it (sigs.k8s.io/yaml on YAML 1.1): `yes` and `on` are
true, `010` is eight, a timestamp stays text, numbers with colons stay text.

Everything is bounded before it is built: YAML is scanned as a stream of events for depth, size and aliases
before the C loader sees it (which crashes on deep nesting), JSON's depth is bounded by its decoder and by a
scan of its brackets. What exceeds a bound, or is broken, raises `BadInput`.
"""

import re
from typing import Any, ClassVar

import msgspec
import yaml

from scheduler_core.objects.checks import Limits, check_objects
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.problems import BadInput, Problem

__all__ = ["Limits", "check_objects", "drop_repeats", "read_json", "read_yaml", "withhold_private"]

MAX_DEPTH = 100
"""Deepest nesting that is read; a Pod needs about 15, the schema of a custom resource about 50."""
MAX_YAML_NODES = 50_000_000
MAX_ALIAS_GROWTH = 1_000_000
"""How many nodes (and blocks of 64 characters) aliases may add to a YAML text."""

Object = dict[str, Any]


def read_json(data: bytes) -> list[Object]:
    """Return the objects of a JSON text: one object, a List, or an array. Raises BadInput."""
    try:
        document = msgspec.json.decode(data)
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
        _scan(data)
        documents = list(yaml.load_all(data, Loader=_KubernetesLoader))
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise _unreadable(f"not readable as YAML: {_sentence(error)}") from None
    several = len(documents) > 1
    objects: list[Object] = []
    for number, document in enumerate(documents, start=1):
        if document is not None:  # an empty document, as between two separators
            objects.extend(_flatten(document, f"document {number}" if several else ""))
    if not objects and all(document is None for document in documents):
        raise _unreadable("there is nothing in it")
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


class _AnchorSizes:
    """Sizes of the anchored parts seen so far, to price each alias before anything is built."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.growth = 0

    def price(self, anchor: str | None) -> int:
        if anchor is None or anchor not in self.sizes:
            raise _unreadable(f"the alias *{anchor} stands before or within what it refers to")
        self.growth += self.sizes[anchor]
        if self.growth > MAX_ALIAS_GROWTH:
            raise _unreadable("its aliases would grow it beyond any cluster's size")
        return self.sizes[anchor]


def _scan(data: bytes) -> None:
    """Go through a YAML text's events and refuse what would be dangerous to build. Raises BadInput."""
    anchors = _AnchorSizes()
    open_parts: list[tuple[str | None, int]] = []
    size = 0
    for event in yaml.parse(data, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.ScalarEvent):
            weight = 1 + len(event.value) // 64
            size += weight
            if event.anchor:
                anchors.sizes[event.anchor] = weight
        elif isinstance(event, yaml.AliasEvent):
            size += anchors.price(event.anchor)
        elif isinstance(event, yaml.CollectionStartEvent):
            open_parts.append((event.anchor, size))
            size += 1
            if len(open_parts) > MAX_DEPTH:
                raise _unreadable(f"nested deeper than {MAX_DEPTH} levels")
            if event.anchor:
                anchors.sizes.pop(event.anchor, None)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_parts.pop()
            if anchor:
                anchors.sizes[anchor] = size - before
        elif isinstance(event, yaml.DocumentStartEvent):
            anchors.sizes.clear()
        if size > MAX_YAML_NODES:
            raise _unreadable(f"more than {MAX_YAML_NODES:,} values")


_TAG = "tag:yaml.org,2002:"
_TRUE_WORDS = ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")
_FALSE_WORDS = ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")
_WORDS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(_TRUE_WORDS, ("bool", True)),
    **dict.fromkeys(_FALSE_WORDS, ("bool", False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), ("null", None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), ("float", "nan")),
    **{sign + word: ("float", "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
    "<<": ("merge", "<<"),
}
_INTEGER = re.compile(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]{1,16})|0[bB]([01]{1,64})|0[oO]?([0-7]{1,22})|(0|[1-9][0-9]{0,19}))",
    re.ASCII,
)
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]{1,400}|[0-9]{1,400}(?:\.[0-9]{0,400})?)(?:[eE][-+]?[0-9]{1,5})?", re.ASCII
)
_DATE = re.compile(r"[0-9]{4}-", re.ASCII)


def _resolve_plain(text: str) -> tuple[str, Any]:
    """Return the type and value that kubectl gives to an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if not (first.isascii() and (first.isdigit() or first in "+-.")) or _DATE.match(text):
        return "str", text
    plain = text.replace("_", "") if first != "." else text
    value = _integer(plain)
    if value is not None:
        return "int", value
    if _FLOAT.fullmatch(plain):
        number = float(plain)
        return ("float", number) if abs(number) != float("inf") else ("str", text)
    return "str", text


def _integer(plain: str) -> int | None:
    match = _INTEGER.fullmatch(plain)
    if match is None:
        return None
    sign, hexadecimal, binary, octal, decimal = match.groups()
    for digits, base in ((hexadecimal, 16), (binary, 2), (octal, 8), (decimal, 10)):
        if digits is not None:
            value = int(digits, base)
            value = -value if sign == "-" else value
            return value if -(2**63) <= value < 2**64 else None
    return None


class _KubernetesLoader(yaml.CSafeLoader):
    """The C loader with the scalar rules of sigs.k8s.io/yaml in place of PyYAML's."""

    yaml_constructors: ClassVar[dict[Any, Any]] = {}
    yaml_multi_constructors: ClassVar[dict[Any, Any]] = {}

    def resolve(self, kind: type, value: Any, implicit: Any) -> str:
        if kind is yaml.ScalarNode:
            return _TAG + (_resolve_plain(value)[0] if implicit[0] else "str")
        return _TAG + ("seq" if kind is yaml.SequenceNode else "map")

    def construct_plain(self, node: yaml.ScalarNode) -> Any:
        """Return a scalar's value; an explicit tag must agree with it."""
        kind = node.tag.removeprefix(_TAG)
        found, value = _resolve_plain(node.value)
        if found == "int" and kind == "float":
            return float(value)
        if found != kind:
            raise yaml.constructor.ConstructorError(
                None, None, f"{node.value!r} is no {kind}", node.start_mark
            )
        if found == "float" and isinstance(value, str):
            raise yaml.constructor.ConstructorError(
                None, None, f"{node.value} is no number that JSON has", node.start_mark
            )
        return value

    def construct_text(self, node: yaml.ScalarNode) -> Any:
        return self.construct_scalar(node)

    def construct_array(self, node: yaml.SequenceNode) -> Any:
        return self.construct_yaml_seq(node)

    def construct_object_map(self, node: yaml.MappingNode) -> Any:
        """Yield a mapping whose keys are texts, as they must be in JSON."""
        mapping: dict[str, Any] = {}
        yield mapping
        self.flatten_mapping(node)
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, bool):
                key = "true" if key else "false"
            elif isinstance(key, int | float):
                key = f"{key:.7g}" if isinstance(key, float) else str(key)
            elif not isinstance(key, str):
                raise yaml.constructor.ConstructorError(None, None, "a key must be text", key_node.start_mark)
            mapping[key] = self.construct_object(value_node)

    def refuse_tag(self, node: yaml.Node) -> Any:
        raise yaml.constructor.ConstructorError(
            None, None, f"the tag {node.tag} is not known", node.start_mark
        )


for _kind in ("bool", "int", "float", "null"):
    _KubernetesLoader.add_constructor(_TAG + _kind, _KubernetesLoader.construct_plain)
for _kind in ("str", "timestamp", "merge"):
    _KubernetesLoader.add_constructor(_TAG + _kind, _KubernetesLoader.construct_text)
_KubernetesLoader.add_constructor(_TAG + "seq", _KubernetesLoader.construct_array)
_KubernetesLoader.add_constructor(_TAG + "map", _KubernetesLoader.construct_object_map)
_KubernetesLoader.add_constructor(None, _KubernetesLoader.refuse_tag)
