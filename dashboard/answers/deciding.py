"""What decides in a sweep: which share of the differences between its runs each thing that varies has.

Sums of squares of a whole grid, as an analysis of variance has them: how far apart the means of a dimension's
values lie; what is left between settings, which values only do together; and what is left between runs of one
setting, which is chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from statistics import fmean
from typing import NamedTuple

from dashboard.answers.answer import Column, Table
from dashboard.answers.sentence import Number, sentence
from dashboard.shapes.swept import PointFigures, Setting, Swept

_FIGURES: dict[str, Callable[[PointFigures], float]] = {
    "without a node": lambda one: one.without_node,
    "evicted": lambda one: one.evicted,
    "cpu requested": lambda one: one.cpu or 0.0,
}
_NOTHING = 1e-9
"""What rounding leaves of no difference, as a share of the squares that are summed up."""


class Shares(NamedTuple):
    """Of the differences in a figure, 1 for all: by dimension, of several together, and by chance."""

    figure: str
    by_dimension: list[float]
    together: float
    by_chance: float


def what_decides(swept: Swept) -> list[Shares]:
    """Return the shares for each figure that is not the same in all runs.

    None where fewer than two things could decide, or not all combinations were played to their end.
    """
    grid = [one for one in swept.settings if None not in one.values]
    varied = [number for number, one in swept.varied if len(one.values) > 1]
    seeds = len(grid[0].points) if grid else 0
    whole = prod(len(one.values) for _, one in swept.varied)
    if len(varied) + (seeds > 1) < 2 or len(grid) < whole or not all(one.is_whole for one in grid):
        return []
    places = [place for place, (number, _) in enumerate(swept.varied) if number in varied]
    found = (_shares(name, of, grid, places) for name, of in _FIGURES.items())
    return [one for one in found if one is not None]


def _shares(
    name: str, of: Callable[[PointFigures], float], grid: Sequence[Setting], places: Sequence[int]
) -> Shares | None:
    runs = [[of(one) for one in setting.figures] for setting in grid]
    all_runs = [value for some in runs for value in some]
    if len({f"{value:.2f}" for value in all_runs}) < 2:
        return None  # what no table shows needs no reason
    mean = fmean(all_runs)
    whole = sum((value - mean) ** 2 for value in all_runs)
    if whole <= _NOTHING * sum(value**2 for value in all_runs):
        return None
    settings = sum(len(some) * (fmean(some) - mean) ** 2 for some in runs)
    alone = []
    for place in places:
        by_value: dict[int | None, list[float]] = {}
        for setting, some in zip(grid, runs, strict=True):
            by_value.setdefault(setting.values[place], []).extend(some)
        alone.append(sum(len(some) * (fmean(some) - mean) ** 2 for some in by_value.values()))
    together = max(0.0, settings - sum(alone))
    return Shares(name, [one / whole for one in alone], together / whole, max(0.0, whole - settings) / whole)


def deciding(swept: Swept) -> Table | None:
    """Return the shares as a table; None where there is nothing to tell apart."""
    rows = what_decides(swept)
    if not rows:
        return None
    titles = [one.title for _, one in swept.varied if len(one.values) > 1]
    several = len(titles) > 1
    has_seeds = any(one.field == "seed" and len(one.values) > 1 for one in swept.dimensions)
    names = [*titles, *(["together"] if several else []), *(["seed"] if has_seeds else [])]
    columns = [Column("figure", "figure"), *(Column(f"s{at}", one, True) for at, one in enumerate(names))]
    cells = []
    for one in rows:
        shares = [
            *one.by_dimension,
            *([one.together] if several else []),
            *([one.by_chance] if has_seeds else []),
        ]
        cells.append([sentence(one.figure), *(sentence(Number(share, measure="share")) for share in shares)])
    says = "share of the differences between the runs"
    more = "; together: what these only do in combination" if several else ""
    return Table("decides", "What decides", columns, cells, sentence(says, more))
