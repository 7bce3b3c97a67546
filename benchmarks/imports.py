"""``python -m benchmarks.imports [OTHER TREE]``: the import of a cluster as kubectl prints it, by a worker.

CPU time and peak memory from the upload to committed rows, of the snapshot's pages, of trying a scenario, and
of a run's first decision; with another tree the same of that one, by turns in one call, since only ratios
mean much on a shared machine. Then the import alone of a cluster no two pods of which are alike. `make bench`
imports a cluster of LARGE nodes and pods once, and one of UNLIKE.
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
from typing import NamedTuple

from benchmarks.figures import Figure, machine, print_table
from benchmarks.kubectl_dump import kubectl_dump
from benchmarks.unlike_pods import unlike_pods

NODES, PODS, TURNS = 1_000, 20_000, 3
LARGE = 5_000, 100_000
UNLIKE = 1_000, 10_000
UNPACKED_MEBIBYTES = 8192
"""As much as is accepted here: 200,000 pods take 3 GB."""
HERE = Path(__file__).parent.parent

_BEGIN = """
import sys, time, resource, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from dashboard.services.workspace import snapshots
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
from dashboard.services.background.importing import import_uploads
start = time.process_time()
import_uploads(Snapshot.objects.get().pk)
snapshot = Snapshot.objects.get()
assert snapshot.status == "ready", snapshot.problems
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


_LOOK = """
import time, django
django.setup()
from django.conf import settings
from django.test import Client
from dashboard.models import Node, Pod, Snapshot, Workload
from tests.fixtures.people import create_person
settings.ALLOWED_HOSTS = ["*"]
client = Client()
client.force_login(create_person("alice"))
start = f"/snapshots/{Snapshot.objects.get().pk}/"
pod, node, workload = Pod.objects.first(), Node.objects.first(), Workload.objects.first()
client.get(start)
for path in (
    "", "nodes/", "nodes/?sort=-cpu_share", "pods/", "pods/?sort=-memory_bytes", "pods/?sort=name",
    f"pods/?q={pod.name[:-3]}", "pods/?pending=1", f"pods/?page={Pod.objects.count() // 100}", "workloads/",
    f"pods/{pod.uid}/", f"nodes/{node.name}/",
    f"workloads/{workload.kind}/{workload.namespace}/{workload.name}/",
):
    begun = time.process_time()
    assert client.get(start + path).status_code == 200, path
    print(time.process_time() - begun)
"""


_TRY = """
import time, resource, django
django.setup()
from dashboard.engine import open_simulation
from dashboard.models import Node, Snapshot, Workload
from dashboard.services.background import question_worker, dispatch
from dashboard.services.workspace import runs, scenarios
from dashboard.services.workspace.trying import validate_scenario
dispatch.send_question = question_worker.answer_question
runs.send_run = lambda number: None
snapshot = Snapshot.objects.get()
node, workload = Node.objects.first(), Workload.objects.first()
requests = {"cpu": "1", "memory": "1Gi"}
pod = {
    "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "new"},
    "spec": {"containers": [{"name": "main", "image": "new", "resources": {"requests": requests}}]},
}
place = {"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}
tried = []
for edit in (
    None, {"op": "drain", "node": node.name}, {"op": "clone-node", "node": node.name, "count": 10},
    {"op": "scale", **place, "replicas": workload.replicas + 10},
    {"op": "add", "manifest": pod, "replicas": 100},
):
    draft = scenarios.draft_scenario({"snapshot": snapshot, "edits": [edit] if edit else []})
    begun = time.process_time()
    while (answer := validate_scenario(draft)).get("preparing"):
        pass
    assert answer["figures"], answer
    tried.append(time.process_time() - begun)
print(tried[0], max(tried[1:]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
_DECIDE = """
import time, resource, django
django.setup()
from dashboard.engine import open_simulation
from dashboard.models import Snapshot
from dashboard.services.workspace import runs, scenarios
runs.send_run = lambda number: None
scenario = scenarios.create_scenario(None, {"snapshot": Snapshot.objects.get(), "name": "x", "edits": []})
run = runs.start_run(None, scenario)
begun = time.process_time()
assert open_simulation(run).step() is not None
print(time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


class Taken(NamedTuple):
    """What one import and what follows it took: CPU seconds, and most memory in MiB."""

    seconds: float
    worker: float
    page: float
    reading: float
    trial: float
    keeping: float
    decision: float
    playing: float


def measure_large() -> Iterator[Figure]:
    """Import a large cluster once, and yield what that took and the slowest page of it."""
    yield from _measured(*LARGE, None, 1)


def measure_unlike(other: Path | None = None, turns: int = TURNS) -> Iterator[Figure]:
    """Import pods that are unlike each other with each tree by turns, and yield the medians."""
    nodes, pods = UNLIKE
    group = f"Import, {nodes:,} nodes and {pods:,} pods, no two alike"
    taken: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory(prefix="sandtable-imports-") as folder:
        file = Path(folder) / "cluster.json"
        with file.open("wb") as out:
            out.writelines(unlike_pods(nodes, pods))
        yield Figure(group, "a pod, kB", file.stat().st_size / pods / 1000, "kB")
        for _ in range(turns):
            for name, tree in _trees(other):
                with tempfile.TemporaryDirectory(prefix="sandtable-imports-") as data:
                    taken.setdefault(name, []).append(_import(tree, data, file))
    medians = {name: list(map(statistics.median, zip(*found, strict=True))) for name, found in taken.items()}
    for name, (seconds, peak) in medians.items():
        yield Figure(group, f"{name}: CPU time of a pod", 1000 * seconds / pods, "ms", "0.2 ms")
        yield Figure(group, f"{name}: worker, peak memory", peak, "MiB")
    if other:
        for place, what in enumerate(("CPU time", "peak memory")):
            ratio = medians["there"][place] / medians["here"][place]
            yield Figure(group, f"{what}, there : here", ratio, "")


def _trees(other: Path | None) -> list[tuple[str, Path]]:
    return [("here", HERE), *([("there", other)] if other else [])]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.imports", description=__doc__)
    parser.add_argument("tree", nargs="?", type=Path, help="another tree, measured by turns with this one")
    parser.add_argument("--nodes", type=int, default=NODES, help=f"default: {NODES:,}")
    parser.add_argument("--pods", type=int, default=PODS, help=f"default: {PODS:,}")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"default: {TURNS}")
    chosen = parser.parse_args()
    print("Measuring on:", json.dumps(machine()), flush=True)
    alike = _measured(chosen.nodes, chosen.pods, chosen.tree, chosen.turns)
    print_table([*alike, *measure_unlike(chosen.tree, chosen.turns)])


def _measured(nodes: int, pods: int, other: Path | None, turns: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="sandtable-imports-") as folder:
        file = Path(folder) / "cluster.json"
        with file.open("wb") as out:
            out.writelines(kubectl_dump(nodes, pods))
        group = f"Import, {nodes:,} nodes and {pods:,} pods as kubectl prints them"
        yield from measure(group, file, other, turns)


def measure(group: str, file: Path, other: Path | None, turns: int) -> Iterator[Figure]:
    """Import the file with each tree by turns, and yield the medians."""
    megabytes = file.stat().st_size / 1e6
    yield Figure(group, "file", megabytes, "MB")
    taken: dict[str, list[Taken]] = {}
    for _ in range(turns):
        for name, tree in _trees(other):
            taken.setdefault(name, []).append(_take(tree, file))
    medians = {}
    for name, figures in taken.items():
        median = Taken(*(statistics.median(part) for part in zip(*figures, strict=True)))
        seconds, peak = median.seconds, median.worker
        medians[name] = median
        yield Figure(group, f"{name}: CPU time", seconds, "s")
        yield Figure(group, f"{name}: JSON a second", megabytes / seconds, "MB/s", "30 MB/s")
        yield Figure(
            group, f"{name}: worker, peak memory", peak, "MiB", f"< {(megabytes + 200) / 1.048576:,.0f}"
        )
        yield Figure(group, f"{name}: slowest page of the snapshot, CPU time", median.page, "s", "< 1 s")
        yield Figure(group, f"{name}: reading the cluster to try scenarios, CPU time", median.reading, "s")
        yield Figure(group, f"{name}: slowest trial of a scenario then, CPU time", median.trial, "s", "< 1 s")
        yield Figure(group, f"{name}: web process that tries, peak memory", median.keeping, "MiB")
        yield Figure(group, f"{name}: to a run's first decision, CPU time", median.decision, "s")
        yield Figure(group, f"{name}: worker of a run, peak memory by then", median.playing, "MiB")
    if other:
        for what, field in (
            ("CPU time", "seconds"),
            ("peak memory", "worker"),
            ("slowest trial", "trial"),
            ("first decision", "decision"),
        ):
            there, here = (getattr(medians[name], field) for name in ("there", "here"))
            yield Figure(group, f"{what}, there : here", there / here, "")


def _take(tree: Path, file: Path) -> Taken:
    """Return what the upload and the worker took together, and what came after."""
    with tempfile.TemporaryDirectory(prefix="sandtable-imports-") as folder:
        imported = _import(tree, folder, file)
        pages = _run(tree, folder, _LOOK)
        tried = _run(tree, folder, _TRY)
        decided = _run(tree, folder, _DECIDE)
    return Taken(*imported, max(pages), *tried, *decided)


def _import(tree: Path, folder: str, file: Path) -> list[float]:
    """Return the CPU seconds of upload and worker, and the worker's most memory in MiB."""
    begun = _run(tree, folder, _BEGIN, str(file))
    seconds, peak = _run(tree, folder, _WORK)[-2:]
    return [begun[-2] + seconds, peak]


def _run(tree: Path, folder: str, program: str, *arguments: str) -> list[float]:
    """Run a program on a tree and a data folder, and return the numbers that it prints."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree.resolve()),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATA_DIR": folder,
        "SANDTABLE_TESTS": "1",
        "SANDTABLE_UNPACKED_LIMIT_MB": str(UNPACKED_MEBIBYTES),
    }
    command = [sys.executable, "-c", program, *arguments]
    printed = subprocess.run(
        command, env=environment, cwd=tree, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return list(map(float, printed.split()))


if __name__ == "__main__":
    main()
