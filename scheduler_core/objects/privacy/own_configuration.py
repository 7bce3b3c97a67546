"""A scheduler's own configuration in an entry of a ConfigMap: how it is told, and what of it is stored."""

from collections.abc import Callable
from typing import Any, NamedTuple

from scheduler_core.objects.privacy.dropped import Dropped


class OwnConfiguration(NamedTuple):
    """`owner`: the scheduler's name. An entry without all of the `words` isn't read at all."""

    owner: str
    words: tuple[str, ...]
    is_one: Callable[[Any], bool]
    keep: Callable[[dict[str, Any], Dropped], dict[str, Any]]
