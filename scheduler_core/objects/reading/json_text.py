"""JSON texts from outside: decoded within a bound on their depth, and searched for keys that stand twice.

Every JSON text that somebody else wrote comes in through `decode_json`. Its depth is counted before anything
is built, so that no decoder, encoder or walker of ours ever meets a value that overflows its stack.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from scheduler_core.objects.problems import BadInput, Problem, dotted

MAX_DEPTH = 100
"""Deepest nesting that is read; a Pod needs about 15, the schema of a custom resource about 50."""
MAX_REPEATED_KEYS = 100
"""How many keys that stand twice are found in one text; more help nobody."""

Path = tuple[str | int, ...]

_SHOWN_STEPS = 8
_NOT_OUTLINE = bytes(set(range(256)) - set(b'[]{}"'))
_FLATTENED = 4
"""How many levels are taken away, innermost first, before all brackets are summed up one by one."""
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]', re.DOTALL)
_ESCAPE = re.compile(rb'\\[\\"]')
_PIECE_BYTES = 1024 * 1024
_BACKSLASH = ord("\\")
_PLACE = re.compile(r"\(byte (\d+)\)")
_NO_NUMBER = re.compile(rb"(?:NaN|Infinity|inf|nan)\b")
_HUGE = re.compile(rb"(?<=[:\[,\s])-?\d+(?:\.\d+)?[eE]\+?\d{3,}")
_HALF = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\(?:u|$)|$)")
"""The first half of a surrogate pair, without the second, if no backslash escapes its own."""
_BORDER = re.compile(rb"[}\]]\s*(?=[{\[])")
"""Between two documents; within one it is found in strings only."""


class NotJson(BadInput):
    """The text is no JSON; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__([Problem("", "", f"not readable as JSON: {reason}")])
        self.reason = reason


class NoNumber(NotJson):
    """The text has NaN, Infinity or a number beyond all bounds where JSON has its numbers."""


def decode_json(data: bytes, max_depth: int = MAX_DEPTH) -> Any:
    """Return the value of a JSON text. Raises NotJson, and BadInput beyond `max_depth` levels of nesting."""
    if _depth_exceeds(data, max_depth):
        raise BadInput([Problem("", _first_place_below(data, max_depth), too_deep(max_depth))])
    return _decode(data)


def decode_once(data: bytes, max_depth: int = MAX_DEPTH) -> tuple[Any, list[Path]]:
    """Return the value of a JSON text and where keys stand twice in it, as `decode_json`, `repeated_keys`."""
    outline = _outline(data)
    is_shallow = outline.count(b"[") + outline.count(b"{") <= max_depth
    if not is_shallow and _brackets_exceed(_brackets(outline), max_depth):
        raise BadInput([Problem("", _first_place_below(data, max_depth), too_deep(max_depth))])
    value = _decode(data)
    is_whole = outline.count(b'"') // 2 == _count_strings(msgspec.json.encode(value))
    return value, [] if is_whole else repeated_keys(data, value)


def _decode(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except UnicodeDecodeError:
        raise NotJson("its text is not UTF-8") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise _told(data, " ".join(str(error).split())[:500]) from None


def _told(data: bytes, reason: str) -> NotJson:
    """Say what a decoder found wrong with a text, and in which line of it."""
    if "truncated" in reason and (half := _half_character(data)):
        return NotJson(f"{half[0].decode()} is half of a character (line {_line(data, half.start())})")
    if "truncated" in reason:
        return NotJson(f"it ends in the middle, in line {_line(data, len(data))}: it was cut off")
    if reason.startswith("Number out of range"):
        found = _HUGE.search(data)
        number = found[0].decode() if found else "a number"
        where = f" (line {_line(data, found.start())})" if found else ""
        return NoNumber(f"{number} is beyond the numbers that can be read{where}")
    place = _PLACE.search(reason)
    if place is None:
        return NotJson(reason)
    position = int(place[1])
    line = f"line {_line(data, position)}"
    if found := _NO_NUMBER.match(data, position):
        return NoNumber(f"{found[0].decode()} is no number of JSON ({line})")
    return NotJson(f"{reason[: place.start()]}({line}, byte {position:,})")


def _half_character(data: bytes) -> re.Match[bytes] | None:
    """Return the first half of a surrogate pair that has no second: rare enough to look behind each."""
    return next((found for found in _HALF.finditer(data) if not _is_escaped(data, found.start())), None)


def _is_escaped(data: bytes, position: int) -> bool:
    start = position
    while start > 0 and data[start - 1] == _BACKSLASH:
        start -= 1
    return (position - start) % 2 == 1


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def too_deep(max_depth: int) -> str:
    """Return the reason against a value that is nested deeper than `max_depth` levels."""
    return f"nested deeper than {max_depth} levels"


def repeated_keys(data: bytes, value: Any) -> list[Path]:
    """Return where a key stands twice in an object of a JSON text, whose decoded value is given.

    A decoder keeps the last of several equal keys, so its value has fewer strings than its text: only where
    these numbers differ is the text gone through. Stops after MAX_REPEATED_KEYS.
    """
    if _count_strings(data) == _count_strings(msgspec.json.encode(value)):
        return []
    found = (path for path, is_repeated in _walk(data) if is_repeated)
    return list(islice(found, MAX_REPEATED_KEYS))


def split_documents(data: bytes | memoryview) -> Iterator[memoryview]:
    """Yield the JSON documents that stand one after another in a text, unread; at least one."""
    view = memoryview(data)
    start, looked_at, quotes = 0, 0, 0
    for border in _BORDER.finditer(view):
        quotes += _count_quotes(view, looked_at, border.end())
        looked_at = border.end()
        if quotes % 2 == 0:
            yield view[start : border.end()]
            start = border.end()
    yield view[start:]


def _count_quotes(view: memoryview, start: int, end: int) -> int:
    """Return how many quotation marks that aren't escaped stand in a part of a text."""
    quotes = 0
    while start < end:
        border = min(start + _PIECE_BYTES, end)
        while border < end and view[border - 1] == _BACKSLASH:  # never between it and what it escapes
            border += 1
        quotes += _without_escapes(bytes(view[start:border])).count(b'"')
        start = border
    return quotes


def _depth_exceeds(data: bytes, max_depth: int) -> bool:
    """Tell whether a decoder would meet deeper nesting, whatever else is wrong with the text."""
    if data.count(b"[") + data.count(b"{") <= max_depth:
        return False
    return _brackets_exceed(_brackets(_outline(data)), max_depth)


def _outline(data: bytes) -> bytes:
    """Return the brackets of a text, those in its strings too, and the quotation marks around strings."""
    return _without_escapes(data).translate(None, _NOT_OUTLINE)


def _brackets(outline: bytes) -> bytes:
    """Return the brackets of an outline that stand outside strings."""
    # Of two neighbouring quotation marks either both begin and end a string, or end one and begin the next:
    # without them every bracket is still within a string or outside, as it was.
    return b"".join(outline.replace(b'""', b"").split(b'"')[::2])


def _brackets_exceed(brackets: bytes, max_depth: int) -> bool:
    """Tell whether more than `max_depth` are open at once."""
    left = brackets
    for level in range(0, _FLATTENED, 2):
        if left.count(b"[") + left.count(b"{") + level <= max_depth:
            return False
        left = left.replace(b"{}", b"").replace(b"[]", b"")  # one level, or two
    codes = np.frombuffer(brackets, dtype=np.int8)
    steps = (codes & 2) - 1  # of the four, [ and { have this bit, ] and } have not
    return bool(np.cumsum(steps, dtype=np.int32).max(initial=0) > max_depth)


def _without_escapes(data: bytes) -> bytes:
    """Return the text without escaped backslashes and quotation marks."""
    return _ESCAPE.sub(b"", data) if b"\\" in data else data


def _count_strings(data: bytes) -> int:
    return _without_escapes(data).count(b'"') // 2


def _first_place_below(data: bytes, max_depth: int) -> str:
    path = next((path for path, _ in _walk(data) if len(path) > max_depth), ())
    return dotted(path[:-1][:_SHOWN_STEPS]) + "…"


def _walk(data: bytes) -> Iterator[tuple[Path, bool]]:
    """Yield the place of each object and array as it begins, and, with true, of keys that stand twice."""
    path: list[str | int] = []
    keys: list[set[str] | None] = []  # of the objects that are open; None for an array
    string = b""
    for match in _TOKEN.finditer(data):
        token = match[0]
        if token in b"[{":
            keys.append(set() if token == b"{" else None)
            path.append("" if token == b"{" else 0)
            yield tuple(path), False
        elif not keys:
            continue
        elif token in b"]}":
            keys.pop()
            path.pop()
        elif token == b",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else ""
        elif token != b":":
            string = token
        elif (known := keys[-1]) is not None:
            key = path[-1] = _text(string)
            if key in known:
                yield tuple(path), True
            known.add(key)


def _text(string: bytes) -> str:
    try:
        return msgspec.json.decode(string, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "\N{REPLACEMENT CHARACTER}"
