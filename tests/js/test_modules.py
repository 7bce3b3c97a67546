"""The pure browser modules, held by tests of `node:test`; node's absence is a failure, not a skip.

Each file is run by itself: `node --test` would start a second process for it.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "static" / "js"


def node_path() -> str:
    """Where node is: NODE, or the first of the usual names."""
    path = os.environ.get("NODE") or next(filter(None, map(shutil.which, ("node", "nodejs"))), None)
    assert path, "node is needed: apt-get install nodejs, or set NODE to its path"
    return path


@pytest.mark.parametrize("path", sorted(HERE.glob("*.test.js")), ids=lambda path: path.name)
def test_the_module_does_what_its_tests_say(path: Path) -> None:
    ran = subprocess.run([node_path(), str(path)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_module_of_the_pages_can_be_parsed() -> None:
    scripts = sorted(path for path in SCRIPTS.rglob("*.js") if "vendor" not in path.parts)
    read = "new vm.SourceTextModule(fs.readFileSync(path, 'utf8'), { identifier: path })"
    script = f"for (const path of process.argv.slice(1)) {read}"
    command = [node_path(), "--experimental-vm-modules", "-e", script, *map(str, scripts)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr


def test_without_node_the_tests_fail_and_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NODE", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(AssertionError, match="apt-get install nodejs"):
        node_path()
