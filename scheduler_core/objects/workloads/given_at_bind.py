"""What schedulers write to a pod when they bind it, such as its cards: a new pod has none of it."""

from collections.abc import Mapping
from functools import cache

from scheduler_core.objects.data_modules import data_modules


def without_given(texts: Mapping[str, str] | None) -> dict[str, str]:
    """Return a pod's annotations, or its labels, without those that schedulers wrote at its bind."""
    written = _endings()
    return {key: value for key, value in (texts or {}).items() if not key.endswith(written)}


@cache
def _endings() -> tuple[str, ...]:
    """Return how the keys end under which schedulers write what they gave to a pod."""
    return tuple(ending for module in data_modules("stored") for ending in module.WRITTEN_AT_BIND)
