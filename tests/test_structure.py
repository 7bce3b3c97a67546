"""What a reader should not have to wonder about: what nothing reads, what stands twice, who imports what."""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

MOST_WRITTEN_TWICE = 50
"""Nodes of the syntax tree: some seven lines."""
TWICE_FOR_A_REASON = {
    "modules": "a package finds its own modules, in the dashboard and in REST",
    "shapes": "the rooms of two schedulers know nothing of each other",
}
ROOT = Path(__file__).parent.parent
PACKAGES = ("scheduler_core", "dashboard", "api", "recorded", "samples")


class _Bare(ast.NodeTransformer):
    """Takes out what may differ without a difference: annotations and docstrings."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)


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


def test_no_longer_function_is_written_out_twice() -> None:
    where = defaultdict(set)
    for path, module in _modules():
        for one in ast.walk(module):
            if isinstance(one, ast.FunctionDef) and one.name not in TWICE_FOR_A_REASON:
                bare = [_Bare().visit(part) for part in (one.args, *one.body)]
                parts = [part for part in bare if part is not None]
                if sum(1 for part in parts for _ in ast.walk(part)) >= MOST_WRITTEN_TWICE:
                    where["".join(map(ast.dump, parts))].add(f"{path}: {one.name}")
    assert [sorted(places) for places in where.values() if len(places) > 1] == []


def test_every_package_that_is_shipped_is_held_to_the_import_contracts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    shipped = project["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(project["importlinter"]["root_packages"]) == sorted(shipped)
