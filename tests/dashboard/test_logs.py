"""Logs: JSON for programs, lines for people, and no secrets in either."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.database import whichever_database
from tests.fixtures.prepared import PROJECT
from tests.fixtures.stack import Stack

WRITE = """
import logging
import django
django.setup()
import structlog
structlog.get_logger("dashboard.somewhere").info("sent work again", count=3)
logging.getLogger("celery.app.trace").info("Task done")
logging.getLogger("celery.worker").warning("Broker lost")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("django.request").exception("It failed")
"""


SECRET = "Zq-9_fJ2mX0aB7cD5eF1gH3iK4lM6nO8pQ0rS2tU4v"

FAIL = f"""
import logging
import threading
import django
django.setup()
from django.db import connection
from django.test import RequestFactory

request = RequestFactory().get("/accounts/link/{SECRET}/")

def connect(password):
    parameters = {{"password": password, "host": "db"}}
    address = f"redis://:{{password}}@127.0.0.1:6379/0"
    try:
        1 / len(parameters["port"])
    except KeyError as error:
        raise RuntimeError(f"cannot connect to {{address}}") from error

try:
    connect("{SECRET}")
except RuntimeError:
    extra = {{"request": request, "status_code": 500}}
    logging.getLogger("django.request").exception("Failed: %s", request.path, extra=extra)
thread = threading.Thread(target=connect, args=["{SECRET}"])
thread.start()
thread.join()
connect("{SECRET}")
"""

RECUR = """
import logging
import django
django.setup()

def deeper(text):
    return deeper(text + "[")

try:
    deeper("")
except RecursionError:
    logging.getLogger("django.request").exception("It failed")
"""


def written(
    folder: Path, script: str = WRITE, code: int = 0, **environment: str
) -> tuple[list[dict[str, Any]], str]:
    """What a process of its own wrote: the records of its file, and the text on its terminal."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "SANDTABLE_PART": "web",
        **environment,
    }
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    lines = (folder / "logs" / "web.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines], done.stderr


def test_the_file_has_one_object_a_line_with_what_was_said_and_by_whom(tmp_path: Path) -> None:
    records, _ = written(tmp_path)
    assert records[0]["event"] == "sent work again"
    assert records[0]["count"] == 3
    assert records[0]["logger"] == "dashboard.somewhere"
    assert [record["level"] for record in records] == ["info", "info", "warning", "error"]
    assert "ZeroDivisionError" in json.dumps(records[3]["exception"])


def test_the_terminal_is_spared_each_task_but_not_trouble(tmp_path: Path) -> None:
    _, terminal = written(tmp_path)
    assert "sent work again" in terminal
    assert "Task done" not in terminal
    assert "Broker lost" in terminal


@pytest.mark.parametrize("debug", ["0", "1"])
def test_no_traceback_message_or_request_tells_a_secret(tmp_path: Path, debug: str) -> None:
    records, terminal = written(tmp_path, FAIL, code=1, SANDTABLE_DEBUG=debug)
    assert [record["level"] for record in records] == ["error", "critical", "critical"]
    for record in records:
        assert record["exception"][0]["exc_value"] == "cannot connect to redis://:***@127.0.0.1:6379/0"
        assert record["exception"][0]["frames"][-1]["name"] == "connect"
        assert record["exception"][1]["exc_type"] == "KeyError"
    assert records[0]["event"] == "Failed: /accounts/link/***/"
    assert records[0]["request"] == "<WSGIRequest: GET '/accounts/link/***/'>"
    assert terminal.count("RuntimeError: cannot connect to redis://:***@") == 3
    assert SECRET not in (tmp_path / "logs" / "web.jsonl").read_text() + terminal


def test_a_bottomless_recursion_makes_a_short_line(tmp_path: Path) -> None:
    records, terminal = written(tmp_path, RECUR)
    assert records[0]["exception"][0]["exc_type"] == "RecursionError"
    assert "RecursionError: maximum recursion depth exceeded" in terminal
    assert len(terminal) < 5_000
    assert (tmp_path / "logs" / "web.jsonl").stat().st_size < 20_000


def test_the_log_never_has_the_keys_of_sessions(tmp_path: Path) -> None:
    start = "import logging, django; django.setup()"
    ask = "logging.getLogger('django.db.backends').debug('SELECT')"
    look = "logging.getLogger('dashboard').debug('looked')"
    records, _ = written(
        tmp_path, f"{start}; {ask}; {look}", SANDTABLE_LOG_LEVEL="DEBUG", SANDTABLE_DEBUG="1"
    )
    assert "looked" in [record["event"] for record in records]
    assert "SELECT" not in [record["event"] for record in records]


@whichever_database
def test_no_log_holds_a_token_or_the_brokers_password(live_stack: Stack) -> None:
    live_stack.request("GET", "/api/v1/snapshots/")
    password = (live_stack.data_folder / "broker_url").read_text().split("@")[0].rpartition(":")[2]
    logs = "".join(path.read_text() for path in (live_stack.data_folder / "logs").iterdir())
    assert len(password) > 20
    assert password not in logs
    assert live_stack.token not in logs
