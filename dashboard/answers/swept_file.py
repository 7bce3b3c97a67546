"""The runs of a sweep as a file of CSV, for programs: every figure, as a plain number, in the same columns.

Tables for readers leave out what is the same in all runs, and print amounts with their units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dashboard.csv_lines import csv_line, plain_cell
from dashboard.shapes.swept import Point, PointFigures, Swept, titles_apart, value_names

_PERCENT_DIGITS = 2
_FIGURES: dict[str, Callable[[PointFigures], Any]] = {
    "pods_without_node": lambda one: one.without_node,
    "pods_without_scheduler": lambda one: one.unserved,
    "pods_placed": lambda one: one.placed,
    "pods_evicted": lambda one: one.evicted,
    "evictions_against_budget": lambda one: one.against_budgets,
    "edits_not_done": lambda one: one.not_done,
    "nodes": lambda one: one.nodes,
    "nodes_at_most_10_percent_cpu": lambda one: one.nearly_empty,
    "cpu_requested_percent": lambda one: _percent(one.cpu),
    "memory_requested_percent": lambda one: _percent(one.memory),
    "cpu_stranded_millicores": lambda one: one.stranded,
}


def runs_file(swept: Swept) -> str:
    """Return a line for the columns and one for each run, in the order of the grid.

    Columns of what varies have its title. A cell is empty where there is nothing to tell: the figures of a
    run that was not played, and queues of a scheduler that knows none.
    """
    queues = list(dict.fromkeys(name for one in swept.settings for f in one.figures for name in f.queues))
    head = ["run", "is_today", *titles_apart(swept.dimensions), *_FIGURES]
    head += [f"pods_waiting_in_queue_{name}" for name in queues]
    head += ["state", "why"]
    lines = [_line(swept, point, queues) for point in sorted(swept.points, key=lambda one: one.place)]
    return "".join(csv_line(map(plain_cell, line)) for line in (head, *lines))


def _line(swept: Swept, point: Point, queues: Sequence[str]) -> list[Any]:
    found = point.figures
    line = [point.run, str(point.is_today).lower(), *value_names(swept.dimensions, point)]
    if found is None:
        line += [None] * (len(_FIGURES) + len(queues))
    else:
        line += [of(found) for of in _FIGURES.values()]
        line += [found.queues.get(name, 0) if found.queues else None for name in queues]
    return [*line, point.state, " ".join(point.why.split())]


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, _PERCENT_DIGITS)
