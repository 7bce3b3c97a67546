"""Files that are named on the command line: read from a folder or from the standard input too."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from dashboard.command_line.refusals import refuse

_MANIFESTS = (".yaml", ".yml", ".json")


def payloads_of(paths: Iterable[str]) -> list[tuple[str, bytes]]:
    """Return names and contents of files; of a folder those of its files, in name order."""
    return [
        (name, data) for path in paths for name, data in ([_input()] if path == "-" else _read(Path(path)))
    ]


def _input() -> tuple[str, bytes]:
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
