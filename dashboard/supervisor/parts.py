"""What runs on one machine: the lasting parts in the order in which they start, and the steps between them.

``start`` puts them in order; the broker starts first and stops last.
"""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from dashboard.supervisor import readiness
from dashboard.supervisor.broker import EmbeddedBroker

REAP_SECONDS = 5
WORKER_STOP_SECONDS = 6
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
    """

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    ready: Callable[[], Awaitable[None]] | None = None
    stdin: str = ""
    output: Path | None = None
    inherited: tuple[int, ...] = ()
    stop_seconds: float = 5


def broker(embedded: EmbeddedBroker, logs: Path) -> Part:
    """The embedded Valkey; it writes its log itself, in its own form."""
    return Part(
        "broker",
        embedded.command,
        ready=lambda: readiness.broker_answers(embedded.url),
        stdin=embedded.configuration,
        output=logs / "broker.log",
    )


def web(listener: int, address: tuple[str, int], environment: dict[str, str]) -> Part:
    """The web server, on the listening socket with this descriptor."""
    return Part(
        "web",
        [PYTHON, "-m", "dashboard.supervisor.web", str(listener)],
        environment,
        ready=lambda: readiness.web_answers(address, "/readyz"),
        inherited=(listener,),
    )


def worker(ready_file: Path, environment: dict[str, str]) -> Part:
    """The Celery worker; on SIGTERM it gives its runs a moment and then lets go of them (they resume)."""
    return Part(
        "worker",
        [
            *(
                PYTHON,
                "-W",
                f"ignore:{ROOT_WARNING}",
                "-m",
                "celery",
                "--quiet",
                "--app",
                "dashboard",
                "worker",
            ),
            *("--without-gossip", "--without-mingle", "--hostname", "sandtable@%h"),
        ],
        {**environment, "REMAP_SIGTERM": "SIGQUIT", "SANDTABLE_READY_FILE": str(ready_file)},
        ready=lambda: readiness.file_appears(ready_file),
        stop_seconds=WORKER_STOP_SECONDS,
    )


def reaper(environment: dict[str, str]) -> Part:
    """Brings back runs whose worker or message was lost."""
    return Part("reaper", [PYTHON, MANAGE, "reap", "--every", str(REAP_SECONDS)], environment)


def step(name: str, arguments: list[str], environment: dict[str, str]) -> Part:
    """A management command that runs to its end."""
    return Part(name, [PYTHON, MANAGE, *arguments], environment)
