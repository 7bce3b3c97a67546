"""Files that are named on the command line: read from a folder or from the standard input too."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from dashboard.command_line.refusals import refuse, refusing

FILE = click.Path(allow_dash=True)
"""A file or a folder, so that a shell completes its name; or `-`, or a number."""
_INPUT = "dashboard.command_line.input"
"""Under this name a call of the command counts how often it has read the standard input."""
_MANIFESTS = (".yaml", ".yml", ".json")


def payloads_of(paths: Iterable[str]) -> list[tuple[str, bytes]]:
    """Return names and contents of files; of a folder those of its files, in name order."""
    return [
        (name, data) for path in paths for name, data in ([_input()] if path == "-" else _read(Path(path)))
    ]


def text_of(path: str) -> str:
    """Return a file's text."""
    [(name, data)] = payloads_of([path])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        refuse(f"{name}: is no text in UTF-8")


def list_of(path: str, field: str) -> list[Any]:
    """Return the objects of a YAML or JSON file, or what stands at this field of its one object."""
    from scheduler_core.objects.reading.object_lists import read_yaml

    [(name, data)] = payloads_of([path])
    with refusing(name):
        found: Any = read_yaml(data)
    if len(found) == 1 and field in found[0]:
        found = found[0][field]
    if not isinstance(found, list):
        refuse(f"{name}: {field}: must be a list")
    return found


def objects_of(paths: Iterable[str], namespace: str) -> tuple[list[dict[str, Any]], int]:
    """Return the objects of manifests that are about to be applied, in order, and the number of Secrets."""
    from scheduler_core.world.edits.manifests import in_order, read_to_apply

    documents: list[dict[str, Any]] = []
    secrets = 0
    for name, data in payloads_of(paths):
        with refusing(name):
            found = read_to_apply(data, namespace)
        documents += found.objects
        secrets += found.secrets
    return in_order(documents), secrets


def manifest_of(documents: list[dict[str, Any]]) -> str:
    """Return objects as one manifest, for a server."""
    return msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": documents}).decode()


def _input() -> tuple[str, bytes]:
    told = click.get_current_context().find_root().meta
    if told.setdefault(_INPUT, 0):
        refuse("-: the standard input can be read once: give one of the two as a file")
    told[_INPUT] += 1
    return "standard input", sys.stdin.buffer.read()


def _read(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        files = [path]
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix in _MANIFESTS and file.is_file())
        if not files:
            refuse(f"{path}: there is no {', '.join(_MANIFESTS)} file in this folder")
        for file in files:
            yield str(file), file.read_bytes()
    except OSError as error:
        refuse(f"{path}: {error.strerror or error}")
