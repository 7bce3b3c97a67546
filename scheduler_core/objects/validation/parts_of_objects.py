"""What the rules of an API server share: how they read parts of an object that may be of any type."""

from collections.abc import Callable, Iterable
from typing import Any

Object = dict[str, Any]
Fault = tuple[str, str]
"""A field below the object that a rule was asked about, and what is wrong with it."""
Rule = Callable[[Object], Iterable[Fault]]


def dict_in(holder: Object, field: str) -> Object:
    """Return an object that a field holds; an empty one for all else."""
    value = holder.get(field)
    return value if isinstance(value, dict) else {}


def objects_in(holder: Object, field: str) -> list[Object]:
    """Return the objects in a list that a field holds; none for all else."""
    value = holder.get(field)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts_in(holder: Object, field: str) -> list[str]:
    """Return the texts in a list that a field holds; none for all else."""
    value = holder.get(field)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
