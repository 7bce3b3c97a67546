"""Amounts of a container that several vendors read alike."""

from __future__ import annotations

from typing import Any

from scheduler_core.hami.asking import Object, amount_of
from scheduler_core.hami.numbers import MAX_INT32, as_int64


def memory_in_units(container: Object, name: str, unit: int) -> int | None:
    """Return the MiB that a container asks for in units, 0 by default, None where they can't be read."""
    text = amount_of(container, name)
    if text is None:
        return 0
    units = as_int64(text)
    return None if units is None or not 0 <= units <= MAX_INT32 // unit else units * unit


def optional_int(text: Any, default: int) -> int:
    """Return an amount as an integer, `default` where there is none or it is no whole number."""
    number = None if text is None else as_int64(text)
    return default if number is None else number
