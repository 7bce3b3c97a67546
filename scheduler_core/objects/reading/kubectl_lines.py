"""What kubectl says beside the objects that it prints, where a shell wrote both into one file (`2>&1`).

Warnings and refusals of an API server stand before the objects or behind them: they are taken off and told.
A text that holds nothing else is no text of objects.

Source: kubectl v0.36 pkg/cmd/util/helpers.go, k8s.io/client-go v0.36 rest/warnings.go, klog v2.
"""

import re
from typing import NamedTuple

_LINE = re.compile(
    rb"(?:Warning: |Error from server\b|[Ee]rror: |Unable to connect to the server\b"
    rb"|No resources found\b|The connection to the server |Flag --|WARNING: "
    rb"|[IWEF]\d{4} \d\d:\d\d:\d\d\.)[^\n]*"
)
_EMPTY = re.compile(rb"[ \t\r]*")
_LONGEST_LINE = 300
MAX_LINES = 1000
"""How many are taken off at either end."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Spoken(NamedTuple):
    """A part of a text, without what kubectl said, and that, line by line."""

    rest: memoryview
    lines: list[str]


def without_kubectl_lines(data: bytes) -> Spoken:
    """Take off what kubectl said before the objects of a text and behind them."""
    start, first = _before(data)
    end, last = _behind(data, start)
    if not first and not last:
        return Spoken(memoryview(data), [])
    return Spoken(memoryview(data)[start:end], [*first, *last])


def _before(data: bytes) -> tuple[int, list[str]]:
    """Return where the text begins behind such lines, and these."""
    start = position = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    lines: list[str] = []
    while position < len(data) and len(lines) < MAX_LINES:
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        if match := _LINE.match(data, position, end):
            lines.append(_shown(match[0]))
            start = end + 1
        elif not _EMPTY.fullmatch(data, position, end):
            break
        position = end + 1
    return min(start, len(data)), lines


def _behind(data: bytes, start: int) -> tuple[int, list[str]]:
    """Return where the text ends before such lines, and these."""
    end = position = len(data)
    lines: list[str] = []
    while position > start and len(lines) < MAX_LINES:
        begin = max(data.rfind(b"\n", start, position) + 1, start)
        if match := _LINE.match(data, begin, position):
            lines.append(_shown(match[0]))
            end = begin
        elif not _EMPTY.fullmatch(data, begin, position):
            break
        position = begin - 1
    return end, lines[::-1]


def _shown(line: bytes) -> str:
    return " ".join(line[:_LONGEST_LINE].decode("utf-8", "replace").split())
