"""Lists modules with the first sentence of each: ``python scripts/modules.py [FOLDER]``.

FOLDER is a part of a path (``kube/plugins``); without it all modules of the engine, the dashboard and REST
are listed.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ROOTS = ("scheduler_core", "dashboard", "api")


def modules(folder: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and first sentence of each module whose path has the folders of `folder` in it."""
    for root in ROOTS:
        for path in sorted((PROJECT / root).rglob("*.py")):
            name = path.relative_to(PROJECT)
            if "migrations" not in name.parts and f"/{folder}/".replace("//", "/") in f"/{name}":
                yield str(name), first_sentence(path.read_text())


def first_sentence(source: str) -> str:
    """Return the first line of a module's docstring, empty if it has none."""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


if __name__ == "__main__":
    for name, sentence in modules(*sys.argv[1:2]):
        sys.stdout.write(f"{name}: {sentence}\n")
