"""Expressions, compiled once.

What is not supported is refused when an expression is compiled, and too many steps when it is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

from scheduler_core.cel.evaluator import evaluate
from scheduler_core.cel.functions import KNOWN_FUNCTIONS, KNOWN_METHODS
from scheduler_core.cel.parser import parse
from scheduler_core.cel.scope import Scope
from scheduler_core.cel.syntax import Call, CompileError, Node
from scheduler_core.cel.values import EvaluationError, type_name

MAX_DEPTH = 100
"""How many operations may lie in each other."""


class Program:
    """An expression that says yes or no."""

    def __init__(self, text: str) -> None:
        self._tree = parse(text)
        if _depth(self._tree) > MAX_DEPTH:
            raise CompileError(f"it is deeper than {MAX_DEPTH} operations in each other")
        for function, known in _called(self._tree):
            if function not in known:
                raise CompileError(f"undeclared reference to '{function}', or it is not supported")

    def matches(self, variables: Mapping[str, Any]) -> bool:
        """Return what the expression says of these variables. Raises EvaluationError and TooCostlyError."""
        result = evaluate(self._tree, Scope(variables))
        if type(result) is not bool:
            name = type_name(result)
            raise EvaluationError(
                f"CEL result of type {name} could not be converted to bool:"
                f" unsupported native conversion from {name} to 'bool'"
            )
        return result


@lru_cache(maxsize=4096)
def compiled(text: str) -> Program:
    """Return the program of a text. Raises CompileError."""
    return Program(text)


def _called(tree: Node) -> Iterator[tuple[str, set[str]]]:
    """Yield the functions and methods that a tree calls, each with all that there are."""
    for node in _nodes(tree):
        if isinstance(node, Call):
            yield node.function, KNOWN_FUNCTIONS if node.target is None else KNOWN_METHODS


def _depth(tree: Node) -> int:
    """Return how many operations lie in each other at most."""
    deepest, left = 0, [(tree, 1)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        left += [(part, depth + 1) for part in _parts(node)]
    return deepest


def _nodes(tree: Node) -> Iterator[Node]:
    left = [tree]
    while left:
        node = left.pop()
        yield node
        left += _parts(node)


def _parts(node: Node) -> list[Any]:
    """Return the trees directly in a node."""
    found, left = [], [getattr(node, field.name) for field in fields(node)]
    while left:
        part = left.pop()
        if isinstance(part, tuple):
            left += part
        elif is_dataclass(part):
            found.append(part)
    return found
