"""The items of a List in JSON, read one at a time: beside the text there is never more than one of them.

Only for a List as kubectl prints it, or a typed one as API servers answer (PodList), whose items don't say
what they are and are told it; and only if nothing is amiss. Whatever else a text is, `reading` reads as a
whole, and says what is wrong with it.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

import msgspec
import numpy as np

from scheduler_core.objects.json_text import (
    MAX_DEPTH,
    MAX_REPEATED_KEYS,
    decode_json,
    decode_once,
    repeated_keys,
)
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading import BYTE_ORDER_MARK, is_plain_object
from scheduler_core.objects.repeated_keys import RepeatedKey, find_object

T = TypeVar("T")
Object = dict[str, Any]
Take = Callable[[Object, msgspec.Raw], T]
"""Is given each object and the text that it was read from; what it returns is kept."""
TakeUnread = Callable[[msgspec.Raw], T | None]
"""Is asked first, with the text alone, and says None of a text that is to be read."""
Progress = Callable[[int, int], None]
"""Called with how many items are read, of how many."""

_GIVEN = (("apiVersion",), ("kind",))
_DEPTH_OF_ITEMS = 2
"""How deep items stand in the text: within an object and an array."""


class _List(msgspec.Struct):
    kind: str
    items: list[msgspec.Raw]
    apiVersion: str = ""


def take_items(
    data: bytes,
    repeated: list[RepeatedKey] | None,
    take: Take[T],
    progress: Progress,
    take_unread: TakeUnread[T] = lambda item: None,
) -> list[T] | None:
    """Return what `take` makes of each item of a List; None for another text, or if anything is amiss.

    repeated: takes the keys that stand twice; without it they are something amiss. take_unread: makes it of
    items that it knows to be single objects in which no key stands twice.
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    whole = _whole(data)
    if whole is None:
        return None
    items, given = whole.items, _given_to_items(whole)
    taken: list[T] = []
    found: list[RepeatedKey] = []
    for number, own in enumerate(items):
        progress(number, len(items))
        item = msgspec.Raw(given + bytes(own)[1:]) if given else own
        unread = take_unread(item)
        if unread is not None:
            taken.append(unread)
            continue
        try:
            document, paths = decode_once(bytes(item), MAX_DEPTH - _DEPTH_OF_ITEMS)
        except BadInput:
            return None
        if not is_plain_object(document) or (given and any(path in _GIVEN for path in paths)):
            return None
        found += [find_object(document, path) for path in islice(paths, MAX_REPEATED_KEYS - len(found))]
        taken.append(take(document, item))
    if repeated is not None:
        repeated += found
    return None if repeated is None and found else taken


def _given_to_items(whole: _List) -> bytes:
    """Return how the text of each item of a typed List begins, so that it says what it is; else nothing."""
    kind = whole.kind.removesuffix("List")
    if not kind:
        return b""
    return msgspec.json.encode({"apiVersion": whole.apiVersion, "kind": kind})[:-1] + b","


def _whole(data: bytes) -> _List | None:
    """Return a text with its unread items if it is a List and nothing is wrong with what is around them."""
    try:
        found = msgspec.json.decode(data, type=_List)
    except (ValueError, RecursionError):
        return None
    is_typed = found.kind.endswith("List") and found.apiVersion and all(map(_has_keys, found.items))
    if not found.items or not (found.kind == "List" or is_typed):
        return None
    start = _address(found.items[0]) - _address(data)
    last = memoryview(found.items[-1])
    around = data[:start] + data[_address(last) - _address(data) + len(last) :]
    try:
        value = decode_json(around)
    except BadInput:
        return None
    return None if repeated_keys(around, value) or value.get("items") != [] else found


def _has_keys(item: msgspec.Raw) -> bool:
    text = bytes(memoryview(item)[:64])
    return text.startswith(b"{") and not text[1:].lstrip().startswith(b"}")


def _address(text: Any) -> int:
    """Return where a text lies in memory: an item is a part of the List's own text."""
    return int(np.frombuffer(text, dtype=np.uint8).ctypes.data)
