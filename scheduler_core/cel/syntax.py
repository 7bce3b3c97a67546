"""The tree of an expression.

Source: cel-spec doc/langdef.md "Syntax".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class CompileError(Exception):
    """The text is no expression, or uses what is not supported; the text says which."""


@dataclass(frozen=True)
class Literal:
    """A value that stands in the text."""

    value: Any


@dataclass(frozen=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True)
class Select:
    """`operand.field`, or `operand.?field`."""

    operand: Node
    field: str
    optional: bool = False


@dataclass(frozen=True)
class Index:
    """`operand[index]`, or `operand[?index]`."""

    operand: Node
    index: Node
    optional: bool = False


@dataclass(frozen=True)
class Call:
    """`function(arguments)`, or `target.function(arguments)`."""

    function: str
    target: Node | None
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Operation:
    """An operator with its operands: `!`, `neg`, arithmetic, relations, `in`, `&&`, `||`, `?:`."""

    operator: str
    operands: tuple[Node, ...]


@dataclass(frozen=True)
class ListOf:
    """`[items]`."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class MapOf:
    """`{key: value}`."""

    entries: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True)
class Has:
    """The macro `has(operand.field)`."""

    operand: Node
    field: str


@dataclass(frozen=True)
class Comprehension:
    """The macros over a list or a map's keys: `all`, `exists`, `exists_one`, `map`, `filter`.

    `condition` is that of `map` with three arguments.
    """

    macro: str
    source: Node
    variable: str
    body: Node
    condition: Node | None = None


@dataclass(frozen=True)
class Bind:
    """`cel.bind(variable, value, body)`; for an optional value also `optMap` and `optFlatMap`."""

    variable: str
    value: Node
    body: Node
    of_optional: str = ""


Node = Literal | Name | Select | Index | Call | Operation | ListOf | MapOf | Has | Comprehension | Bind
