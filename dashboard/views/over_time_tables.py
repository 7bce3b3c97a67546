"""The tables of a run over time, for the page and for export. Instants are milliseconds of its clock."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dashboard.shapes.over_time import Answer, Priority, Spread, Workload
from dashboard.views.tables import Column, plain_columns

Row = dict[str, Any]


def queue_rows(found: Answer) -> list[Row]:
    """One row for each point: the decision, its instant, and how many pods are in each part of the queue."""
    queue = found["queue"]
    parts = queue["parts"]
    return [
        {"seq": seq, "time": time, **{part: parts[part][place] for part in parts},
         "waiting": sum(parts[part][place] for part in parts)}
        for place, (seq, time) in enumerate(zip(queue["seq"], queue["time"], strict=True))
    ]  # fmt: skip


def _requested_rows(found: Answer) -> Iterator[Row]:
    requested = found["requested"]
    for series in requested["series"]:
        for place, (seq, time) in enumerate(zip(requested["seq"], requested["time"], strict=True)):
            yield {
                "pool": series["pool"], "resource": series["resource"], "seq": seq, "time": time,
                "requested": series["requested"][place], "allocatable": series["allocatable"][place],
            }  # fmt: skip


def _waits(groups: Iterable[Priority | Workload]) -> Iterator[Row]:
    """Yield a row for each group, in which the spreads of its waits are columns."""
    for group in groups:
        yield {**group, **_spread("placed", group["placed"]), **_spread("waiting", group["waiting"])}


def _spread(side: str, spread: Spread) -> Row:
    longest = spread["longest"]
    return {
        side: spread["count"],
        f"{side}_median": spread["median"],
        f"{side}_p90": spread["p90"],
        f"{side}_longest": longest and longest["wait"],
        f"{side}_longest_pod": longest and longest["pod"],
        f"{side}_longest_seq": longest and longest["seq"],
    }


_SPREADS = [
    f"{side}{figure}"
    for side in ("placed", "waiting")
    for figure in ("", "_median", "_p90", "_longest", "_longest_pod", "_longest_seq")
]
_PARTS = ("active", "backoff", "unschedulable", "gated", "in_flight", "open")

OverTimeTable = tuple[list[Column], Callable[[Answer], Iterable[Mapping[str, Any]]]]
"""Columns, and what makes the rows of a run over time."""


def _table(rows_of: Callable[[Answer], Iterable[Mapping[str, Any]]], *names: str) -> OverTimeTable:
    return plain_columns(*names), rows_of


OVER_TIME_TABLES: dict[str, OverTimeTable] = {
    "queue": _table(queue_rows, "seq", "time", *_PARTS, "waiting"),
    "requested": _table(
        _requested_rows, "pool", "resource", "seq", "time", "requested", "allocatable"
    ),
    "pools": _table(
        lambda found: found["pools"], "pool", "nodes", "resource", "requested", "allocatable", "start",
        "mean", "most", "seq", "time", "end",
    ),
    "waits-by-priority": _table(
        lambda found: _waits(found["waits"]["by_priority"]), "priority", *_SPREADS, "left"
    ),
    "waits-by-workload": _table(
        lambda found: _waits(found["waits"]["by_workload"]), "namespace", "workload", *_SPREADS, "left"
    ),
}  # fmt: skip
