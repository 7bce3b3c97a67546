"""Settings of a configuration that a sweep may vary: where each stands, and which values are usual."""

from typing import Any, NamedTuple


class Setting(NamedTuple):
    """A setting. path: the keys that lead to it, as `config_paths` takes them.

    usual: names and values to choose from; empty where it is a number, of `least` or more. default: what
    holds where a configuration says nothing, None where that isn't one value.
    """

    title: str
    path: tuple[str, ...]
    usual: tuple[tuple[str, Any], ...] = ()
    default: Any = None
    least: float = 0
