"""What runs on one machine: the lasting parts in the order in which they start, and the steps between them.

``start`` puts them in order; the broker starts first and stops last.
"""

import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dashboard.supervisor import entries, liveness, readiness
from dashboard.supervisor.broker import EmbeddedBroker

REAP_SECONDS = 5
WORKER_STOP_SECONDS = 6
WORKERS = {
    "worker": ("--queues", "sandtable.runs"),
    "importer": ("--queues", "sandtable.imports", "--concurrency", "2"),
    "answerer": ("--queues", "sandtable.answers", "--concurrency", "1"),
}
"""Celery's workers by name, with the queue and how many processes take from it."""


@dataclass(frozen=True)
class Part:
    """One process to keep running, or one step to run to its end.

    program: a command to execute; without it, `entry` is called with `arguments` in a process that is forked.
    environment: what differs from the supervisor's own, for a forked process.
    ready: waits until the part serves; None for parts that are ready as soon as they run.
    stdin: text for a program's standard input. output: file for what it prints, otherwise the terminal.
    stop_seconds: grace before SIGKILL.
    alive: whether the running part still does its work; None where that can't be told now.
    """

    name: str
    program: list[str] = field(default_factory=list)
    entry: Callable[..., None] = entries.manage
    arguments: tuple[Any, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    ready: Callable[[], Awaitable[None]] | None = None
    stdin: str = ""
    output: Path | None = None
    stop_seconds: float = 5
    alive: Callable[[], Awaitable[bool | None]] | None = None


def broker(embedded: EmbeddedBroker, logs: Path) -> Part:
    """The embedded Valkey; it writes its log itself, in its own form."""
    return Part(
        "broker",
        embedded.command,
        ready=lambda: readiness.broker_answers(embedded.url),
        alive=lambda: liveness.answers_ping(embedded.url),
        stdin=embedded.configuration,
        output=logs / "broker.log",
    )


def web(listener: socket.socket, address: tuple[str, int]) -> Part:
    """The web server, on this listening socket."""
    return Part(
        "web",
        entry=entries.serve,
        arguments=(listener,),
        ready=lambda: readiness.web_answers(address, "/healthz"),
        alive=lambda: liveness.answers_http(address, "/healthz"),
    )


def worker(ready_file: Path, broker_url: str) -> Part:
    """The Celery worker that plays runs."""
    return _celery_worker("worker", ready_file, broker_url)


def importer(ready_file: Path, broker_url: str) -> Part:
    """The Celery worker that imports, so that no import waits for a run."""
    return _celery_worker("importer", ready_file, broker_url)


def answerer(ready_file: Path, broker_url: str) -> Part:
    """The Celery worker that answers questions, in one process, which keeps the clusters asked about."""
    return _celery_worker("answerer", ready_file, broker_url)


def worker_host(name: str) -> str:
    """What Celery calls the worker of this name on this machine."""
    return f"{name}@{socket.gethostname()}"


def worker_arguments(name: str) -> tuple[str, ...]:
    """The arguments to Celery's command for the worker of this name, of WORKERS."""
    return (
        *("--quiet", "--app", "dashboard", "worker", "--without-gossip", "--without-mingle"),
        *("--hostname", worker_host(name), *WORKERS[name]),
    )


def _celery_worker(name: str, ready_file: Path, broker_url: str) -> Part:
    """A worker of one queue; on SIGTERM it gives its tasks a moment and lets go of them (they resume)."""
    host = worker_host(name)
    return Part(
        name,
        entry=entries.work,
        arguments=worker_arguments(name),
        environment={"SANDTABLE_READY_FILE": str(ready_file)},
        ready=lambda: readiness.file_appears(ready_file),
        alive=lambda: liveness.takes_work(broker_url, host),
        stop_seconds=WORKER_STOP_SECONDS,
    )


def reaper() -> Part:
    """Brings back runs whose worker or message was lost."""
    return Part("reaper", arguments=("reap", "--every", str(REAP_SECONDS)))


def step(command: str, *arguments: str) -> Part:
    """A management command that runs to its end."""
    return Part(command, arguments=(command, *arguments))
