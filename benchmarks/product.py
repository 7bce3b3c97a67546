"""The product as it is served: import and run by the services and a worker, the debugger in Chromium.

Everything is started as `make run` starts it, on a data folder and a port of its own.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks import debugger
from benchmarks.figures import Figure
from benchmarks.stored import stored
from tests.fixtures.stack import Stack, running_stack

GROUP = "Product, 1,523 nodes and 8,152 pods"
IN_TIME = "Product, the same trace in its 149 days"
DEBUGGER_IN_TIME = "Debugger in Chromium on the trace in time, median of 20"
IMPORTED = re.compile(r"Alibaba GPU trace 2023: .*imported in ([\d.]+) s")
AT_ONCE, TIMED = "Alibaba GPU trace 2023", "Alibaba GPU trace 2023, in time"
CARDS = "Alibaba GPU trace 2023, shared by HAMi"
CARDS_GROUP = "Product, the same trace with its cards shared by HAMi"
RUN_SECONDS = 1200


def measure() -> Iterator[Figure]:
    """Start all parts, load the samples, wait for the large runs, and yield what each took."""
    with (
        tempfile.TemporaryDirectory(prefix="sandtable-bench-") as folder,
        running_stack(Path(folder)) as stack,
    ):
        start = time.perf_counter()
        printed = stack.manage("load_samples", "--all")
        imported = IMPORTED.search(printed)
        assert imported, printed
        yield Figure(GROUP, "import", float(imported[1]), "s")
        at_once = _finished_run(stack, AT_ONCE)
        yield from _run(stack, GROUP, at_once)
        yield Figure(GROUP, "from nothing to a finished run", time.perf_counter() - start, "s")
        in_time = _finished_run(stack, TIMED)
        yield from _run(stack, IN_TIME, in_time)
        yield Figure(IN_TIME, "from nothing to a finished run", time.perf_counter() - start, "s")
        again = time.perf_counter()
        stack.manage("load_samples", "--all")
        yield Figure(GROUP, "a second load_samples", time.perf_counter() - again, "s")
        yield from _cards(stack)
        yield from debugger.measure(stack, at_once["id"])
        yield from debugger.measure(stack, in_time["id"], DEBUGGER_IN_TIME)


def _cards(stack: Stack) -> Iterator[Figure]:
    """Run the trace with its cards shared by HAMi under each combination of policies, one after the other."""
    scenarios = stack.request("GET", "/api/v1/scenarios/")[1]["results"]
    for scenario in (one for one in scenarios if one["snapshot_name"] == CARDS):
        status, run = stack.request("POST", "/api/v1/runs/", {"scenario": scenario["id"]})
        assert status == 202, run
        run = _finished(stack, lambda one, started=run: one["id"] == started["id"])
        yield Figure(CARDS_GROUP, f"{scenario['name']}: run by a worker, log stored", _took(run), "s", "< 20")


def _run(stack: Stack, group: str, run: dict[str, Any]) -> Iterator[Figure]:
    """Yield how long a run took, and what it has stored."""
    took, decisions = _took(run), run["decisions"]
    yield Figure(group, "run by a worker, log stored", took, "s")
    yield Figure(group, "decisions a second, stored", decisions / took, "1/s")
    sizes = stored(stack, run["id"])
    yield Figure(group, "log of a decision, stored", sizes.log / decisions, "B")
    yield Figure(group, "checkpoints beside the log", sizes.checkpoints / 2**20, "MiB")


def _finished_run(stack: Stack, sample: str) -> dict[str, Any]:
    """Wait for the sample's run."""
    return _finished(stack, lambda run: run["snapshot_name"] == sample)


def _finished(stack: Stack, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + RUN_SECONDS
    while time.monotonic() < deadline:
        runs = stack.request("GET", "/api/v1/runs/")[1]["results"]
        run: dict[str, Any] = next(filter(is_it, runs))
        if run["status"] == "finished":
            return run
        assert run["status"] in ("queued", "running"), run
        time.sleep(0.5)
    raise TimeoutError(f"the run took longer than {RUN_SECONDS} s")


def _took(run: dict[str, Any]) -> float:
    """Return the seconds from a worker's start to the stored end."""
    return _time(run["finished_at"]) - _time(run["started_at"])


def _time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
