"""PostgreSQL, RabbitMQ and Redis as Debian packages them, each on a machine of its own."""

import os
import secrets
import shutil
import socket
import subprocess
from pathlib import Path

from tests.postgresql import programs
from tests.several_machines.machines import Machine, wait_until

RABBITMQ = Path("/usr/lib/rabbitmq/bin")
LISTEN_SECONDS = 300.0
PASSWORD = secrets.token_urlsafe(12)
POSTGRESQL = {
    "listen_addresses": "*",
    "unix_socket_directories": "",
    "max_connections": "300",
    "fsync": "off",  # processes are killed, the disk's machine is not
    "shared_buffers": "64MB",
}
RABBITMQ_SETTINGS = f"""
default_user = sandtable
default_pass = {PASSWORD}
loopback_users = none
listeners.tcp.1 = 0.0.0.0:5672
disk_free_limit.absolute = 50MB
vm_memory_high_watermark.absolute = 500MB
"""


def lacking() -> str:
    """Return which servers are not installed, as a sentence; the empty string if all are."""
    found = {"rabbitmq-server": RABBITMQ.exists(), "redis-server": shutil.which("redis-server")}
    names = [name for name, there in found.items() if not there]
    return f"not installed: apt-get install {' '.join(names)}" if names else ""


class Database:
    """PostgreSQL."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.url = f"postgres://sandtable:{PASSWORD}@{machine.address}:5432/postgres"
        self.cluster = machine.folder / "cluster"

    def create(self) -> None:
        """Make the files of an empty database."""
        shutil.chown(self.machine.folder, "postgres", "postgres")
        secret = self.machine.folder / "password"
        secret.write_text(PASSWORD)
        shutil.chown(secret, "postgres", "postgres")
        words = (
            *(str(programs() / "initdb"), "--pgdata", str(self.cluster), "--no-sync"),
            *("--username", "sandtable", "--auth", "scram-sha-256", "--pwfile", str(secret)),
            *("--encoding", "UTF8", "--locale", "C.UTF-8"),
        )
        subprocess.run(
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *words],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.machine.folder,
        )
        lines = "".join(f"{name} = '{value}'\n" for name, value in POSTGRESQL.items())
        (self.cluster / "postgresql.auto.conf").write_text(lines)
        with (self.cluster / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.107.0.0/24 scram-sha-256\n")

    def start(self) -> None:
        """Start it and wait until it listens."""
        (self.cluster / "postmaster.pid").unlink(missing_ok=True)
        command = [str(programs() / "postgres"), "-D", str(self.cluster)]
        self.machine.start("postgresql", command, os.environ, user="postgres")
        _wait_for(self.machine, 5432)


class Broker:
    """RabbitMQ; its queues outlive it, as they do by default."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.url = f"amqp://sandtable:{PASSWORD}@{machine.address}:5672//"
        own = machine.folder / "rabbitmq"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(own),
            "RABBITMQ_NODENAME": "rabbit@localhost",
            "RABBITMQ_MNESIA_BASE": str(own / "mnesia"),
            "RABBITMQ_LOG_BASE": str(own / "log"),
            "RABBITMQ_CONFIG_FILE": str(own / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(own / "plugins"),
            "RABBITMQ_PID_FILE": str(own / "pid"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
            "LANG": "C.UTF-8",
        }
        self.folder = own

    def create(self) -> None:
        """Write its settings."""
        self.folder.mkdir()
        (self.folder / "rabbitmq.conf").write_text(RABBITMQ_SETTINGS)
        (self.folder / "plugins").write_text("[].\n")

    def start(self) -> None:
        """Start it and wait until it listens."""
        self.machine.start("rabbitmq", [str(RABBITMQ / "rabbitmq-server")], self.environment)
        _wait_for(self.machine, 5672)

    def ask(self, *words: str) -> str:
        """Ask `rabbitmqctl`; answer what it printed."""
        return self.machine.call([str(RABBITMQ / "rabbitmqctl"), *words], self.environment)


class ChannelLayer:
    """Redis, which keeps nothing."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.url = f"redis://:{PASSWORD}@{machine.address}:6379/0"

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = ["redis-server", "--bind", "0.0.0.0", "--save", "", "--requirepass", PASSWORD]
        self.machine.start("redis", command, os.environ)
        _wait_for(self.machine, 6379)


def _wait_for(machine: Machine, port: int) -> None:
    def listens() -> bool:
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex((machine.address, port)) == 0

    wait_until(listens, f"port {port} of {machine.name} does not listen", LISTEN_SECONDS)
