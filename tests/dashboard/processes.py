"""Real processes for tests: Celery workers and web servers; each is stopped at the end."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import connection

PROJECT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 120


class Processes:
    """Starts workers and web servers on one broker and the test database, each in a process group."""

    def __init__(self, broker_url: str, folder: Path) -> None:
        self.broker_url = broker_url
        self.folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self._webs: dict[int, subprocess.Popen[bytes]] = {}

    def worker(self, death: dict[str, Any] | None = None, **environment: str) -> subprocess.Popen[bytes]:
        """Start a Celery worker with one pool process."""
        command = [
            *(sys.executable, "-m", "celery", "--app", "dashboard", "worker", "--concurrency", "1"),
            *("--without-gossip", "--without-mingle", "--hostname", f"test{len(self._started)}@%h"),
        ]
        if death:
            environment["SANDTABLE_TEST_DEATH"] = json.dumps({"marker": str(self.folder / "died"), **death})
            environment["SANDTABLE_TEST_LAYER"] = "tests.faults.MortalLayer"
            environment.setdefault("SANDTABLE_TEST_SIMULATION", "tests.faults.MortalSimulation")
        return self._start(command, environment)

    def web(self, **environment: str) -> int:
        """Start a web server and return its port once it listens."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [
            *(sys.executable, "-m", "uvicorn", "dashboard.asgi:application", "--log-level", "warning"),
            *("--host", "127.0.0.1", "--port", str(port)),
            *("--timeout-keep-alive", "600"),  # a slow client's connection is not closed while it thinks
        ]
        self._webs[port] = self._start(command, environment)
        wait_until(lambda: _listens(port), START_SECONDS)
        return int(port)

    def kill_web(self, port: int) -> None:
        """Let a web server die at once, as it is."""
        self._webs[port].kill()
        self._webs[port].wait()

    def died(self) -> bool:
        """Whether a process has died at its chosen point."""
        return (self.folder / "died").exists()

    def stop(self) -> None:
        """Kill everything that was started, with its children."""
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command,
            cwd=PROJECT,
            start_new_session=True,
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "tests.process_settings",
                "SANDTABLE_TEST_DATABASE": str(connection.settings_dict["NAME"]),
                "SANDTABLE_BROKER_URL": self.broker_url,
                **environment,
            },
        )
        self._started.append(process)
        return process


def wait_until(condition: Callable[[], Any], seconds: float) -> None:
    """Wait until the condition is true; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
