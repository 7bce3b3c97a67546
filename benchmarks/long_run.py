"""``python -m benchmarks.long_run``: a long run from its store to the screen; no part of `make bench`.

A small cluster is played by a worker until it is empty again, its log repeated through the log writer to as
many decisions as are asked for, and opened in Chromium: at its end, at steps all over it, and live while it
is written.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from benchmarks.figures import Figure, machine, print_table
from benchmarks.large_cluster import cluster

if TYPE_CHECKING:
    from benchmarks.debugger import Debugger
    from tests.fixtures.stack import Stack

DECISIONS = 100_000
NODES, PODS, WAVES, SECONDS = 20, 2000, 20, 4
JUMPS = 20
SEED = 1
MEBIBYTE = 2**20
FRAMES = """async (milliseconds) => {
  const start = performance.now();
  let frames = 0;
  while (performance.now() - start < milliseconds) {
    await new Promise(requestAnimationFrame);
    frames++;
  }
  return frames / ((performance.now() - start) / 1000);
}"""
GONE_TO = """(seq) => new Promise((resolve) => {
  const start = performance.now();
  const look = () => {
    const { reading, fold, inspector } = sandtable;
    const isShown = reading.at === seq && fold.at === seq && inspector.event?.seq === seq;
    if (isShown) return resolve(performance.now() - start);
    requestAnimationFrame(look);
  };
  sandtable.transport.seek(seq);
  requestAnimationFrame(look);
})"""
AT_ITS_END = """(decisions) => new Promise((resolve) => {
  const look = () => {
    if (taken.last === decisions && sandtable.reading.at === decisions) return resolve();
    requestAnimationFrame(look);
  };
  look();
})"""
WATCH_GAPS = """() => {
  const { log } = sandtable;
  const take = log.take.bind(log);
  window.taken = { last: log.head, gaps: 0 };
  log.take = (decisions) => {
    for (const { seq } of decisions) {
      if (seq > taken.last + 1) taken.gaps++;
      taken.last = Math.max(taken.last, seq);
    }
    take(decisions);
  };
}"""


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_run", description=__doc__)
    parser.add_argument("--decisions", type=int, default=DECISIONS, help=f"default: {DECISIONS:,}")
    parser.add_argument("--rate", type=float, default=2000, help="of the live run, decisions a second")
    chosen = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    print("Measuring on:", json.dumps(machine()), flush=True)
    with tempfile.TemporaryDirectory(prefix="sandtable-long-") as folder:
        print_table(measure(Path(folder), chosen.decisions, chosen.rate))


def measure(folder: Path, decisions: int, rate: float) -> Iterator[Figure]:
    """Play, repeat, open and follow, and yield what each took."""
    from benchmarks.debugger import Debugger, visited
    from tests.fixtures.stack import running_stack

    group = f"A run of {decisions:,} decisions"
    with running_stack(folder, SANDTABLE_WORKERS="1") as stack:
        source = _played(stack)
        writer = _Writer(stack, source, decisions)
        yield from _store(group, writer.finished(), decisions)
        with visited(stack) as page:
            debugger = Debugger(page, f"/runs/{writer.run}/?at={decisions}", group)
            yield debugger.open("opening it at its end")
            yield from _jumps(debugger, decisions)
            yield from debugger.heap()
        with visited(stack) as page:
            yield from _followed(stack, page, source, decisions, rate)


def _played(stack: "Stack") -> int:
    """Play the cluster to its end by a worker and return the run's number."""
    from benchmarks.size import _imported, _waited

    items = [one for one in json.loads(cluster(NODES, 0))["items"] if one["kind"] != "ReplicaSet"]
    body = json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()
    snapshot = _imported(stack, body)
    edits = [_wave(number) for number in range(WAVES)]
    asked = {"name": "waves", "snapshot": snapshot, "driver": "timed", "edits": edits}
    status, scenario = stack.request("POST", "/api/v1/scenarios/", asked)
    assert status == 201, scenario
    status, run = stack.request("POST", "/api/v1/runs/", {"scenario": scenario["id"]})
    assert status == 202, run
    return int(_waited(stack, f"/api/v1/runs/{run['id']}/", "finished", ("queued", "running"))["id"])


def _wave(number: int) -> dict[str, Any]:
    requests = {"cpu": f"{500 * (1 + number % 5)}m", "memory": f"{1 + number % 8}Gi"}
    container = {"name": "main", "image": "registry.example.com/app:1", "resources": {"requests": requests}}
    metadata = {"name": f"wave-{number:02d}", "namespace": "bench", "labels": {"app": f"wave-{number % 5}"}}
    manifest = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container]}}
    times = {"at": float(number), "duration": SECONDS}
    return {"op": "add", "manifest": manifest, "replicas": PODS // WAVES, **times}


class _Writer:
    """The process that writes the long log; `run` is the number of its run."""

    def __init__(self, stack: "Stack", source: int, decisions: int, *more: str) -> None:
        command = [sys.executable, "-m", "benchmarks.long_log", str(source), str(decisions), *more]
        environment = {**stack.environment, "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.run = int(self._line()["run"])

    def finished(self) -> dict[str, Any]:
        """Wait for the end and return what it took."""
        return self._line()

    def _line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


def _store(group: str, spent: dict[str, Any], decisions: int) -> Iterator[Figure]:
    parts = {
        "append": "chunk, index rows and bell",
        "checkpoints": "states of checkpoints",
        "sums": "summing up",
    }
    for part, what in parts.items():
        yield Figure(group, f"CPU time of a decision, {what}", 1e6 * spent[part] / decisions, "µs")


def _jumps(debugger: "Debugger", decisions: int) -> Iterator[Figure]:
    """Open steps all over the run in the open page."""
    lots = random.Random(SEED)
    waits = []
    for _ in range(JUMPS):
        waits.append(debugger.page.evaluate(GONE_TO, lots.randrange(1, decisions)))
        debugger._look_at_heap()
    yield Figure(
        debugger.group, f"a step anywhere, median of {JUMPS}", statistics.median(waits), "ms", "< 300 ms"
    )
    yield Figure(debugger.group, "a step anywhere, the longest", max(waits), "ms")


def _followed(stack: "Stack", page: Any, source: int, decisions: int, rate: float) -> Iterator[Figure]:
    """Follow the run at its head while it is written."""
    from benchmarks.debugger import Debugger

    group = f"Followed live, {decisions:,} decisions at {rate:,.0f} a second"
    writer = _Writer(stack, source, decisions, "--rate", str(rate))
    debugger = Debugger(page, f"/runs/{writer.run}/", group)
    debugger.open("opening it")
    page.evaluate(WATCH_GAPS)
    page.keyboard.press("f")
    frames = []
    while page.evaluate("sandtable.reading.status") == "running" and writer.process.poll() is None:
        frames.append(page.evaluate(FRAMES, 1000))
        debugger._look_at_heap()
    page.evaluate(AT_ITS_END, decisions)
    yield Figure(group, "gaps", page.evaluate("taken.gaps"), "")
    yield Figure(group, "frames a second, median", statistics.median(frames), "1/s", "≥ 50")
    yield Figure(group, "frames a second, the slowest second", min(frames), "1/s")
    yield from debugger.heap()


if __name__ == "__main__":
    main()
