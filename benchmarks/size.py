"""``python -m benchmarks.size``: the largest cluster that is promised, from its import to its last decision.

15,000 nodes and 100,000 pods are imported by a worker, run to their end by a worker with the log stored, and
opened at that end in Chromium. On a small machine this takes an hour, so it is no part of `make bench`.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from benchmarks.figures import Figure, machine, print_table
from benchmarks.large_cluster import cluster

if TYPE_CHECKING:
    from tests.fixtures.stack import Stack

NODES, PODS = 15_000, 100_000
LOOK_SECONDS = 1.0
_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.size", description=__doc__)
    parser.add_argument("--nodes", type=int, default=NODES, help=f"default: {NODES:,}")
    parser.add_argument("--pods", type=int, default=PODS, help=f"default: {PODS:,}")
    parser.add_argument("--folder", type=Path, help="keep the data there (default: a folder that goes)")
    chosen = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    print("Measuring on:", json.dumps(machine()), flush=True)
    with tempfile.TemporaryDirectory(prefix="sandtable-size-") as made:
        print_table(measure(chosen.nodes, chosen.pods, chosen.folder or Path(made)))


def measure(nodes: int, pods: int, folder: Path) -> Iterator[Figure]:
    """Start all parts on the folder, play the cluster, open its end, and yield what each took."""
    from benchmarks.debugger import Debugger, visited
    from benchmarks.stored import stored
    from tests.fixtures.stack import running_stack

    group = f"Size, {nodes:,} nodes and {pods:,} pods"
    with running_stack(folder, SANDTABLE_WORKERS="1") as stack:
        start = time.monotonic()
        snapshot = _imported(stack, cluster(nodes, pods))
        yield Figure(group, "import by a worker", time.monotonic() - start, "s")
        yield Figure(group, "importer, peak memory", _peak(stack, "importer"), "GiB")

        cpu, start = _cpu(stack), time.monotonic()
        run = _finished_run(stack, snapshot)
        decisions = run["decisions"]
        yield Figure(group, "run by a worker, log stored", time.monotonic() - start, "s")
        yield Figure(group, "CPU time of a decision, all told", 1000 * (_cpu(stack) - cpu) / decisions, "ms")
        yield Figure(group, "worker, peak memory", _peak(stack, "worker"), "GiB", "< 4 GiB")
        sizes = stored(stack, run["id"])
        yield Figure(group, "log", sizes.log / 2**20, "MiB", "< 1 GB")
        yield Figure(group, "log, a decision", sizes.log / decisions, "B")
        yield Figure(group, "checkpoints beside it", sizes.checkpoints / 2**20, "MiB")

        with visited(stack) as page:
            debugger = Debugger(page, f"/runs/{run['id']}/?at={decisions}", group)
            yield debugger.open("opening the debugger at the end, whole log read")
            yield debugger.longest_task("opening it, the longest task")
            yield from debugger.steps()
            yield from debugger.heap()
        yield Figure(group, "web server, peak memory", _peak(stack, "web"), "GiB")


def _imported(stack: "Stack", content: bytes) -> int:
    status, answer = stack.request("POST", "/api/v1/snapshots/?name=large", content)
    assert status in (201, 202), answer
    return int(_waited(stack, f"/api/v1/snapshots/{answer['id']}/", "ready", ("importing", "queued"))["id"])


def _finished_run(stack: "Stack", snapshot: int) -> dict[str, Any]:
    status, scenario = stack.request("POST", "/api/v1/scenarios/", {"name": "all", "snapshot": snapshot})
    assert status == 201, scenario
    status, run = stack.request("POST", "/api/v1/runs/", {"scenario": scenario["id"]})
    assert status == 202, run
    return _waited(stack, f"/api/v1/runs/{run['id']}/", "finished", ("queued", "running"))


def _waited(stack: "Stack", address: str, wanted: str, meanwhile: tuple[str, ...]) -> dict[str, Any]:
    """Wait until what is at the address is as wanted; it must not become anything else."""
    while True:
        answer: dict[str, Any] = stack.request("GET", address)[1]
        if answer["status"] == wanted:
            return answer
        assert answer["status"] in meanwhile, answer
        time.sleep(LOOK_SECONDS)


def _peak(stack: "Stack", part: str) -> float:
    """Return the most memory that a process of the part has ever held, in GiB."""
    return max(_status_field(pid, "VmHWM") for pid in stack.pids(part)) / 2**20


def _status_field(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def _cpu(stack: "Stack") -> float:
    """Return the CPU seconds that the workers' processes have taken."""
    seconds = 0.0
    for pid in stack.pids("worker"):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / _TICKS
    return seconds


if __name__ == "__main__":
    main()
