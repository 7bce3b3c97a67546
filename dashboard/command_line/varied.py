"""What varies in a sweep, as it is written on the command line: `NAME=VALUE, VALUE`."""

from collections.abc import Iterable, Sequence
from typing import Any

from dashboard.command_line.refusals import refuse
from dashboard.shapes.swept import Dimension, typed_value


def documents_of(written: Iterable[str], known: Sequence[Dimension]) -> list[dict[str, Any]]:
    """Return the dimensions as REST takes them; names that stand several times have all their values."""
    values: dict[str, list[Any]] = {}
    dimensions: dict[str, Dimension] = {}
    for one in written:
        name, equals, text = one.partition("=")
        if not equals:
            refuse(f"--vary: {one}: must be NAME=VALUE, VALUE; --list says what can vary")
        dimension = _named(name.strip(), known)
        dimensions[_path(dimension)] = dimension
        values.setdefault(_path(dimension), []).extend(_values(dimension, text.strip()))
    return [
        {"field": one.field, "path": one.path, "values": values[path]} for path, one in dimensions.items()
    ]


def listed(dimensions: Iterable[Dimension]) -> str:
    """Return what can vary: the title, the path, today's value and the others of each."""
    lines = []
    for one in dimensions:
        lines.append(one.title)
        if one.title != _path(one):
            lines.append(f"    path: {_path(one)}")
        lines.append(f"    today: {one.today or 'none'}")
        lines.append(f"    values: {'; '.join(value.name for value in one.values) or 'any'}")
    return "".join(f"{line}\n" for line in lines)


def _path(dimension: Dimension) -> str:
    return ".".join([dimension.field, *dimension.path])


def _named(name: str, known: Sequence[Dimension]) -> Dimension:
    found = [one for one in known if name in (_path(one), one.title)]
    if not found:
        refuse(f"--vary: {name}: can't vary here; --list says what can")
    if len(found) > 1:
        refuse(f"--vary: {name}: is the title of several: {', '.join(map(_path, found))}")
    return found[0]


def _values(dimension: Dimension, text: str) -> list[Any]:
    names = [one.name for one in dimension.values]
    parts = [text] if text in names else [part.strip() for part in text.split(",") if part.strip()]
    return [part if part in names else typed_value(part) for part in parts]
