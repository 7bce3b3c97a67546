"""The trace in time: each task comes when it came, runs as long as it ran, and goes.

In come the rows of a pod list, out go the edits of a scenario with the driver `timed`. Instants are seconds
since the trace began, which is the start of the run.

A task that was scheduled runs from there to its deletion. One that never was ran for an unknown time: it gets
the time from its creation to its deletion, the longest that it can have run. One that was still there when
the trace ended runs on.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from samples.openb.conversion import Object, Row, manifest

SHORTEST_SECONDS = 1
"""For who came and went within one second, which is as finely as the trace tells time."""


def arrivals(pod_rows: Sequence[Row], make: Callable[[Row], Object] = manifest) -> list[dict[str, Any]]:
    """Return the edit by which each task comes, in the order of the table; `make` makes its manifest."""
    end = trace_end(pod_rows)
    return [_arrival(row, make(row), end) for row in pod_rows]


def trace_end(pod_rows: Iterable[Row]) -> int:
    """Return the second at which the trace ends: that of the last deletions."""
    return max(int(row["deletion_time"]) for row in pod_rows)


def _arrival(row: Row, made: Object, end: int) -> dict[str, Any]:
    edit: dict[str, Any] = {"op": "add", "at": int(row["creation_time"]), "manifest": made}
    deleted = int(row["deletion_time"])
    if deleted < end:
        edit["duration"] = max(deleted - int(row["scheduled_time"] or row["creation_time"]), SHORTEST_SECONDS)
    return edit
