"""Logs: JSON for programs, lines for people, and no secrets in either."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.fixtures.stack import PROJECT, Stack

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


def written(folder: Path) -> tuple[list[dict[str, object]], str]:
    """What a process of its own wrote: the records of its file, and the text on its terminal."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "SANDTABLE_PART": "web",
    }
    command = [sys.executable, "-c", WRITE]
    done = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, check=True)
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


def test_no_log_holds_a_token_or_the_brokers_password(live_stack: Stack) -> None:
    live_stack.request("GET", "/api/v1/snapshots/")
    password = (live_stack.data_folder / "broker_url").read_text().split("@")[0].rpartition(":")[2]
    logs = "".join(path.read_text() for path in (live_stack.data_folder / "logs").iterdir())
    assert len(password) > 20
    assert password not in logs
    assert live_stack.token not in logs
