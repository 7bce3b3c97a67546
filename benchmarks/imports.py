"""``python -m benchmarks.imports [OTHER TREE]``: the import of a cluster as kubectl prints it, by a worker.

CPU time and peak memory from the upload to committed rows; with another tree the same of that one, by turns
in one call, since only ratios mean much on a shared machine. No part of `make bench`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, machine, print_table
from benchmarks.kubectl_dump import kubectl_dump

NODES, PODS, TURNS = 1_000, 20_000, 3
HERE = Path(__file__).parent.parent

_BEGIN = """
import sys, time, resource, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from dashboard.services import snapshots
snapshots.send_import = lambda number: None
data = open(sys.argv[1], "rb").read()
start = time.process_time()
snapshots.begin_import(None, "x", [("cluster.json", data)])
print(time.process_time() - start, 0)
"""
_WORK = """
import time, resource, django
django.setup()
from dashboard.models import Snapshot
from dashboard.services.importing import import_uploads
start = time.process_time()
import_uploads(Snapshot.objects.get().pk)
snapshot = Snapshot.objects.get()
assert snapshot.status == "ready", snapshot.problems
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.imports", description=__doc__)
    parser.add_argument("tree", nargs="?", type=Path, help="another tree, measured by turns with this one")
    parser.add_argument("--nodes", type=int, default=NODES, help=f"default: {NODES:,}")
    parser.add_argument("--pods", type=int, default=PODS, help=f"default: {PODS:,}")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"default: {TURNS}")
    chosen = parser.parse_args()
    print("Measuring on:", json.dumps(machine()), flush=True)
    with tempfile.TemporaryDirectory(prefix="sandtable-imports-") as folder:
        file = Path(folder) / "cluster.json"
        with file.open("wb") as out:
            out.writelines(kubectl_dump(chosen.nodes, chosen.pods))
        group = f"Import, {chosen.nodes:,} nodes and {chosen.pods:,} pods as kubectl prints them"
        print_table(measure(group, file, chosen.tree, chosen.turns))


def measure(group: str, file: Path, other: Path | None, turns: int) -> Iterator[Figure]:
    """Import the file with each tree by turns, and yield the medians."""
    megabytes = file.stat().st_size / 1e6
    yield Figure(group, "file", megabytes, "MB")
    taken: dict[str, list[tuple[float, float]]] = {}
    for _ in range(turns):
        for name, tree in (("here", HERE), *([("there", other)] if other else [])):
            taken.setdefault(name, []).append(_import(tree, file))
    medians = {}
    for name, figures in taken.items():
        seconds, peak = (statistics.median(part) for part in zip(*figures, strict=True))
        medians[name] = seconds, peak
        yield Figure(group, f"{name}: CPU time", seconds, "s")
        yield Figure(group, f"{name}: JSON a second", megabytes / seconds, "MB/s", "30 MB/s")
        yield Figure(
            group, f"{name}: worker, peak memory", peak, "MiB", f"< {megabytes / 1.048576 + 200:,.0f}"
        )
    if other:
        for what, place in (("CPU time", 0), ("peak memory", 1)):
            yield Figure(group, f"{what}, there : here", medians["there"][place] / medians["here"][place], "")


def _import(tree: Path, file: Path) -> tuple[float, float]:
    """Return CPU seconds of the upload and the worker together, and the worker's most memory in MiB."""
    with tempfile.TemporaryDirectory(prefix="sandtable-imports-") as folder:
        begun = _run(tree, folder, _BEGIN, str(file))
        worked = _run(tree, folder, _WORK)
    return begun[0] + worked[0], worked[1]


def _run(tree: Path, folder: str, program: str, *arguments: str) -> tuple[float, float]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree.resolve()),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATA_DIR": folder,
        "SANDTABLE_TESTS": "1",
    }
    command = [sys.executable, "-c", program, *arguments]
    printed = subprocess.run(
        command, env=environment, cwd=tree, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    seconds, peak = printed.split()[-2:]
    return float(seconds), float(peak)


if __name__ == "__main__":
    main()
