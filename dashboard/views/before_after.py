"""What is requested of allocatable before and after a run, as pairs of points on one scale, pool by pool."""

from collections.abc import Sequence
from typing import NamedTuple

from dashboard.shapes.over_time import Pool

RESOURCES = 3
"""So many resources of a pool are shown, those of which most is requested."""


class Pair(NamedTuple):
    """A resource before and after, in percent, and where the points are on a scale of 100 units."""

    resource: str
    before: float
    after: float
    left: float
    right: float

    @property
    def is_same(self) -> bool:
        """Whether a reader can't tell the two apart."""
        return round(self.before) == round(self.after)


class Pairs(NamedTuple):
    """The pairs of a pool; its name is empty for all nodes."""

    pool: str
    nodes: int
    pairs: list[Pair]


def before_after(pools: Sequence[Pool]) -> list[Pairs]:
    """Return pools of which anything is requested, those that moved first; all nodes where there is one."""
    named = {row["pool"] for row in pools if row["pool"]}
    by_pool: dict[str, list[Pool]] = {}
    for row in pools:
        if (row["pool"] or len(named) < 2) and not (not row["pool"] and named):
            by_pool.setdefault(row["pool"], []).append(row)
    found = [Pairs(pool, rows[0]["nodes"], _pairs(rows)) for pool, rows in by_pool.items()]
    return sorted(
        (one for one in found if one.pairs), key=lambda one: all(pair.is_same for pair in one.pairs)
    )


def _pairs(rows: Sequence[Pool]) -> list[Pair]:
    used = [row for row in rows if row["start"] or row["end"]]
    ranked = sorted(used, key=lambda row: -max(row["start"] or 0, row["end"] or 0))[:RESOURCES]
    kept = [row for row in rows if row in ranked]
    return [
        Pair(
            row["resource"],
            row["start"] or 0,
            row["end"] or 0,
            _on_scale(row["start"]),
            _on_scale(row["end"]),
        )
        for row in kept
    ]


def _on_scale(percent: float | None) -> float:
    return round(min(100.0, percent or 0), 1)
