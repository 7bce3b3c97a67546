"""``python -m scripts.house``: in which files a scheduler is named outside of its own rooms.

A room of its own is a folder or a file that bears the scheduler's name. Comments and docstrings don't count.
The tests hold the files: each is listed there with its reason.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SCHEDULERS = ("volcano", "hami")
ROOMS = ("scheduler_core", "dashboard", "api", "static/js", "static/css", "templates")
SUFFIXES = (".py", ".js", ".html", ".css")
NEVER_CHANGED = ("vendor", "migrations")
_COMMENTS = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*|\{#.*?#\}", re.DOTALL)


def named_outside(scheduler: str) -> dict[str, int]:
    """Return how often each file outside of a scheduler's rooms names the scheduler, by the file's path."""
    named = (path for path in _files(scheduler) if scheduler in path.read_text().lower())
    counted = {path: code_of(path).lower().count(scheduler) for path in named}
    return {str(path.relative_to(PROJECT)): number for path, number in counted.items() if number}


def _files(scheduler: str) -> Iterator[Path]:
    for room in ROOMS:
        for path in sorted((PROJECT / room).rglob("*")):
            parts = path.relative_to(PROJECT).parts
            if path.suffix in SUFFIXES and not any(
                scheduler in part.lower() or part in NEVER_CHANGED for part in parts
            ):
                yield path


def code_of(path: Path) -> str:
    """Return a file's text without comments and docstrings."""
    text = path.read_text()
    if path.suffix != ".py":
        return _COMMENTS.sub("", text)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_text(one)] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree)


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def main() -> None:
    """Print the files, and how many there are of each part."""
    for scheduler in SCHEDULERS:
        found = named_outside(scheduler)
        print(f"{scheduler} is named in {len(found)} files outside of its rooms")
        for path, number in found.items():
            print(f"  {path}  {number}")


if __name__ == "__main__":
    main()
