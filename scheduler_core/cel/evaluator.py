"""What an expression comes to.

Source: cel-spec doc/langdef.md "Evaluation"; cel-go interpreter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.cel import functions
from scheduler_core.cel.operators import arithmetic, contained, equal, key_of, negated, ordered
from scheduler_core.cel.scope import Scope
from scheduler_core.cel.syntax import (
    Bind,
    Call,
    Comprehension,
    Has,
    Index,
    ListOf,
    Literal,
    MapOf,
    Name,
    Node,
    Operation,
    Select,
)
from scheduler_core.cel.values import NONE, EvaluationError, Optional, found, no_such_overload

_RELATIONS = ("<", "<=", ">", ">=")


def evaluate(tree: Node, variables: Scope) -> Any:
    """Return the value of a tree. Raises EvaluationError and TooCostlyError."""
    variables.step()
    match tree:
        case Literal(value):
            return value
        case Name(name):
            if name not in variables:
                raise EvaluationError(f"no such attribute(s): {name}")
            return variables[name]
        case Select(operand, field, optional):
            return _selected(evaluate(operand, variables), field, optional=optional)
        case Index(operand, index, optional):
            whole = evaluate(operand, variables)
            return _indexed(whole, evaluate(index, variables), optional=optional)
        case Operation(operator, operands):
            return _operation(operator, operands, variables)
        case Call(function, target, arguments):
            values = [evaluate(argument, variables) for argument in arguments]
            if target is None:
                return functions.call(function, values)
            return functions.method(function, evaluate(target, variables), values)
        case ListOf(items):
            return tuple(evaluate(item, variables) for item in items)
        case MapOf(entries):
            return {key_of(evaluate(key, variables)): evaluate(value, variables) for key, value in entries}
        case Has(operand, field):
            return _has(evaluate(operand, variables), field)
        case Comprehension():
            return _comprehension(tree, variables)
    return _bound(tree, variables)


# -- fields and items ----------------------------------------------------------------------------------


def _selected(whole: Any, field: str, *, optional: bool) -> Any:
    if isinstance(whole, Optional):
        return _within_optional(whole, field)
    if not isinstance(whole, Mapping):
        raise no_such_overload()
    return _looked_up(whole, field, field, optional=optional)


def _looked_up(whole: Mapping[Any, Any], key: Any, written: Any, *, optional: bool) -> Any:
    values = found(whole, key)
    if optional:
        return Optional(values)
    if not values:
        raise EvaluationError(f"no such key: {written}")
    return values[0]


def _within_optional(whole: Optional, key: Any) -> Optional:
    """Return the field of a value that may be missing, which may be missing too."""
    if not whole.present:
        return NONE
    within = _indexed(whole.values[0], key, optional=True)
    assert isinstance(within, Optional)
    return within


def _indexed(whole: Any, index: Any, *, optional: bool) -> Any:
    if isinstance(whole, Optional):
        return _within_optional(whole, index)
    if type(whole) is tuple:
        return _item(whole, index, optional=optional)
    if not isinstance(whole, Mapping):
        raise no_such_overload()
    return _looked_up(whole, key_of(index), index, optional=optional)


def _item(whole: tuple[Any, ...], index: Any, *, optional: bool) -> Any:
    if type(index) is float and index.is_integer():
        index = int(index)
    if type(index) is bool or not isinstance(index, int):
        raise EvaluationError("unsupported index type in list")
    if not 0 <= index < len(whole):
        if optional:
            return NONE
        raise EvaluationError(f"index out of bounds: {index}")
    return Optional((whole[index],)) if optional else whole[index]


def _has(whole: Any, field: str) -> bool:
    if isinstance(whole, Optional):
        return whole.present and _has(whole.values[0], field)
    if not isinstance(whole, Mapping):
        raise no_such_overload()
    return bool(found(whole, field))


# -- operators -----------------------------------------------------------------------------------------


def _operation(operator: str, operands: tuple[Node, ...], variables: Scope) -> Any:
    if operator in ("&&", "||"):
        return _logical(operands, variables, decides=operator == "||")
    if operator == "?:":
        condition = evaluate(operands[0], variables)
        if type(condition) is not bool:
            raise no_such_overload()
        return evaluate(operands[1 if condition else 2], variables)
    values = [evaluate(operand, variables) for operand in operands]
    match operator, values:
        case "==", [a, b]:
            return equal(a, b)
        case "!=", [a, b]:
            return not equal(a, b)
        case "in", [a, b]:
            return contained(a, b)
        case "!", [bool(a)]:
            return not a
        case "neg", [a]:
            return negated(a)
        case _, [a, b]:
            return ordered(operator, a, b) if operator in _RELATIONS else arithmetic(operator, a, b)
    raise no_such_overload()


def _logical(operands: tuple[Node, ...], variables: Scope, *, decides: bool) -> bool:
    """Return && or ||: a side that decides makes an error of the other one good."""
    fault: EvaluationError | None = None
    for operand in operands:
        try:
            value = evaluate(operand, variables)
            if type(value) is bool and value == decides:
                return decides
            if type(value) is not bool:
                fault = fault or no_such_overload()
        except EvaluationError as error:
            fault = fault or error
    if fault is not None:
        raise fault
    return not decides


# -- macros --------------------------------------------------------------------------------------------


def _comprehension(tree: Comprehension, variables: Scope) -> Any:
    source = evaluate(tree.source, variables)
    if type(source) is not tuple and not isinstance(source, Mapping):
        raise no_such_overload()
    scopes = [variables.naming(tree.variable, item) for item in _items(source)]
    match tree.macro:
        case "all":
            return _fold(tree.body, scopes, decides=False)
        case "exists":
            return _fold(tree.body, scopes, decides=True)
        case "exists_one":
            return sum(_true(tree.body, scope) for scope in scopes) == 1
        case "filter":
            return tuple(scope[tree.variable] for scope in scopes if _true(tree.body, scope))
    kept = scopes if tree.condition is None else [one for one in scopes if _true(tree.condition, one)]
    return tuple(evaluate(tree.body, scope) for scope in kept)


def _items(source: Any) -> list[Any]:
    """Return a list's items, or a map's keys in an order that is always the same."""
    if type(source) is tuple:
        return list(source)
    return [key[0] if type(key) is tuple else key for key in sorted(source, key=repr)]


def _fold(body: Node, scopes: list[Scope], *, decides: bool) -> bool:
    fault: EvaluationError | None = None
    for scope in scopes:
        try:
            if _true(body, scope) is decides:
                return decides
        except EvaluationError as error:
            fault = fault or error
    if fault is not None:
        raise fault
    return not decides


def _true(body: Node, scope: Scope) -> bool:
    value = evaluate(body, scope)
    if type(value) is not bool:
        raise no_such_overload()
    return value


def _bound(tree: Bind, variables: Scope) -> Any:
    value = evaluate(tree.value, variables)
    if not tree.of_optional:
        return evaluate(tree.body, variables.naming(tree.variable, value))
    if not isinstance(value, Optional):
        raise no_such_overload()
    if not value.present:
        return NONE
    result = evaluate(tree.body, variables.naming(tree.variable, value.values[0]))
    return Optional((result,)) if tree.of_optional == "optMap" else result
