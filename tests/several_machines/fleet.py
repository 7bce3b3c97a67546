"""The product spread over machines, each part started by the command that docs/operations.md names."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.fixtures.stack import PROJECT, Stack
from tests.several_machines.machines import Machine, network, wait_until
from tests.several_machines.servers import Broker, ChannelLayer, Database, lacking

PORT = 8107
READY_SECONDS = 240.0
SANDTABLE = (sys.executable, "-c", "from dashboard.command_line.main import main; main()")
WORKERS = ("worker", "importer", "answerer")


class Fleet:
    """All machines with what runs on them. `stack` is the product as its users reach it.

    hosts: those whose workers are started. release: the folder with the release that machines run, by name;
    all others run this one.
    """

    def __init__(
        self, machines: dict[str, Machine], folder: Path, hosts: int, release: dict[str, Path]
    ) -> None:
        self.machines, self.release = machines, release
        self.database = Database(machines["database"])
        self.broker = Broker(machines["broker"])
        self.layer = ChannelLayer(machines["layer"])
        self.web, self.reaper = machines["web"], machines["reaper"]
        self.hosts = [machine for name, machine in machines.items() if name.startswith("host")][:hosts]
        url = f"http://{self.web.address}:{PORT}"
        assert self.web.holder is not None
        self.stack = Stack(
            url, self.web.folder / "data", self.web.holder, folder / "output.txt", self.environment(self.web)
        )

    def environment(self, machine: Machine) -> dict[str, str]:
        """The variables of a part on the machine; the data folder is its own."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return {
            **kept,
            "PYTHONPATH": str(self.release.get(machine.name, PROJECT)),
            "PYTHONSAFEPATH": "1",
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "dashboard.settings",
            "DATA_DIR": str(machine.folder / "data"),
            "DATABASE_URL": self.database.url,
            "SANDTABLE_BROKER_URL": self.broker.url,
            "SANDTABLE_CHANNEL_LAYER_URL": self.layer.url,
            "SANDTABLE_SECRET_KEY": "the same on every machine of this fleet",
            "SANDTABLE_CLUSTER_KEY": "the same on every machine of this fleet, too",
            "SANDTABLE_ALLOWED_HOSTS": self.web.address,
            "SANDTABLE_WORKERS": "1",
            "OMP_NUM_THREADS": "1",
        }

    def start(self) -> None:
        """Start the servers, prepare the database, start all parts, and wait until they are ready."""
        self.database.create()
        self.broker.create()
        for server in (self.database, self.layer, self.broker):
            server.start()
        self.prepare(self.web)
        self.start_web()
        self.start_reaper()
        for host in self.hosts:
            self.start_host(host)
        wait_until(self.stack.is_ready, "the fleet is not ready", READY_SECONDS)

    def prepare(self, machine: Machine) -> None:
        """Bring the database to the release of a machine."""
        machine.call([*SANDTABLE, "manage", "prepare"], self.environment(machine))

    def start_web(self) -> None:
        """Start the web process."""
        own = {"HOST": "0.0.0.0", "PORT": str(PORT)}
        self.web.start("web", [*SANDTABLE, "part", "web"], self.environment(self.web) | own)

    def start_reaper(self) -> None:
        """Start the reaper."""
        self.reaper.start("reaper", [*SANDTABLE, "part", "reaper"], self.environment(self.reaper))

    def start_host(self, host: Machine) -> None:
        """Start all workers of a host."""
        for part in WORKERS:
            self.start_worker(host, part)

    def start_worker(self, host: Machine, part: str) -> None:
        """Start the worker of one queue on the host."""
        host.start(part, [*SANDTABLE, "part", part], self.environment(host))


def names(hosts: int) -> Sequence[str]:
    """The machines of a fleet with so many worker hosts."""
    return ("database", "broker", "layer", "web", "reaper", *(f"host-{n + 1}" for n in range(hosts)))


@contextmanager
def running_fleet(
    folder: Path, hosts: int, release: dict[str, Path] | None = None, spare: int = 0
) -> Iterator[Fleet]:
    """A fleet with so many worker hosts, ready; everything ends afterwards.

    release: as in `Fleet`. spare: hosts more, on which nothing runs yet.
    """
    if reason := lacking():
        raise SystemExit(reason)
    subprocess.run(["chmod", "755", str(folder)], check=True)  # PostgreSQL's user reads its part of it
    with network(folder, names(hosts + spare)) as machines:
        fleet = Fleet(machines, folder, hosts, release or {})
        fleet.start()
        yield fleet
