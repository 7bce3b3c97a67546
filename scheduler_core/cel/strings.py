"""Functions of strings.

Source: cel-spec "standard definitions"; cel-go ext.Strings version 2; kubernetes v1.36
apiserver/pkg/cel/library regex.go. Patterns are RE2's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import re2

from scheduler_core.cel.conversions import text_of
from scheduler_core.cel.values import EvaluationError, no_such_overload, type_name

_SPACE = (
    " \t\n\v\f\r\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(65, 91)})
_UPPER = str.maketrans({chr(code + 32): chr(code) for code in range(65, 91)})
_QUIET = re2.Options()
_QUIET.log_errors = False


def matches(text: str, pattern: str) -> bool:
    """Return whether a pattern matches somewhere in a text. Raises EvaluationError."""
    return _compiled(pattern, "error parsing regexp").search(text) is not None


def find(text: str, pattern: str) -> str:
    """Return the first match, "" without one. Raises EvaluationError."""
    match = _compiled(pattern, "Illegal regex").search(text)
    return "" if match is None else str(match[0])


def find_all(text: str, pattern: str, limit: int = -1) -> tuple[str, ...]:
    """Return all matches, or so many. Raises EvaluationError."""
    found = [str(match[0]) for match in _compiled(pattern, "Illegal regex").finditer(text)]
    return tuple(found if limit < 0 else found[:limit])


def _compiled(pattern: str, fault: str) -> Any:
    try:
        return re2.compile(pattern, _QUIET)
    except re2.error as error:
        raise EvaluationError(f"{fault}: {error}") from error


def char_at(text: str, place: int) -> str:
    """Return a character; at the end the empty text. Raises EvaluationError."""
    _require_within(place, len(text))
    return text[place : place + 1]


def index_of(text: str, part: str, start: int = 0) -> int:
    """Return where a part begins, -1 if nowhere. Raises EvaluationError."""
    if not part:
        return start
    if start != 0 or text:
        _require_within(start, max(0, len(text) - 1))
    return text.find(part, start)


def last_index_of(text: str, part: str, start: int | None = None) -> int:
    """Return where a part begins for the last time, -1 if nowhere. Raises EvaluationError."""
    if start is None:
        return text.rfind(part)
    if not part:
        return start
    _require_within(start, max(0, len(text) - 1))
    return text.rfind(part, 0, start + len(part))


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """Return the text with a part replaced everywhere, or so many times."""
    return text.replace(old, new, max(limit, -1))


def split(text: str, separator: str, limit: int = -1) -> tuple[str, ...]:
    """Return the parts between separators, at most so many."""
    if limit == 0:
        return ()
    if limit == 1:
        return (text,)
    if not separator:
        letters = list(text)
        return tuple(letters if limit < 0 else [*letters[: limit - 1], *_rest(text, limit - 1)])
    return tuple(text.split(separator, limit - 1 if limit > 0 else -1))


def _rest(text: str, start: int) -> list[str]:
    return [text[start:]] if start < len(text) else []


def substring(text: str, start: int, end: int | None = None) -> str:
    """Return a part of a text. Raises EvaluationError."""
    stop = len(text) if end is None else end
    if start > stop:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {stop}")
    _require_within(start, len(text))
    _require_within(stop, len(text))
    return text[start:stop]


def join(items: tuple[Any, ...], separator: str = "") -> str:
    """Return texts put together. Raises EvaluationError."""
    if not all(type(item) is str for item in items):
        raise no_such_overload()
    return separator.join(items)


def formatted(template: str, values: tuple[Any, ...]) -> str:
    """Return a template with its clauses filled in. Raises EvaluationError."""
    parts, place, used = [], 0, 0
    while (start := template.find("%", place)) >= 0:
        parts.append(template[place:start])
        if template[start : start + 2] == "%%":
            parts.append("%")
            place = start + 2
            continue
        place = start + 1
        precision, place = _precision(template, place)
        if place >= len(template):
            raise EvaluationError("error during formatting: unexpected end of string")
        if used >= len(values):
            raise EvaluationError(f"index {used} out of range")
        parts.append(_clause(template[place], precision, values[used]))
        place, used = place + 1, used + 1
    return "".join([*parts, template[place:]])


def _precision(template: str, place: int) -> tuple[int, int]:
    if template[place : place + 1] != ".":
        return 6, place
    end = place + 1
    while template[end : end + 1].isdigit():
        end += 1
    return int(template[place + 1 : end] or 0), end


def _clause(letter: str, precision: int, value: Any) -> str:
    whole = type(value) is not bool and isinstance(value, int)
    match letter:
        case "s":
            return _shown(value)
        case "d" if whole:
            return str(int(value))
        case "f" if isinstance(value, float):
            return f"{value:.{precision}f}"
        case "e" if isinstance(value, float):
            return f"{value:.{precision}e}"
        case "b" if isinstance(value, int):
            return f"{int(value):b}"
        case "x" | "X" if whole:
            return f"{int(value):{letter}}"
        case "x" | "X" if isinstance(value, str):
            digits = value.encode().hex()
            return digits.upper() if letter == "X" else digits
        case "o" if whole:
            return f"{int(value):o}"
    raise EvaluationError(
        f"error during formatting: %{letter} clause can't take {type_name(value)}"
        if letter in "sdfebxXo"
        else f'could not parse formatting clause: unrecognized formatting clause "{letter}"'
    )


def _shown(value: Any) -> str:
    if isinstance(value, tuple) and type(value) is tuple:
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{_shown(key)}: {_shown(value[key])}" for key in value)) + "}"
    return "null" if value is None else text_of(value)


def _require_within(place: int, end: int) -> None:
    if not 0 <= place <= end:
        raise EvaluationError(f"index out of range: {place}")


METHODS: dict[str, tuple[Callable[..., Any], tuple[tuple[type, ...], ...]]] = {
    "contains": (lambda text, part: part in text, ((str, str),)),
    "startsWith": (str.startswith, ((str, str),)),
    "endsWith": (str.endswith, ((str, str),)),
    "matches": (matches, ((str, str),)),
    "find": (find, ((str, str),)),
    "findAll": (find_all, ((str, str), (str, str, int))),
    "charAt": (char_at, ((str, int),)),
    "indexOf": (index_of, ((str, str), (str, str, int))),
    "lastIndexOf": (last_index_of, ((str, str), (str, str, int))),
    "lowerAscii": (lambda text: text.translate(_LOWER), ((str,),)),
    "upperAscii": (lambda text: text.translate(_UPPER), ((str,),)),
    "replace": (replace, ((str, str, str), (str, str, str, int))),
    "split": (split, ((str, str), (str, str, int))),
    "substring": (substring, ((str, int), (str, int, int))),
    "trim": (lambda text: text.strip(_SPACE), ((str,),)),
    "join": (join, ((tuple,), (tuple, str))),
    "format": (formatted, ((str, tuple),)),
}
"""By name: what a method does, and the types of its target and arguments."""
