"""From the text of an expression to tokens.

Source: cel-spec doc/langdef.md "Lexis".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from scheduler_core.cel.syntax import CompileError
from scheduler_core.cel.values import Unsigned

MAX_LENGTH = 10 * 1024
"""Bytes that an expression may have. Source: resource/v1 CELSelectorExpressionMaxLength."""
_MAX_UINT64 = 2**64 - 1
_SPACE = re.compile(r"(?:\s+|//[^\n]*)+")
_NUMBER = re.compile(
    r"(?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<int>0[xX][0-9a-fA-F]+|[0-9]+)(?P<unsigned>[uU]?)"
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRING = re.compile(
    r"(?P<prefix>[rR][bB]?|[bB][rR]?)?"
    r"(?:\"\"\"(?P<t1>(?:\\.|(?!\"\"\").)*)\"\"\"|'''(?P<t2>(?:\\.|(?!''').)*)'''"
    r"|\"(?P<s1>(?:\\.|[^\"\\\n])*)\"|'(?P<s2>(?:\\.|[^'\\\n])*)')",
    re.DOTALL,
)
_RAW = re.compile(
    r"[rR](?:\"\"\"(?P<t1>.*?)\"\"\"|'''(?P<t2>.*?)'''|\"(?P<s1>[^\"\n]*)\"|'(?P<s2>[^'\n]*)')", re.DOTALL
)
_OPERATORS = (
    "&&", "||", "==", "!=", "<=", ">=", ".?", "[?", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ",",
    ".", "(", ")", "[", "]", "{", "}",
)  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:([abfnrtv\\?\"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))"
)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Token(NamedTuple):
    """A piece of the text: `kind` is "literal", "name", "operator" or "end"."""

    kind: str
    value: Any


END = Token("end", None)


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text, with an end. Raises CompileError."""
    if len(text.encode()) > MAX_LENGTH:
        raise CompileError(f"the expression is longer than {MAX_LENGTH} bytes")
    return [*_tokens(text), END]


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        if match := _SPACE.match(text, place):
            place = match.end()
            continue
        token, place = _token(text, place)
        yield token


def _token(text: str, place: int) -> tuple[Token, int]:
    if match := _RAW.match(text, place):
        return Token("literal", _content(match)), match.end()
    if match := _STRING.match(text, place):
        if "b" in (match["prefix"] or "").lower():
            raise CompileError("bytes are not supported")
        return Token("literal", _unescaped(_content(match))), match.end()
    if match := _NUMBER.match(text, place):
        return Token("literal", _number(match)), match.end()
    if match := _IDENTIFIER.match(text, place):
        return Token("name", match[0]), match.end()
    for operator in _OPERATORS:
        if text.startswith(operator, place):
            return Token("operator", operator), place + len(operator)
    raise CompileError(f"token recognition error at: {text[place]!r}")


def _content(match: re.Match[str]) -> str:
    return next(part for name in ("t1", "t2", "s1", "s2") if (part := match[name]) is not None)


def _number(match: re.Match[str]) -> Any:
    if match["float"] is not None:
        return float(match["float"])
    text = match["int"]
    number = int(text, 16) if text[:2] in ("0x", "0X") else int(text)
    if number > _MAX_UINT64:
        raise CompileError("invalid int literal")
    return Unsigned(number) if match["unsigned"] else number


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    parts, place = [], 0
    while (start := text.find("\\", place)) >= 0:
        match = _ESCAPE.match(text, start)
        if match is None:
            raise CompileError("unable to unescape string")
        parts += [text[place:start], _character(match)]
        place = match.end()
    return "".join([*parts, text[place:]])


def _character(match: re.Match[str]) -> str:
    if match[1] is not None:
        return _ESCAPED.get(match[1], match[1])
    if match[5] is not None:
        return chr(int(match[5], 8))
    code = int(next(digits for digits in match.groups()[1:4] if digits is not None), 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise CompileError("unable to unescape string")
    return chr(code)
