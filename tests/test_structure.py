"""What a reader should not have to wonder about: what nothing reads, and who may import what."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("scheduler_core", "dashboard", "api", "recorded", "samples")


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def _unread(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return [one.arg for one in given if one.arg not in read]


def test_a_private_function_that_is_only_called_reads_all_that_it_is_given() -> None:
    """A function that is handed on as a value has the parameters that its callers hand it."""
    found = []
    for path, module in _modules():
        called = {id(node.func) for node in ast.walk(module) if isinstance(node, ast.Call)}
        names = (node for node in ast.walk(module) if isinstance(node, ast.Name))
        values = {name.id for name in names if id(name) not in called}
        for one in module.body:
            if not isinstance(one, ast.FunctionDef) or one.decorator_list or not one.name.startswith("_"):
                continue
            if one.name not in values and (unread := _unread(one)):
                found.append(f"{path}: {one.name} does not read {', '.join(unread)}")
    assert found == []


def test_every_package_that_is_shipped_is_held_to_the_import_contracts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    shipped = project["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(project["importlinter"]["root_packages"]) == sorted(shipped)
