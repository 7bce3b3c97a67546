"""The tables of a run over time, for the page and for export. Instants are milliseconds of its clock."""

from collections.abc import Callable, Iterator
from typing import Any

from dashboard.views.tables import Column

Document = dict[str, Any]
Row = dict[str, Any]


def _plain(*names: str) -> list[Column]:
    return [Column(name, name, lambda row, name=name: row.get(name)) for name in names]


def queue_rows(found: Document) -> list[Row]:
    """One row for each point: the decision, its instant, and how many pods are in each part of the queue."""
    queue = found["queue"]
    parts = queue["parts"]
    return [
        {"seq": seq, "time": time, **{part: parts[part][place] for part in parts},
         "waiting": sum(parts[part][place] for part in parts)}
        for place, (seq, time) in enumerate(zip(queue["seq"], queue["time"], strict=True))
    ]  # fmt: skip


def _requested_rows(found: Document) -> Iterator[Row]:
    requested = found["requested"]
    for series in requested["series"]:
        for place, (seq, time) in enumerate(zip(requested["seq"], requested["time"], strict=True)):
            yield {
                "pool": series["pool"], "resource": series["resource"], "seq": seq, "time": time,
                "requested": series["requested"][place], "allocatable": series["allocatable"][place],
            }  # fmt: skip


def _waits(part: str) -> Callable[[Document], Iterator[Row]]:
    def rows(found: Document) -> Iterator[Row]:
        for group in found["waits"][part]:
            flat = {name: value for name, value in group.items() if name not in ("placed", "waiting")}
            for side in ("placed", "waiting"):
                spread = group[side]
                longest = spread["longest"] or {}
                flat |= {
                    side: spread["count"], f"{side}_median": spread["median"], f"{side}_p90": spread["p90"],
                    f"{side}_longest": longest.get("wait"), f"{side}_longest_pod": longest.get("pod"),
                    f"{side}_longest_seq": longest.get("seq"),
                }  # fmt: skip
            yield flat

    return rows


_SPREADS = [
    f"{side}{figure}"
    for side in ("placed", "waiting")
    for figure in ("", "_median", "_p90", "_longest", "_longest_pod", "_longest_seq")
]
_PARTS = ("active", "backoff", "unschedulable", "gated", "in_flight", "open")

OVER_TIME_TABLES: dict[str, tuple[list[Column], Callable[[Document], Any]]] = {
    "queue": (_plain("seq", "time", *_PARTS, "waiting"), queue_rows),
    "requested": (
        _plain("pool", "resource", "seq", "time", "requested", "allocatable"), _requested_rows,
    ),
    "pools": (
        _plain("pool", "nodes", "resource", "requested", "allocatable", "start", "mean", "most", "seq",
               "time", "end"),
        lambda found: found["pools"],
    ),
    "waits-by-priority": (_plain("priority", *_SPREADS, "left"), _waits("by_priority")),
    "waits-by-workload": (_plain("namespace", "workload", *_SPREADS, "left"), _waits("by_workload")),
}  # fmt: skip
