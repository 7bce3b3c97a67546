"""What goes wrong on several machines, and how each is repaired, as by whatever watches over the parts.

Each fault takes one machine for itself until that is repaired. Others go on meanwhile, on other machines.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from benchmarks.soak.findings import Findings
from tests.several_machines.fleet import WORKERS, Fleet
from tests.several_machines.machines import Machine

DOWN_SECONDS = (0.5, 4.0)
STOPPED_SECONDS = (5.0, 30.0)


@dataclass(frozen=True)
class Fault:
    """A fault by its name, on a machine; `happen` breaks and repairs."""

    name: str
    machine: Machine
    happen: Callable[[], None]


class Faults:
    """The faults that a fleet may suffer. cut_seconds: how long a host stays cut off."""

    def __init__(self, fleet: Fleet, findings: Findings, seed: int, cut_seconds: float) -> None:
        self.fleet = fleet
        self.findings = findings
        self.chance = random.Random(f"{seed}/faults")
        self.cut_seconds = cut_seconds
        self.busy: set[str] = set()
        self.lock = threading.Lock()
        self.under_way: list[threading.Thread] = []

    def go_on_until(self, stop: threading.Event, every: float, most: int) -> None:
        """One fault every so many seconds, each beside those that last longer, until there were so many."""
        begun = time.monotonic()
        for number in range(most):
            if stop.wait(max(0.0, begun + number * every - time.monotonic())):
                break
            self.begin(self._any())
        for thread in self.under_way:
            thread.join()

    def begin(self, fault: Fault) -> threading.Thread:
        """Let it happen, in a thread of its own, once its machine is free."""
        thread = threading.Thread(target=self._happen, args=(fault,), name=fault.name, daemon=True)
        thread.start()
        self.under_way.append(thread)
        return thread

    def _happen(self, fault: Fault) -> None:
        began = time.monotonic()
        try:
            with self._machine(fault.machine):
                fault.happen()
        except Exception as error:
            self.findings.broke("a fault could not be repaired", f"{fault.name}: {error!r}")
        else:
            self.findings.took(f"fault: {fault.name}", time.monotonic() - began)

    @contextmanager
    def _machine(self, machine: Machine) -> Iterator[None]:
        while True:
            with self.lock:
                if machine.name not in self.busy:
                    self.busy.add(machine.name)
                    break
            time.sleep(0.1)
        try:
            yield
        finally:
            with self.lock:
                self.busy.discard(machine.name)

    def _any(self) -> Fault:
        """Choose a fault by chance among those whose machine has no other."""
        with self.lock:
            free = [host for host in self.fleet.hosts if host.name not in self.busy]
        host = self.chance.choice(free or self.fleet.hosts)
        part = self.chance.choice(WORKERS)
        makers = (
            *(partial(self.killed_worker, host, part), partial(self.stopped_worker, host, part)) * 3,
            partial(self.killed_host, host),
            partial(self.cut_host, host),
            *(self.killed_web, self.killed_reaper, self.killed_broker),
            *(self.killed_layer, self.killed_database),
        )
        return self.chance.choice(makers)()

    def killed_worker(self, host: Machine, part: str) -> Fault:
        """All processes of one worker are killed."""
        down = self._seconds(DOWN_SECONDS)

        def happen() -> None:
            host.kill(part)
            time.sleep(down)
            self.fleet.start_worker(host, part)

        return Fault("a worker killed", host, happen)

    def stopped_worker(self, host: Machine, part: str) -> Fault:
        """All processes of one worker stand still for some seconds and then go on."""
        still = self._seconds(STOPPED_SECONDS)

        def happen() -> None:
            host.signal(part, "STOP")
            time.sleep(still)
            host.signal(part, "CONT")

        return Fault("a worker stopped and continued", host, happen)

    def killed_host(self, host: Machine) -> Fault:
        """A host loses its power."""

        def happen() -> None:
            host.lose_power()
            host.power_on()
            self.fleet.start_host(host)

        return Fault("a worker host without power", host, happen)

    def cut_host(self, host: Machine) -> Fault:
        """A host is cut off from all others."""

        def happen() -> None:
            host.pull_cable()
            time.sleep(self.cut_seconds)
            host.plug_cable()

        return Fault(f"a worker host cut off for {self.cut_seconds:.0f} s", host, happen)

    def killed_web(self) -> Fault:
        """The web process is killed."""
        return self._killed(self.fleet.web, "web", self.fleet.start_web)

    def killed_reaper(self) -> Fault:
        """The reaper is killed."""
        return self._killed(self.fleet.reaper, "reaper", self.fleet.start_reaper)

    def killed_broker(self) -> Fault:
        """RabbitMQ is killed and started again on what it had stored."""
        return self._killed(self.fleet.broker.machine, "rabbitmq", self.fleet.broker.start)

    def killed_layer(self) -> Fault:
        """Redis is killed and comes back empty."""
        return self._killed(self.fleet.layer.machine, "redis", self.fleet.layer.start)

    def killed_database(self) -> Fault:
        """PostgreSQL is killed and recovers from its own log."""
        return self._killed(self.fleet.database.machine, "postgresql", self.fleet.database.start)

    def _killed(self, machine: Machine, part: str, start: Callable[[], None]) -> Fault:
        down = self._seconds(DOWN_SECONDS)

        def happen() -> None:
            machine.kill(part)
            time.sleep(down)
            start()

        return Fault(f"{part} killed", machine, happen)

    def _seconds(self, spread: tuple[float, float]) -> float:
        return self.chance.uniform(*spread)
