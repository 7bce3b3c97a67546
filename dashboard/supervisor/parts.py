"""What runs on one machine: the lasting parts in the order in which they start, and the steps between them.

``start`` puts them in order; the broker starts first and stops last.
"""

import socket
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from dashboard.supervisor import liveness, readiness
from dashboard.supervisor.broker import EmbeddedBroker

REAP_SECONDS = 5
WORKER_STOP_SECONDS = 6
IMPORTERS = 2
ROOT_WARNING = "You're running the worker with superuser privileges"  # containers do

PYTHON = sys.executable
PROJECT = Path(__file__).resolve().parent.parent.parent
MANAGE = str(PROJECT / "manage.py")


@dataclass(frozen=True)
class Part:
    """One process to keep running, or one step to run to its end.

    ready: waits until the part serves; None for parts that are ready as soon as they run.
    stdin: text for its standard input. output: file for what it prints, otherwise the terminal.
    inherited: descriptors passed on. stop_seconds: grace before SIGKILL.
    alive: whether the running part still does its work; None where that can't be told now.
    """

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    ready: Callable[[], Awaitable[None]] | None = None
    stdin: str = ""
    output: Path | None = None
    inherited: tuple[int, ...] = ()
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


def web(listener: int, address: tuple[str, int], environment: dict[str, str]) -> Part:
    """The web server, on the listening socket with this descriptor."""
    return Part(
        "web",
        [PYTHON, "-m", "dashboard.supervisor.web", str(listener)],
        environment,
        ready=lambda: readiness.web_answers(address, "/healthz"),
        alive=lambda: liveness.answers_http(address, "/healthz"),
        inherited=(listener,),
    )


def worker(ready_file: Path, environment: dict[str, str]) -> Part:
    """The Celery worker that plays runs."""
    return _celery_worker("worker", "sandtable.runs", ready_file, environment)


def importer(ready_file: Path, environment: dict[str, str]) -> Part:
    """The Celery worker that imports, so that no import waits for a run."""
    return _celery_worker(
        "importer", "sandtable.imports", ready_file, environment, "--concurrency", str(IMPORTERS)
    )


def answerer(ready_file: Path, environment: dict[str, str]) -> Part:
    """The Celery worker that answers questions, in one process, which keeps the clusters asked about."""
    return _celery_worker("answerer", "sandtable.answers", ready_file, environment, "--concurrency", "1")


def _celery_worker(
    name: str, queue: str, ready_file: Path, environment: dict[str, str], *options: str
) -> Part:
    """A worker of one queue; on SIGTERM it gives its tasks a moment and lets go of them (they resume)."""
    host = f"{name}@{socket.gethostname()}"
    return Part(
        name,
        [
            *(PYTHON, "-W", f"ignore:{ROOT_WARNING}", "-m", "celery", "--quiet", "--app", "dashboard"),
            *("worker", "--without-gossip", "--without-mingle", "--hostname", host, "--queues", queue),
            *options,
        ],
        {**environment, "REMAP_SIGTERM": "SIGQUIT", "SANDTABLE_READY_FILE": str(ready_file)},
        ready=lambda: readiness.file_appears(ready_file),
        alive=lambda: liveness.takes_work(environment["SANDTABLE_BROKER_URL"], host),
        stop_seconds=WORKER_STOP_SECONDS,
    )


def reaper(environment: dict[str, str]) -> Part:
    """Brings back runs whose worker or message was lost."""
    return Part("reaper", [PYTHON, MANAGE, "reap", "--every", str(REAP_SECONDS)], environment)


def step(name: str, arguments: list[str], environment: dict[str, str]) -> Part:
    """A management command that runs to its end."""
    return Part(name, [PYTHON, MANAGE, *arguments], environment)
