"""Arguments as Go's flag package reads them: `-name value`, `--name=value`, and a switch alone."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.parse import parse_bool, parse_int

Flag = bool | int | str


def parse_flags(arguments: Sequence[str], defaults: dict[str, Flag]) -> dict[str, Flag]:
    """Return the flags' values; reading ends at the first argument that is no flag, or is at fault.

    A flag's kind is that of its default.
    """
    values, rest = dict(defaults), list(arguments)
    while rest:
        text = rest.pop(0)
        name, equals, given = text.lstrip("-").partition("=")
        dashes = len(text) - len(text.lstrip("-"))
        if dashes not in (1, 2) or name not in values:
            break
        kind = values[name]
        if not equals:
            if isinstance(kind, bool):
                given = "true"
            elif rest:
                given = rest.pop(0)
            else:
                break
        value = _read(given, kind)
        if value is None:
            break
        values[name] = value
    return values


def _read(text: str, kind: Flag) -> Flag | None:
    if isinstance(kind, bool):
        return parse_bool(text)
    return parse_int(text) if isinstance(kind, int) else text
