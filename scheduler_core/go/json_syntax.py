"""JSON as Go's encoding/json reads the first value of a stream, with the words of its complaints.

Source: Go 1.26 encoding/json scanner.go, stream.go Decoder.Decode.
"""

from __future__ import annotations

import re
from typing import Any

from scheduler_core.go.quote import quote

MAX_DEPTH = 200
"""Go goes on to 10,000; nothing that is read here is deeper than a Kubernetes object."""
_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_DIGITS = re.compile(r"[0-9]*")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_HEX = "0123456789abcdefABCDEF"


class GoJsonError(Exception):
    """What Go says is wrong."""


class Number(str):
    """A number as it was spelt."""

    __slots__ = ()


def first_value(body: bytes) -> Any:
    """Return the first value of a text; what comes after it is not looked at. Raises GoJsonError.

    Objects are lists of pairs in a `Members`, so that a key may occur twice; numbers are as they were spelt.
    """
    return _Reader(body.decode("utf-8", "replace")).first()


class Members(list[tuple[str, Any]]):
    """An object's keys and values in their order."""


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def first(self) -> Any:
        self._skip_space()
        if self._at == len(self._text):
            raise GoJsonError("EOF")
        return self._value(0)

    # -- characters ----------------------------------------------------------------------------------

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _look(self) -> str:
        """Return the next character; the text must not end here."""
        if self._at >= len(self._text):
            raise GoJsonError("unexpected EOF")
        return self._text[self._at]

    def _next(self) -> str:
        self._skip_space()
        return self._look()

    def _odd(self, character: str, where: str) -> GoJsonError:
        # Go names the first byte of a character beyond ASCII.
        first = chr(character.encode()[0])
        named = {"'": r"'\''", '"': "'\"'"}.get(first) or f"'{quote(first)[1:-1]}'"
        return GoJsonError(f"invalid character {named} {where}")

    # -- values --------------------------------------------------------------------------------------

    def _value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise GoJsonError("exceeded max depth")
        character = self._next()
        if character == "{":
            return self._object(depth)
        if character == "[":
            return self._array(depth)
        if character == '"':
            return self._string()
        if character in _LITERALS:
            return self._literal(*_LITERALS[character])
        if character == "-" or character in "0123456789":
            return self._number()
        raise self._odd(character, "looking for beginning of value")

    def _object(self, depth: int) -> Members:
        self._at += 1
        members = Members()
        if self._next() == "}":
            self._at += 1
            return members
        while True:
            if (character := self._next()) != '"':
                raise self._odd(character, "looking for beginning of object key string")
            key = self._string()
            if (character := self._next()) != ":":
                raise self._odd(character, "after object key")
            self._at += 1
            members.append((key, self._value(depth + 1)))
            character = self._next()
            if character not in ",}":
                raise self._odd(character, "after object key:value pair")
            self._at += 1
            if character == "}":
                return members

    def _array(self, depth: int) -> list[Any]:
        self._at += 1
        items: list[Any] = []
        if self._next() == "]":
            self._at += 1
            return items
        while True:
            items.append(self._value(depth + 1))
            character = self._next()
            if character not in ",]":
                raise self._odd(character, "after array element")
            self._at += 1
            if character == "]":
                return items

    def _literal(self, word: str, value: Any) -> Any:
        self._at += 1
        for expected in word[1:]:
            if (character := self._look()) != expected:
                raise self._odd(character, f"in literal {word} (expecting '{expected}')")
            self._at += 1
        return value

    def _string(self) -> str:
        self._at += 1
        parts = []
        while True:
            found = _PLAIN.match(self._text, self._at)
            assert found is not None
            parts.append(found[0])
            self._at = found.end()
            character = self._look()
            self._at += 1
            if character == '"':
                return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            if character != "\\":
                raise self._odd(character, "in string literal")
            parts.append(self._escape())

    def _escape(self) -> str:
        character = self._look()
        self._at += 1
        if character in _ESCAPES:
            return _ESCAPES[character]
        if character != "u":
            raise self._odd(character, "in string escape code")
        digits = ""
        for _ in range(4):
            if (digit := self._look()) not in _HEX:
                raise self._odd(digit, "in \\u hexadecimal character escape")
            digits += digit
            self._at += 1
        return chr(int(digits, 16))

    def _number(self) -> Number:
        start = self._at
        if self._text[self._at] == "-":
            self._at += 1
            self._require_digit("in numeric literal")
        if self._text[self._at] == "0":
            self._at += 1
        else:
            self._skip_digits()
        if self._is_at("."):
            self._at += 1
            self._require_digit("after decimal point in numeric literal")
            self._skip_digits()
        if self._is_at("e", "E"):
            self._at += 1
            if self._look() in "+-":
                self._at += 1
            self._require_digit("in exponent of numeric literal")
            self._skip_digits()
        return Number(self._text[start : self._at])

    def _require_digit(self, where: str) -> None:
        if (character := self._look()) not in "0123456789":
            raise self._odd(character, where)

    def _skip_digits(self) -> None:
        found = _DIGITS.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _is_at(self, *characters: str) -> bool:
        return self._at < len(self._text) and self._text[self._at] in characters
