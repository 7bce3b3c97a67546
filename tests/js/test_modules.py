"""The pure browser modules, run by node's own test runner where there is a node.

`tests/browser/test_debugger_fold.py` holds the fold to the same vectors in a browser.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node")


def node_reads_modules() -> bool:
    """Whether this node recognises ES modules by their syntax (20.19 and later)."""
    if NODE is None:
        return False
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    major, minor, *_ = (int(part) for part in version.strip().lstrip("v").split("."))
    return (major, minor) >= (20, 19) and not (major == 22 and minor < 7)


@pytest.mark.skipif(not node_reads_modules(), reason="needs node 20.19 or later")
@pytest.mark.parametrize("path", sorted(HERE.glob("*.test.js")), ids=lambda path: path.name)
def test_the_module_does_what_its_tests_say(path: Path):
    ran = subprocess.run([str(NODE), "--test", str(path)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
