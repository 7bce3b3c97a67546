"""A command whose PostgreSQL does not answer says so in a sentence with the variable and no password."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.prepared import PROJECT
from tests.fixtures.stack import START_SECONDS, free_port, launch

PASSWORD = "hunter-two"


def address(host_and_port: str) -> str:
    return f"postgres://sandtable:{PASSWORD}@{host_and_port}/sandtable"


def assert_told_plainly(printed: str, port: int) -> None:
    told = [line for line in printed.splitlines() if "DATABASE_URL" in line]
    masked = f"DATABASE_URL=postgres://sandtable:***@127.0.0.1:{port}/sandtable"
    assert len(told) == 1
    assert told[0].startswith(f"{masked} leads to no database that answers: ")
    assert "Connection refused" in told[0]
    assert "Traceback" not in printed
    assert PASSWORD not in printed


@pytest.mark.parametrize("command", ["prepare", "sign_in_link admin", "add_user dora"])
def test_a_command_without_its_database_ends_with_a_sentence(tmp_path: Path, command: str) -> None:
    port = free_port()
    settings = {"DJANGO_SETTINGS_MODULE": "dashboard.settings", "DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *command.split()],
        env={**os.environ, **settings, "DATABASE_URL": address(f"127.0.0.1:{port}")},
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert_told_plainly(done.stdout + done.stderr, port)


@pytest.mark.stack
def test_a_start_without_its_database_ends_with_a_sentence(tmp_path: Path) -> None:
    port = free_port()
    stack = launch(tmp_path, DATABASE_URL=address(f"127.0.0.1:{port}"))
    assert stack.process.wait(START_SECONDS) == 1
    assert_told_plainly(stack.printed(), port)
    assert "The step 'prepare' failed" in stack.printed()
