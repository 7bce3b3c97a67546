"""Applies what the mutating webhooks answer (of RFC 6902 the operations add and replace)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.volcano.admission.answers import Object, PatchOperation


def patched(document: Object, patch: Iterable[PatchOperation]) -> Object:
    """Return the document with the patch's values; what is on the way to them is made if it is missing."""
    for operation in patch:
        document = _with(document, steps_of(operation), operation["value"])
    return document


def steps_of(operation: PatchOperation) -> list[str]:
    """Return the keys that lead to an operation's value, the last `-` for the end of a list."""
    return [step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/")[1:]]


def _with(value: Any, steps: list[str], new: Any) -> Any:
    if not steps:
        return new
    if steps == ["-"]:
        return [*(value or ()), new]
    step, *rest = steps
    inner = value or {}
    return {**inner, step: _with(inner.get(step), rest, new)}
