"""Functions of lists and sets.

Source: cel-go ext.Sets; kubernetes v1.36 apiserver/pkg/cel/library lists.go.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from scheduler_core.cel.operators import arithmetic, equal, ordered
from scheduler_core.cel.values import EvaluationError, no_such_overload


def contains(whole: Any, part: Any) -> bool:
    """Return whether each item of `part` is in `whole`. Raises EvaluationError."""
    _require_lists(whole, part)
    return all(any(equal(one, item) for item in whole) for one in part)


def equivalent(a: Any, b: Any) -> bool:
    """Return whether two lists have the same items. Raises EvaluationError."""
    return contains(a, b) and contains(b, a)


def intersects(a: Any, b: Any) -> bool:
    """Return whether two lists have an item in common. Raises EvaluationError."""
    _require_lists(a, b)
    return any(equal(one, other) for one in a for other in b)


def _require_lists(*lists: Any) -> None:
    if not all(type(one) is tuple for one in lists):
        raise no_such_overload()


def is_sorted(items: tuple[Any, ...]) -> bool:
    """Return whether no item is smaller than the one before. Raises EvaluationError."""
    return all(ordered("<=", a, b) for a, b in pairwise(items))


def total(items: tuple[Any, ...]) -> Any:
    """Return the sum, 0 of nothing. Raises EvaluationError."""
    if not items:
        return 0
    result = items[0]
    for item in items[1:]:
        result = arithmetic("+", result, item)
    return result


def least(items: tuple[Any, ...]) -> Any:
    """Return the smallest item. Raises EvaluationError."""
    return _extreme(items, "<", "min")


def greatest(items: tuple[Any, ...]) -> Any:
    """Return the greatest item. Raises EvaluationError."""
    return _extreme(items, ">", "max")


def _extreme(items: tuple[Any, ...], operator: str, name: str) -> Any:
    if not items:
        raise EvaluationError(f"{name} called on empty list")
    result = items[0]
    for item in items[1:]:
        if ordered(operator, item, result):
            result = item
    return result


def index_of(items: tuple[Any, ...], item: Any) -> int:
    """Return the place of the first equal item, -1 if there is none."""
    return next((place for place, one in enumerate(items) if equal(one, item)), -1)


def last_index_of(items: tuple[Any, ...], item: Any) -> int:
    """Return the place of the last equal item, -1 if there is none."""
    return max((place for place, one in enumerate(items) if equal(one, item)), default=-1)


METHODS: dict[str, Callable[..., Any]] = {
    "isSorted": is_sorted,
    "sum": total,
    "min": least,
    "max": greatest,
    "indexOf": index_of,
    "lastIndexOf": last_index_of,
}
SETS: dict[str, Callable[..., Any]] = {
    "sets.contains": contains,
    "sets.equivalent": equivalent,
    "sets.intersects": intersects,
}
