"""The product as it is served: import and run by the services and a worker, the debugger in Chromium.

Everything is started as `make run` starts it, on a data folder and a port of its own.
"""

import re
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks import debugger
from benchmarks.figures import Figure
from tests.fixtures.stack import Stack, running_stack

GROUP = "Product, 1,523 nodes and 8,152 pods"
IMPORTED = re.compile(r"Alibaba.*imported in ([\d.]+) s")
RUN_SECONDS = 600


def measure() -> Iterator[Figure]:
    """Start all parts, load the samples, wait for the large run, and yield what each took."""
    with (
        tempfile.TemporaryDirectory(prefix="sandtable-bench-") as folder,
        running_stack(Path(folder)) as stack,
    ):
        start = time.perf_counter()
        printed = stack.manage("load_samples")
        imported = IMPORTED.search(printed)
        assert imported, printed
        yield Figure(GROUP, "import", float(imported[1]), "s")
        run = _large_run_finished(stack)
        took = _time(run["finished_at"]) - _time(run["started_at"])
        yield Figure(GROUP, "run by a worker, log stored", took, "s")
        yield Figure(GROUP, "decisions a second, stored", run["decisions"] / took, "1/s")
        yield Figure(GROUP, "from nothing to a finished run", time.perf_counter() - start, "s")
        again = time.perf_counter()
        stack.manage("load_samples")
        yield Figure(GROUP, "a second load_samples", time.perf_counter() - again, "s")
        yield from debugger.measure(stack, run["id"])


def _large_run_finished(stack: Stack) -> dict[str, Any]:
    """Wait for the newest run, which is the large sample's."""
    deadline = time.monotonic() + RUN_SECONDS
    while time.monotonic() < deadline:
        runs = stack.request("GET", "/api/v1/runs/")[1]["results"]
        newest: dict[str, Any] = max(runs, key=lambda run: run["id"])
        if newest["status"] == "finished":
            return stack.request("GET", f"/api/v1/runs/{newest['id']}/")[1]  # type: ignore[no-any-return]
        assert newest["status"] in ("queued", "running"), newest
        time.sleep(0.5)
    raise TimeoutError(f"the run took longer than {RUN_SECONDS} s")


def _time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
