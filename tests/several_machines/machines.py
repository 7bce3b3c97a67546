"""Machines made of the kernel's namespaces, joined by a bridge that only they and this program see.

A machine has processes, a network, a host name and a boot id of its own. It can lose its power, and its
cable can be pulled: packets vanish then in silence, as they do behind a switch that died.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

INSIDE = "SANDTABLE_SEVERAL_MACHINES"
BRIDGE = "machines"
OWN_ADDRESS = "10.107.0.1"
START_SECONDS = 20.0
PROGRAMS = ("ip", "unshare", "nsenter", "setpriv")
OWN_SPACE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
INIT = """
hostname "$1"
mount --bind "$2" /proc/sys/kernel/random/boot_id
trap '' INT TERM HUP
touch "$3"
while :; do sleep 3600 & wait; done
"""
"""The first process of a machine: it names it, and takes up processes that lost their parents."""


def missing() -> str:
    """Return why no machines can be made here, the empty string if they can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "machines are made of namespaces, for which Linux wants root"
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)} (apt-get install iproute2 util-linux)"
    done = subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], capture_output=True)
    return done.stderr.decode().strip() if done.returncode else ""


def enter(module: str, arguments: Sequence[str]) -> None:
    """Go on in a space of one's own, in which everything ends with this program, however that ends."""
    if os.environ.get(INSIDE):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        # The first process of a space has no default for it.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        return
    if reason := missing():
        raise SystemExit(reason)
    os.environ[INSIDE] = "1"
    os.execvp(OWN_SPACE[0], [*OWN_SPACE, sys.executable, "-m", module, *arguments])


@dataclass
class Machine:
    """One machine; `folder` is its disk, which outlives a loss of power. `running`: the parts by name."""

    name: str
    number: int
    folder: Path
    first: int = 0
    holder: subprocess.Popen[bytes] | None = None
    running: dict[str, int] = field(default_factory=dict)
    helpers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Its address in the network."""
        return f"10.107.0.{self.number}"

    @property
    def _cable(self) -> str:
        return f"to-{self.name}"

    def power_on(self) -> None:
        """Boot it, with a boot id that it never had."""
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)
        boot, up = self.folder / "boot_id", self.folder / "up"
        boot.write_text(f"{uuid.uuid4()}\n")
        up.unlink(missing_ok=True)
        own = (*OWN_SPACE, "--uts")
        self.holder = subprocess.Popen(
            [*own, "bash", "-c", INIT, "init", self.name, str(boot), str(up)],
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(up.exists, f"{self.name} does not boot")
        children = Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text()
        self.first = int(children.split()[0])
        self.running = {}
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.first))
        _ip("link", "set", self._cable, "master", BRIDGE, "up")
        for words in (
            ("addr", "add", f"{self.address}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("link", "set", "lo", "up"),
        ):
            subprocess.run([*self._inside("--net"), "ip", *words], check=True)

    def lose_power(self) -> None:
        """End all of its processes at once; nobody gets to say goodbye."""
        if self.holder is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self.first, signal.SIGKILL)
        self.holder.wait()
        subprocess.run(["ip", "link", "del", self._cable], capture_output=True)
        self.holder, self.running = None, {}

    def pull_cable(self) -> None:
        """Let every packet from and to it vanish."""
        _ip("link", "set", self._cable, "nomaster")

    def plug_cable(self) -> None:
        """Join it to the network again."""
        _ip("link", "set", self._cable, "master", BRIDGE)

    def start(
        self, part: str, command: Sequence[str], environment: Mapping[str, str], user: str = "root"
    ) -> None:
        """Start a part in a process group of its own; what it prints is in the machine's folder."""
        marked = self.folder / f"{part}.pid"
        marked.unlink(missing_ok=True)
        alone = ["setsid", "sh", "-c", f'echo $$ > {marked}; cd {self.folder}; exec "$@"', "part"]
        drop = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        with (self.folder / f"{part}.log").open("ab") as log:
            self.helpers[part] = subprocess.Popen(
                [*self._inside("--net", "--uts", "--mount", "--pid"), *alone, *drop, *command],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wait_until(lambda: marked.exists() and marked.read_text().strip() != "", f"{part} does not start")
        self.running[part] = int(marked.read_text())

    def signal(self, part: str, name: str) -> None:
        """Send a signal to all processes of a part, which may have ended."""
        pids = self._inside("--pid", "--mount")
        subprocess.run([*pids, "kill", f"-{name}", "--", f"-{self.running[part]}"], capture_output=True)
        if name != "STOP":
            self.helpers[part].send_signal(signal.SIGCONT)  # nsenter stops with whom it has started

    def has(self, part: str) -> bool:
        """Whether the part runs."""
        words = [*self._inside("--pid", "--mount"), "kill", "-0", "--", f"-{self.running[part]}"]
        return subprocess.run(words, capture_output=True).returncode == 0

    def kill(self, part: str) -> None:
        """End all processes of a part at once, and wait until they are gone."""
        self.signal(part, "KILL")
        wait_until(lambda: not self.has(part), f"{part} of {self.name} does not end")

    def call(self, command: Sequence[str], environment: Mapping[str, str]) -> str:
        """Run a command to its end; answer what it printed, raise if it failed."""
        words = [*self._inside("--net", "--uts", "--mount", "--pid"), *command]
        done = subprocess.run(words, env=dict(environment), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{command[0]} on {self.name}: {done.stdout}{done.stderr}")
        return done.stdout

    def _inside(self, *spaces: str) -> list[str]:
        return ["nsenter", "--target", str(self.first), *spaces, "--"]


@contextmanager
def network(folder: Path, names: Sequence[str]) -> Iterator[dict[str, Machine]]:
    """Machines of these names, on and joined; off afterwards."""
    _ip("link", "add", BRIDGE, "type", "bridge")
    _ip("addr", "add", f"{OWN_ADDRESS}/24", "dev", BRIDGE)
    _ip("link", "set", BRIDGE, "up")
    machines = {name: Machine(name, 2 + place, folder / name) for place, name in enumerate(names)}
    try:
        for machine in machines.values():
            machine.power_on()
        yield machines
    finally:
        for machine in machines.values():
            machine.lose_power()
        _ip("link", "del", BRIDGE)


def wait_until(condition: object, told: str, seconds: float = START_SECONDS) -> None:
    """Return once the condition holds; raise TimeoutError with a sentence if it does not in time."""
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{told} within {seconds:.0f} s")
        time.sleep(0.05)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
