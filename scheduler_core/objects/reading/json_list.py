"""The items of a List in JSON, read one at a time: beside the text there is never more than one of them.

Only for a List as kubectl prints it, a typed one as API servers answer (PodList), whose items don't say what
they are and are told it, and an array of either's items; and only if nothing is amiss. Whatever else a text
is, `reading` reads as a whole, and says what is wrong with it.
"""

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_text import (
    MAX_DEPTH,
    MAX_REPEATED_KEYS,
    decode_json,
    decode_once,
    repeated_keys,
)
from scheduler_core.objects.reading.kindless import (
    Type,
    is_read,
    type_by_fields,
    type_of_list,
    type_of_object,
)
from scheduler_core.objects.reading.object_lists import BYTE_ORDER_MARK, is_plain_object
from scheduler_core.objects.reading.repeated_keys import RepeatedKey, find_object

T = TypeVar("T")
Object = dict[str, Any]


class Told(NamedTuple):
    """The text of an object that was told what it is, in two parts, so that the longer one is no copy."""

    given: bytes
    own: msgspec.Raw


Written = msgspec.Raw | Told
"""An object's part of a text."""
Take = Callable[[Object, Written], T]
"""Is given each object and the text that it was read from; what it returns is kept."""
TakeUnread = Callable[[bytes, Written], T | None]
"""Is asked first, with the text alone, and says None of a text that is to be read."""
Progress = Callable[[int, int], None]
"""Called with how many items are read, of how many."""

_GIVEN = (("apiVersion",), ("kind",))
_START_BYTES = 4096


class _List(msgspec.Struct):
    items: list[msgspec.Raw]
    kind: str = ""
    apiVersion: str = ""
    metadata: Any = None


class _Items(NamedTuple):
    """The items of a text, unread, and how deep in it they stand; meant: what all of them are, if told."""

    items: list[msgspec.Raw]
    depth: int
    meant: Type | None
    is_typed: bool


def take_items(
    data: bytes | memoryview,
    repeated: list[RepeatedKey] | None,
    take: Take[T],
    progress: Progress,
    take_unread: TakeUnread[T] = lambda text, item: None,
    *,
    name: str | None = None,
    told: Counter[str] | None = None,
) -> list[T] | None:
    """Return what `take` makes of each item of a List; None for another text, or if anything is amiss.

    repeated: takes the keys that stand twice; without it they are something amiss. take_unread: makes it of
    items that it knows to be single objects in which no key stands twice. name: of the file, which may tell
    what items are that don't say it; without one only their list does. told: counts these by their kind.
    """
    view = memoryview(data)
    if bytes(view[: len(BYTE_ORDER_MARK)]) == BYTE_ORDER_MARK:
        view = view[len(BYTE_ORDER_MARK) :]
    whole = _whole(view, name)
    if whole is None:
        return None
    given = msgspec.json.encode(whole.meant._asdict())[:-1] + b"," if whole.meant else b""
    taken: list[T] = []
    found: list[RepeatedKey] = []
    for number, own in enumerate(whole.items):
        progress(number, len(whole.items))
        item: Written = Told(given, own) if given else own
        text = text_of(item)
        unread = take_unread(text, item)
        if unread is not None:
            taken.append(unread)
            continue
        try:
            document, paths = decode_once(text, MAX_DEPTH - whole.depth)
        except BadInput:
            return None
        if not is_plain_object(document) or (given and any(path in _GIVEN for path in paths)):
            return None
        if name is not None and not _is_as_meant(document, whole):
            return None
        found += [find_object(document, path) for path in islice(paths, MAX_REPEATED_KEYS - len(found))]
        taken.append(take(document, item))
    if repeated is not None:
        repeated += found
    if told is not None and whole.meant and not whole.is_typed:
        told[whole.meant.kind] += len(taken)
    return None if repeated is None and found else taken


def unread_items(data: bytes | memoryview) -> list[msgspec.Raw]:
    """Return the texts of the items of a List that is known to be one. Raises msgspec.DecodeError."""
    return _decode(data).items


def text_of(item: Written) -> bytes:
    """Return the text of an object."""
    return item.given + bytes(item.own)[1:] if isinstance(item, Told) else bytes(item)


def _is_as_meant(document: Object, whole: _Items) -> bool:
    """Tell whether an item says what it is, or nothing in it speaks against what it was told to be."""
    if whole.meant is None:
        return bool(document.get("kind"))
    return whole.is_typed or type_by_fields(document) in (None, whole.meant)


def _whole(data: memoryview, name: str | None) -> _Items | None:
    """Return a text with its unread items if it is a List and nothing is wrong with what is around them."""
    is_array = bytes(data[:_START_BYTES]).lstrip().startswith(b"[")
    try:
        found = _List(msgspec.json.decode(data, type=list[msgspec.Raw]), "") if is_array else _decode(data)
    except (ValueError, RecursionError):
        return None
    is_typed = bool(found.kind.endswith("List") and found.apiVersion and found.kind != "List")
    if not found.items or not (found.kind in ("", "List") or is_typed):
        return None
    if (is_typed or not found.kind) and not all(map(_has_keys, found.items)):
        return None
    start = _address(found.items[0]) - _address(data)
    last = memoryview(found.items[-1])
    around = bytes(data[:start]) + bytes(data[_address(last) - _address(data) + len(last) :])
    try:
        value = decode_json(around)
    except BadInput:
        return None
    if repeated_keys(around, value) or (value if is_array else value.get("items")) != []:
        return None
    if is_typed:
        return _Items(found.items, 2, type_of_list(value), is_typed)
    if name is None:
        return _Items(found.items, 2, None, is_typed) if found.kind else None
    return _untyped(found.items, 1 if is_array else 2, {} if is_array else value, name)


def _decode(data: bytes | memoryview) -> _List:
    return msgspec.json.decode(data, type=_List)


def _untyped(items: list[msgspec.Raw], depth: int, around: Object, name: str) -> _Items | None:
    """Return the items of a list that says no kind; None if nothing tells it, or nobody reads it."""
    try:
        first, _ = decode_once(bytes(items[0]), MAX_DEPTH - depth)
    except BadInput:
        return None
    if not isinstance(first, dict):
        return None
    if first.get("kind"):
        return _Items(items, depth, None, is_typed=False)
    meant = type_of_list({"metadata": around.get("metadata")}) or type_of_object(first, name)
    return _Items(items, depth, meant, is_typed=False) if meant and is_read(meant) else None


def _has_keys(item: msgspec.Raw) -> bool:
    text = bytes(memoryview(item)[:64])
    return text.startswith(b"{") and not text[1:].lstrip().startswith(b"}")


def _address(text: Any) -> int:
    """Return where a text lies in memory: an item is a part of the List's own text."""
    return int(np.frombuffer(text, dtype=np.uint8).ctypes.data)
