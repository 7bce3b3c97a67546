"""``python -m tests.several_machines.efficiency``: CPU time per run of sweeps on one worker host and on four.

A sweep has 200 runs at the most, so 1,000 runs are five sweeps of a scenario, each with seeds of its own.
Counted is the CPU time of all processes of the worker hosts, from the sweeps' start to their end.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests.several_machines.machines import Machine, enter

HOSTS = 4
SEEDS = 200
ALONE, TOGETHER = 1, 5
WARM_UP = range(100_000, 100_008)
WANTED = 0.9
LOOK_SECONDS = 2.0
RUN_SECONDS = 1800.0


def main(arguments: list[str]) -> int:
    """Measure and print; answer 1 if four hosts need more CPU time per run than is allowed."""
    parser = argparse.ArgumentParser(prog="python -m tests.several_machines.efficiency", description=__doc__)
    parser.add_argument("--sweeps", type=int, default=TOGETHER, help="of 200 runs each, on four hosts")
    chosen = parser.parse_args(arguments)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from tests.several_machines.fleet import running_fleet

    folder = Path(tempfile.mkdtemp(prefix="sandtable-machines-"))
    with running_fleet(folder, HOSTS) as fleet:
        measuring = Measuring(fleet)
        measuring.played([list(WARM_UP)])
        for host in fleet.hosts[1:]:
            host.kill("worker")
        alone = measuring.played(_seeds(0, ALONE))
        print(f"  1 host:  {alone:.1f} ms of CPU a run", flush=True)
        for host in fleet.hosts[1:]:
            fleet.start_worker(host, "worker")
        time.sleep(20)
        measuring.played([[seed + SEEDS for seed in WARM_UP]])
        together = measuring.played(_seeds(ALONE, chosen.sweeps))
        print(f"  {HOSTS} hosts: {together:.1f} ms of CPU a run", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"  efficiency: {alone / together:.2f} (wanted: {WANTED})")
    return 0 if alone / together >= WANTED else 1


class Measuring:
    """A scenario on a small cluster, and the sweeps that are played of it."""

    def __init__(self, fleet: object) -> None:
        from benchmarks.soak.client import Client
        from benchmarks.soak.findings import Findings
        from benchmarks.soak.plays import plays
        from tests.several_machines.fleet import Fleet

        assert isinstance(fleet, Fleet)
        self.fleet = fleet
        self.client = Client(fleet.stack, Findings())
        play = plays()[0]
        snapshot = self.client.create("/api/v1/snapshots/?name=swept", play.cluster, "/api/v1/snapshots/")[
            "id"
        ]
        body = {"name": "swept", "snapshot": snapshot, "edits": play.edits}
        self.scenario = self.client.create("/api/v1/scenarios/", body, "/api/v1/scenarios/")["id"]

    def played(self, seeds: list[list[int]]) -> float:
        """Play a sweep for each list of seeds; return the milliseconds of CPU time of the hosts a run."""
        before = _seconds_of(self.fleet.hosts)
        address = f"/api/v1/scenarios/{self.scenario}/sweeps/"
        sweeps = []
        for values in seeds:
            dimensions = [{"field": "seed", "path": [], "values": values}]
            sweeps.append(self.client.change("POST", address, {"dimensions": dimensions})["id"])
        deadline = time.monotonic() + RUN_SECONDS
        for sweep in sweeps:
            while (seen := self.client.get(f"/api/v1/sweeps/{sweep}/"))["state"] != "ended":
                if time.monotonic() > deadline:
                    raise TimeoutError(f"{seen['done']} of {seen['of']} runs were played")
                time.sleep(LOOK_SECONDS)
            states = {point["state"] for point in seen["points"]}
            if states != {"played"}:
                raise SystemExit(f"points of sweep {sweep} are {states}")
        return (_seconds_of(self.fleet.hosts) - before) / sum(map(len, seeds)) * 1000


def _seeds(first: int, sweeps: int) -> list[list[int]]:
    return [list(range(SEEDS * (first + n), SEEDS * (first + n + 1))) for n in range(sweeps)]


def _seconds_of(hosts: Iterable[Machine]) -> float:
    """The CPU time of all processes that the hosts have, with those that have ended there."""
    spaces = {os.readlink(f"/proc/{host.first}/ns/pid") for host in hosts}
    ticks = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "ns" / "pid") in spaces:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    enter("tests.several_machines.efficiency", sys.argv[1:])
    sys.exit(main(sys.argv[1:]))
