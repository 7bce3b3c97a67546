"""Real processes for tests: Celery workers and web servers; each is stopped at the end.

They are forked from one process that has imported the project, as the product's own parts are.
"""

import importlib
import json
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db import connection

from dashboard.environment import PROJECT
from dashboard.supervisor.entries import work
from dashboard.supervisor.forking import HAS_SERVER

START_SECONDS = 120
SETTINGS = ("dashboard.limits", "dashboard.settings", "tests.settings", "tests.process_settings")


class Process:
    """A process in a group of its own."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its number, which is that of its group as well."""
        return self._process.ident or 0

    def poll(self) -> int | None:
        """Return how it ended, None while it runs."""
        return self._process.exitcode

    def wait(self) -> None:
        """Wait for its end."""
        self._process.join()

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Let it die at once, as it is; its children live on."""
        self.send_signal(signal.SIGKILL)


class Processes:
    """Starts workers and web servers on one broker and the test database, each in a process group."""

    def __init__(self, broker_url: str, folder: Path) -> None:
        self.broker_url = broker_url
        self.folder = folder
        self._started: list[Process] = []
        self._webs: dict[int, Process] = {}

    def worker(self, death: dict[str, Any] | None = None, **environment: str) -> Process:
        """Start a Celery worker with one pool process."""
        name = f"test{len(self._started)}@%h"
        arguments = ("--app", "dashboard", "worker", "--concurrency", "1", "--hostname", name)
        if death:
            environment["SANDTABLE_TEST_DEATH"] = json.dumps({"marker": str(self.folder / "died"), **death})
            environment["SANDTABLE_TEST_LAYER"] = "tests.faults.MortalLayer"
            environment.setdefault("SANDTABLE_TEST_SIMULATION", "tests.faults.MortalSimulation")
        return self._start(work, (*arguments, "--without-gossip", "--without-mingle"), environment)

    def web(self, certificate: Path | None = None, **environment: str) -> int:
        """Start a web server and return its port once it listens; with a certificate and key by HTTPS."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._webs[port] = self._start(_serve, (port, certificate), environment)
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

    def _start(
        self, target: Callable[..., None], arguments: tuple[Any, ...], environment: Mapping[str, str]
    ) -> Process:
        own = {
            "DJANGO_SETTINGS_MODULE": SETTINGS[-1],
            "SANDTABLE_TEST_DATABASE": str(connection.settings_dict["NAME"]),
            "SANDTABLE_BROKER_URL": self.broker_url,
            "PYTHONPATH": str(PROJECT),
        }
        context: Any = multiprocessing.get_context("forkserver" if HAS_SERVER else "spawn")
        if HAS_SERVER:
            context.set_forkserver_preload(["dashboard.supervisor.imported"])
            with patch.dict(os.environ, own):
                forkserver.ensure_running()
        process = context.Process(target=_run, args=(target, arguments, {**own, **environment}))
        process.start()
        self._started.append(Process(process))
        return self._started[-1]


def _run(target: Callable[..., None], arguments: tuple[Any, ...], environment: Mapping[str, str]) -> None:
    """Begin a process' own life: its group, its environment, its settings."""
    os.setsid()
    os.environ.update(environment)
    from django.conf import settings

    for name in SETTINGS:
        importlib.reload(importlib.import_module(name))
    settings._setup()  # type: ignore[attr-defined]
    try:
        target(*arguments)
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)


def _serve(port: int, certificate: Path | None = None) -> None:
    """Be a web server; a slow client's connection is not closed while it thinks."""
    import uvicorn

    options: dict[str, Any] = {"log_level": "warning", "timeout_keep_alive": 600}
    if certificate is not None:
        options["ssl_certfile"] = str(certificate)
    uvicorn.run("dashboard.asgi:application", host="127.0.0.1", port=port, **options)


def wait_until(condition: Callable[[], Any], seconds: float) -> None:
    """Wait until the condition is true; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)  # a condition that asks the database is work, too


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
