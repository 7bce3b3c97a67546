"""`sandtable part`, `healthy` and `manage`: what containers and machines call that have one part each."""

import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dashboard.celery import app
from dashboard.command_line.main import main
from dashboard.supervisor import alive, entries


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what parts tell, and an environment that is put back afterwards."""
    monkeypatch.setattr(alive, "_path", lambda: tmp_path / "alive")
    monkeypatch.setenv(alive.FILE, "")
    monkeypatch.setenv("REMAP_SIGTERM", "")
    monkeypatch.setenv("PORT", "1")
    return tmp_path


@pytest.fixture
def web() -> Iterator[int]:
    """A web process that serves one name alone."""

    class Served(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.headers["Host"] == "sandtable.example" else 400)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Served)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("name", ["worker", "importer", "answerer"])
def test_a_worker_takes_from_its_queue_and_stops_without_waiting(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[tuple[str, ...]] = []
    monkeypatch.setattr(entries, "work", lambda *arguments: called.append(arguments))
    assert ask("part", name).exit_code == 0
    (arguments,) = called
    queue = arguments[arguments.index("--queues") + 1]
    assert queue in {one.name for one in app.conf.task_queues}
    assert os.environ["REMAP_SIGTERM"] == "SIGQUIT"
    assert alive.was_told()


def test_a_web_process_needs_the_names_that_it_serves_beyond_loopback(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.delenv("SANDTABLE_ALLOWED_HOSTS", raising=False)
    refused = ask("part", "web")
    assert refused.exit_code == 1
    assert "SANDTABLE_ALLOWED_HOSTS" in refused.stderr


def test_a_part_that_tells_is_healthy_until_it_is_silent_for_long(here: Path) -> None:
    assert ask("healthy").exit_code == 1  # neither a worker nor a web process
    alive.begin()
    assert ask("healthy").exit_code == 0
    long_ago = time.time() - alive.STALE_SECONDS - 1
    os.utime(here / "alive", (long_ago, long_ago))
    assert ask("healthy").exit_code == 1
    alive.tell()
    assert ask("healthy").exit_code == 0


def test_a_web_process_is_asked_by_a_name_that_it_serves(
    here: Path, web: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", str(web))
    monkeypatch.setenv("SANDTABLE_ALLOWED_HOSTS", "sandtable.example,other.example")
    assert ask("healthy").exit_code == 0
    monkeypatch.setenv("SANDTABLE_ALLOWED_HOSTS", "other.example")
    assert ask("healthy").exit_code == 1


def test_management_commands_get_their_arguments_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr("dashboard.command_line.manage.administer", called.append)
    assert ask("manage", "add_user", "eve", "--role", "viewer", "--help").exit_code == 0
    assert called[0][1:] == ["add_user", "eve", "--role", "viewer", "--help"]
